"""A place where runs happen, spoken to in words of this application: send, submit, look, cancel, fetch, remove.

Nothing is remembered here but the connection; what is there is asked for, and the ledger says what should be.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from ..problem.errors import SetupError
from ..session.profiles import Profile
from .queues import TABLE, JobState, NotUnderstood, Queue
from .shell import Shell, archive_of, unpacking
from .ssh_words import NotUsable, Unreachable
from .store_there import NO_ROOM, StoreThere

_Kind = TypeVar("_Kind")
FETCH_SECONDS = 600.0
SUBMIT_SECONDS = 120.0  # a busy controller answers late
MOST_FETCHED = 512 * 1024 * 1024  # bytes of one run; more does not belong into the memory of a desktop computer


class Started(msgspec.Struct, frozen=True):
    """Of ``started.json``: when (ms of that computer's clock), where and as which job a run began."""

    at_ms: int
    node: str = ""
    job: str = ""


class Ended(msgspec.Struct, frozen=True):
    """Of ``exit.json``. ``why``: see job_script.py; ``ms``: all in all, of which ``set_up`` before the program; ``left``:
    processes were left running and ended."""

    code: int
    why: str = ""
    ms: int = 0
    left: int = 0
    set_up: int = 0

    @property
    def program_s(self) -> float:
        """Seconds of the program alone."""
        return max(self.ms - self.set_up, 0) / 1000.0


@dataclass(frozen=True)
class Seen:
    """What lies in the folder of an attempt. ``ended``: exit.json is there; ``started``: started.json, where it was asked for."""

    ended: bool = False
    started: Started | None = None


class Refused(Exception):
    """The queue did not take the job, or says so; the message is what it said."""


class Place:
    """Methods raise Unreachable; then nothing is known. ``root``: the folder for runs there, once it was reached."""

    def __init__(self, profile: Profile, shell: Shell | None = None) -> None:
        self.profile = profile
        self.shell = Shell(profile.host) if shell is None else shell
        self.queue: Queue = TABLE[profile.queue]
        self._root = ""
        self._store: StoreThere | None = None

    @property
    def name(self) -> str:
        return self.shell.name

    @property
    def root(self) -> str:
        """Absolute, made if need be. Raises Unreachable, SetupError."""
        if not self._root:
            self._root = self._made()
        return self._root

    def _made(self) -> str:
        given = self.profile.folder
        folder = '"$HOME"/' + shlex.quote(given[2:]) if given.startswith("~/") else shlex.quote(given)
        answer = self.shell.run(f"mkdir -p {folder} && cd {folder} && [ -w . ] && pwd -P")
        if answer.status:
            said = answer.text.strip()[-300:] or "it may not be written"
            raise NotUsable(f"The folder “{given}” on {self.name} cannot be used: {said}.", NO_ROOM)
        return answer.text.rstrip("\n").splitlines()[-1]

    def folder(self, token: str) -> str:
        return f"{self.root}/{token}"

    def bring(self, path: Path) -> str:
        """Where an extra file lies there; see StoreThere."""
        if self._store is None:
            self._store = StoreThere(self.shell, self.root)
        return self._store.bring(path)

    # ---------------------------------------------------------------- jobs

    def send(self, token: str, files: Mapping[str, str]) -> None:
        """The folder of an attempt with ``files`` (name -> text), complete or not there. Raises Unreachable, SetupError."""
        folder = shlex.quote(self.folder(token))
        script = (
            f"[ -d {folder} ] && exit 0\n[ ! -e {folder}.part ] || rm -rf {folder}.part || exit\n"
            f"mkdir {folder}.part && cd {folder}.part || exit\n{unpacking(archive_of(files))}mv {folder}.part {folder}"
        )
        answer = self.shell.run(script, SUBMIT_SECONDS)
        if answer.status:
            said = next(iter(answer.text.strip().splitlines()), "no reason was given")[:300]  # tar says it again for each file
            raise NotUsable(f"A run's files could not be written to “{self.root}” on {self.name}: {said}.", NO_ROOM)

    def submit(self, token: str) -> str:
        """Hand the job over; its number. Raises Refused with what the queue says (it may have taken it), Unreachable."""
        command = self.queue.submit.replace("{name}", token)
        answer = self.shell.run(f"cd {shlex.quote(self.folder(token))} || exit\n{command}", SUBMIT_SECONDS)
        found = self.queue.job_id.findall(answer.text)
        if answer.status or not found:
            raise Refused(answer.text.strip()[-500:] or f"it ended with status {answer.status}")
        return str(found[-1])

    def states(self) -> dict[str, JobState] | None:
        """Jobs of this user by name, the newest of each; None: the queue does not answer, which never means “gone”."""
        try:
            answer = self.shell.run(self.queue.states)
        except Unreachable:
            return None
        if answer.status:
            return None
        try:
            states = self.queue.read(answer.text)
        except NotUnderstood:
            return None
        found: dict[str, JobState] = {}
        for state in states:
            known = found.get(state.name)
            if known is None or (known.phase == "ended" and state.phase != "ended"):
                found[state.name] = state
        return found

    def look(self, tokens: Iterable[str], unknown_start: Iterable[str] = ()) -> dict[str, Seen]:
        """What lies in the folders of ``tokens``; ``started`` is read for those in ``unknown_start``. Raises Unreachable."""
        wanted = " ".join(tokens)
        if not wanted:
            return {}
        starts = " ".join(unknown_start)
        script = f'cd {shlex.quote(self.root)} || exit\nfor t in {wanted}; do [ -e "$t/exit.json" ] && echo "E $t"; done\n'
        if starts:
            script += f'for t in {starts}; do [ -e "$t/started.json" ] && echo "S $t $(cat "$t/started.json")"; done\n'
        answer = self.shell.run(f"{script}echo looked")
        if not answer.text.endswith("looked\n"):
            raise Unreachable(f"The folder “{self.root}” on {self.name} cannot be read: {answer.text.strip()[-300:]}.")
        found: dict[str, Seen] = {}
        for line in answer.text.splitlines():
            letter, _, rest = line.partition(" ")
            token, _, text = rest.partition(" ")
            seen = found.get(token, Seen())
            if letter == "E":
                found[token] = Seen(True, seen.started)
            elif letter == "S" and (started := _read(text, Started)) is not None:
                found[token] = Seen(seen.ended, started)
        return found

    def end(self, jobs: Mapping[str, str]) -> None:
        """Cancel jobs (name -> number); those that have not started never will. Raises Unreachable."""
        lines = [f"cd {shlex.quote(self.root)} || exit"]
        for token, job in jobs.items():
            lines += [f"mkdir -p {token} && mkdir {token}/claim 2>/dev/null; : >{token}/cancel", self.queue.cancel(token, job)]
        self.shell.run("\n".join([*lines, "true"]), SUBMIT_SECONDS)

    # ---------------------------------------------------------------- results

    def fetch(self, token: str, names: Sequence[str]) -> dict[str, tuple[bytes, float]]:
        """Files of an attempt's folder that are there: content and time of change. Raises Unreachable, SetupError."""
        folder, listed = shlex.quote(self.folder(token)), " ".join(shlex.quote(name) for name in names)
        answer = self.shell.run(_FETCH.format(folder=folder, listed=listed), FETCH_SECONDS)
        if answer.status == 3:
            raise SetupError(f"The folder of a run on {self.name}, “{self.folder(token)}”, is gone.", "Was it deleted there?")
        if answer.status == 4:
            raise SetupError(f"The outputs of a run are more than {MOST_FETCHED // 2**20} MB.", "Make the program write less.")
        if answer.status == 5:
            raise SetupError(f"The files of a run on {self.name} cannot be read: {answer.text.strip()[-300:]}.")
        found = _unframed(answer.output, names)
        if found is None:
            raise Unreachable(f"The files of a run on {self.name} came incomplete.")
        return found

    def remove(self, tokens: Iterable[str]) -> None:
        """The folders of finished attempts. Raises Unreachable."""
        wanted = " ".join(tokens)
        if wanted:
            self.shell.run(f"cd {shlex.quote(self.root)} && chmod -R u+w {wanted} 2>/dev/null; rm -rf {wanted}", FETCH_SECONDS)

    def finish(self) -> None:
        """After the last run of an analysis, none of whose jobs goes on. Raises Unreachable."""

    def close(self) -> None:
        self.shell.close()


# which of the files are there, then “size:time” of each, then their contents: few processes, whatever their number
_FETCH = f"""cd {{folder}} || exit 3
set -- ; at=0 ; numbers=
for name in {{listed}}; do
    [ -f "$name" ] && {{{{ set -- "$@" "$name"; numbers="$numbers $at"; }}}}
    at=$((at + 1))
done
[ $# -gt 0 ] || {{{{ printf '\\n\\nend'; exit 0; }}}}
sizes=$(stat -L -c %s:%Y -- "$@" 2>&1) || {{{{ echo "$sizes"; exit 5; }}}}
total=0
for one in $sizes; do total=$((total + ${{{{one%:*}}}})); done
[ "$total" -le {MOST_FETCHED} ] || exit 4
echo $numbers ; echo $sizes
cat -- "$@" || exit 5
printf end"""


def _unframed(data: bytes, names: Sequence[str]) -> dict[str, tuple[bytes, float]] | None:
    """Of what ``_FETCH`` prints; None: something is missing, or grew meanwhile."""
    numbers, _, rest = data.partition(b"\n")
    sizes, _, content = rest.partition(b"\n")
    places = [int(word) for word in numbers.split() if word.isdigit()]
    states = [word.partition(b":") for word in sizes.split()]
    if len(places) != len(states) or any(p >= len(names) for p in places) or not all(s.isdigit() for s, _, _ in states):
        return None
    found: dict[str, tuple[bytes, float]] = {}
    at = 0
    for place, (size, _, changed) in zip(places, states, strict=True):
        found[names[place]] = (content[at : at + int(size)], float(changed) if changed.isdigit() else 0.0)
        at += int(size)
    return found if content[at:] == b"end" else None


def read_ended(data: bytes) -> Ended | None:
    return _read(data.decode("utf-8", "replace"), Ended)


def _read(text: str, kind: type[_Kind]) -> _Kind | None:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError:
        return None
