"""Trying a place by one small job, step by step, in words."""

from __future__ import annotations

import secrets
import shlex
import threading
import time
from collections.abc import Callable

from ..problem.errors import SetupError
from ..session.profiles import Profile, checked
from ..simulator.run_folder import STDOUT
from .hand_over import AGAIN, correct, hand_over
from .job_script import MISSING, SETUP_FAILED, Watched, job_script, program_script
from .place import Place, read_ended
from .queues import NEVER_STARTS, asked
from .ssh_words import Unreachable

STEPS = ("connect", "folder", "copy", "submit", "start", "run", "fetch")
WAIT_SECONDS = 600.0  # for a queue to start the job; a person watches
SUBMIT_PATIENCE_S = 60.0  # for a queue that says that it takes no job now
CANCELLED = "The test was cancelled."
NEEDED = "base64 tar awk find ps stat"  # programs there
CLOCK_OFF_S = 60.0
LITTLE_ROOM_MB = 500.0
Told = Callable[[str, bool, str, float], None]  # step, good, words, seconds


class _TestJob:
    """As RemoteJob: only its files."""

    def __init__(self, place: Place, token: str) -> None:
        self._place, self._token = place, token

    def files(self, place: Place, token: str) -> dict[str, str]:
        profile = place.profile
        login = any(line.strip() for line in profile.setup)
        lines = place.queue.directives(asked(profile, token, 60.0, None))
        script = job_script(
            lines, place.folder(token), [], ["grüße an.txt"], [], Watched(60.0, None, 1.0, 10.0), has_stdin=False, login=login
        )
        program = program_script(("cat", "grüße an.txt"), {}, profile.setup, login)
        return {"program.sh": program, "texts/grüße an.txt": f"hello from {token}\n", "job.sh": script}


def try_place(
    profile: Profile, told: Told, cancel: threading.Event | None = None, seconds: float = WAIT_SECONDS,
    waits: Callable[[str], None] = lambda words: None,
) -> bool:  # fmt: skip
    """Whether a job went all the way. ``told`` gets what came of each step; the first that fails is the last. ``waits`` gets what
    a step waits for longer than usual, "" when it has come."""
    cancel = cancel or threading.Event()
    trial = _Trial(profile, told, cancel, seconds)
    trial.place.shell.slow = waits
    try:
        for step in STEPS:
            began = time.monotonic()
            try:
                words = getattr(trial, step)()
            except (SetupError, Unreachable) as error:
                told(step, False, str(error), time.monotonic() - began)
                return False
            told(step, True, words, time.monotonic() - began)
        return True
    finally:
        trial.tidy()


class _Trial:
    """One method for each step; raises SetupError or Unreachable."""

    def __init__(self, profile: Profile, told: Told, cancel: threading.Event, seconds: float) -> None:
        self.profile, self._told, self._cancel, self._seconds = profile, told, cancel, seconds
        self.place = Place(profile)
        self.token = f"bs{secrets.token_hex(6)}"
        self.job = ""
        self._sent = False

    def connect(self) -> str:
        checked(self.profile)
        before = time.time()
        answer = self.place.shell.run(
            f"uname -sm; id -un; uname -n; date +%s\nfor c in {NEEDED}; do command -v $c >/dev/null || echo lacks $c; done"
        )
        lines = answer.text.split("\n")
        if len(lines) < 4 or not lines[3].isdigit():
            raise SetupError(f"{self.place.name} does not answer like a Unix computer: “{answer.text.strip()[:200]}”.")
        lacking = [line.removeprefix("lacks ") for line in lines[4:] if line.startswith("lacks ")]
        if lacking:
            raise SetupError(f"{self.place.name} lacks the program “{', '.join(lacking)}”.", "Ask its administrators.")
        if not lines[0].startswith("Linux"):
            raise SetupError(f"{self.place.name} runs {lines[0]}, not Linux; jobs are watched there by means of Linux.")
        words = f"{self.place.name} answers: {lines[2]}, {lines[0]}, as user {lines[1]}."
        off = int(lines[3]) - (before + time.time()) / 2
        if abs(off) > CLOCK_OFF_S:
            way = "ahead" if off > 0 else "behind"
            words += f" Its clock is {abs(off) / 60:.0f} minutes {way}; times are shown as it tells them."
        return words

    def folder(self) -> str:
        root = self.place.root
        answer = self.place.shell.run(f"cd {shlex.quote(root)} 2>/dev/null && df -Pk . | awk 'NR==2 {{print $4}}'")
        free = int(answer.text) / 1024 if answer.text.strip().isdigit() else None
        words = f"“{root}” can be written" + (f", {free / 1024:.1f} GB free there." if free is not None else ".")
        if free is not None and free < LITTLE_ROOM_MB:
            words += " That is little: each job needs room for its outputs."
        return words

    def copy(self) -> str:
        if not self.profile.queue or self.place.states() is not None:
            self.place.send(self.token, _TestJob(self.place, self.token).files(self.place, self.token))
            self._sent = True
            return "The job's files are there."
        answer = self.place.shell.run(self.place.queue.states)
        command = self.place.queue.programs[1]
        raise SetupError(
            f"The queue on {self.place.name} does not answer ({command}): {answer.text.strip()[-300:]}.",
            "Is this the right computer and the right queue (Slurm, PBS, ...)?",
        )

    def submit(self) -> str:
        said: list[str | Unreachable] = []
        deadline = time.monotonic() + SUBMIT_PATIENCE_S

        def wait(seconds: float) -> bool:
            return self._wait(min(seconds, max(deadline - time.monotonic(), 0.0))) and time.monotonic() < deadline

        job = hand_over(self.place, self.token, _TestJob(self.place, self.token), wait, said.append, fresh=True)
        if job is None:
            raise SetupError(CANCELLED if self._cancel.is_set() else str(said[-1]).removesuffix(AGAIN))
        self.job = job
        return f"Handed over as job {job}." if self.profile.queue else f"Started as process {job}."

    def start(self) -> str:
        deadline, asked_at = time.monotonic() + self._seconds, 0.0
        reason = ""
        while time.monotonic() < deadline and not self._cancel.is_set():
            seen = self.place.look([self.token], [self.token]).get(self.token)
            if seen is not None and seen.started is not None:
                return f"It started on {seen.started.node}."
            if time.monotonic() - asked_at > 5.0:
                asked_at, reason = time.monotonic(), self._why_waiting()
            self._wait(0.1)
        if self._cancel.is_set():
            raise SetupError(CANCELLED)
        raise SetupError(
            f"It has not started within {self._seconds:.0f} seconds{reason}.",
            "A long queue is no fault; what was said before this step holds.",
        )

    def _why_waiting(self) -> str:
        state = (self.place.states() or {}).get(self.token)
        if state is None:
            return ""
        if state.phase == "ended":
            words = f"The job ended before it started: {state.word} {state.reason}.".replace(" .", ".")
            raise SetupError(words, correct(self.place, state.reason))
        if NEVER_STARTS.match(state.reason):
            raise SetupError(f"The queue took the job, but will not start it: {state.reason}.", correct(self.place, state.reason))
        return f" (the queue says: {state.word} {state.reason})"

    def run(self) -> str:
        deadline = time.monotonic() + self._seconds
        while time.monotonic() < deadline and not self._cancel.is_set():
            seen = self.place.look([self.token]).get(self.token)
            if seen is not None and seen.ended:
                return "It ended."
            self._wait(0.1)
        raise SetupError(CANCELLED if self._cancel.is_set() else "The job started, but its end was not seen.")

    def fetch(self) -> str:
        fetched = self.place.fetch(self.token, ["exit.json", f"run/{STDOUT}", "run/bayescope_stderr.txt", "prepare.log"])
        ended = read_ended(fetched.get("exit.json", (b"", 0.0))[0])
        printed = fetched.get(f"run/{STDOUT}", (b"", 0.0))[0].decode("utf-8", "replace")
        errors = fetched.get("run/bayescope_stderr.txt", (b"", 0.0))[0].decode("utf-8", "replace").strip()
        if ended is None or ended.code or f"hello from {self.token}" not in printed:
            said = (errors[-300:] or printed[-300:] or "it said nothing").rstrip(".")
            if ended is not None and ended.why == SETUP_FAILED:
                raise SetupError(
                    f"A set-up line failed, or ended the shell: {said}.", "Each is a whole command, such as “module load gcc”."
                )
            if ended is not None and ended.why == MISSING:
                raise SetupError("The program “cat” was not found there.", "Do the set-up lines change PATH?")
            why = f" ({ended.why})" if ended is not None and ended.why else ""
            raise SetupError(f"The job did not do what it was to do{why}: {said}.")
        return "What it wrote came back as it was meant to."

    def tidy(self) -> None:
        try:
            if self._sent:
                self.place.end({self.token: self.job})
                self.place.remove([self.token])
        except (Unreachable, SetupError):
            pass  # nothing but a small folder stays
        self.place.close()

    def _wait(self, seconds: float) -> bool:
        return not self._cancel.wait(seconds)
