"""``bayescope self-test``: does this installation compute what it should? Whatever is wrong is said in words.

A packed application can lack a file without anybody noticing: numbers still come out. So the answer is compared with a stored
one, design points must differ, and everything that people do afterwards (resume, export, the examples) is done once.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..cuda.places import own, shared
from ..machine.frozen import is_frozen, this_program
from ..problem.transforms import ParameterSpace
from ..session import export
from ..session.errors import SessionError
from ..session.store import SUFFIX, SessionStore
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .headless import example_names, load_example
from .read_back import FILES, write_and_read
from .stored_answer import EXAMPLE, RUNS, answer_of, differences, repeated, stored
from .terminal import say

KILL_AFTER = 4  # finished runs
PATIENCE_S = 180.0  # for a run of seconds, on a slow computer that does something else as well
POLL_S = 0.05

Check = Callable[[Path], str]  # (folder) -> what was found, in words; raises Failure where it is not as it should be


def self_test() -> int:
    """Run all checks and say what each found; the exit status."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        wrong = _run_checks()
    finally:
        signal.signal(signal.SIGTERM, before)
    if wrong:
        say(f"Self-test failed: {wrong} of {len(CHECKS)} checks. Do not trust what this installation computes; install it again.")
        return FAILED
    say("Self-test passed: everything is as it should be.")
    return OK


def _run_checks() -> int:
    """How many have found something wrong."""
    say(*about_this_installation())
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="bayescope-self-test-") as name:
        folder = Path(name)
        for title, check in CHECKS:
            started = time.monotonic()
            good, words = _done(check, folder)
            wrong += not good
            say(f"{'ok    ' if good else 'WRONG '} {title}: {words} ({time.monotonic() - started:.1f} s)")
            sys.stdout.flush()  # the window shows each line as it comes
    return wrong


def _end(number: int, frame: object) -> None:
    """The window has given it up: processes and files of the checks are cleared away on the way out."""
    sys.exit(INTERRUPTED)


def _done(check: Check, folder: Path) -> tuple[bool, str]:
    try:
        return True, check(folder)
    except Failure as failure:
        return False, str(failure)
    except Exception as error:  # a packed application fails in ways that nobody has thought of
        return False, f"{type(error).__name__}: {error}"


def about_this_installation() -> list[str]:
    """Versions, system, and where large linear algebra is computed."""
    import torch

    known = export.versions()
    fetched = next((str(p.root) for p in (own(), shared()) if Path(torch.__file__ or "").is_relative_to(p.root)), "")
    device = torch.cuda.get_device_name(0) if torch.cuda.is_available() else "the processor (no CUDA graphics processor)"
    return [
        f"Bayescope {known['bayescope']} ({'packed application' if is_frozen() else 'from source'}), {known['system']}",
        ", ".join(f"{name} {known[name]}" for name in ("python", "numpy", "scipy", "torch", "gpytorch")),
        f"Computes on: {device}, {torch.get_num_threads()} threads." + f" PyTorch of {fetched}." * bool(fetched),
    ]


def killed_and_resumed(folder: Path) -> str:
    """A run in a process of its own, killed without warning, then resumed here: no finished run is lost."""
    path = session_of(folder)
    SessionStore.create(path, load_example(EXAMPLE), own=True).close()
    process = _start(["run", str(path), "--runs", str(RUNS), "--workers", "1"])
    try:
        kept = _wait_for_runs(path, process)
    finally:
        process.kill()
        process.wait()
    run_to_the_end(path)
    with SessionStore.open(path, mode="read") as store:
        if sorted(e.index for e in store.evaluations()) != list(range(RUNS)):
            raise Failure(f"{store.evaluation_count} runs are in the session, not {RUNS}.")
    return f"{kept} finished runs were there after the engine was killed, all {RUNS} after it was resumed."


def session_of(folder: Path) -> Path:
    return folder / f"example{SUFFIX}"


def run_to_the_end(path: Path) -> None:
    """The rest of the stored answer's runs, one at a time, so that they come in the same order everywhere."""
    from ..run.analysis import Analysis
    from ..run.control import Control

    with SessionStore.open(path, role="engine") as store:
        ended = Analysis(store, control=Control(), observer=lambda event: None, max_evaluations=RUNS, workers=1).run()
    if ended.outcome == "failed":
        raise Failure(ended.words)


def _start(arguments: list[str]) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen([*this_program(), *arguments], stdin=quiet, stdout=quiet, stderr=quiet, creationflags=flags)


def _wait_for_runs(path: Path, process: subprocess.Popen[bytes]) -> int:
    """How many runs are in the session, once they are ``KILL_AFTER``."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with contextlib.suppress(SessionError), SessionStore.open(path, mode="read") as store:
            if store.evaluation_count >= KILL_AFTER:
                return store.evaluation_count
        if process.poll() is not None:
            raise Failure(f"the run in a process of its own ended with status {process.returncode}.")
        time.sleep(POLL_S)
    raise Failure(f"no {KILL_AFTER} runs were finished within {PATIENCE_S:.0f} s.")


def points_differ(folder: Path) -> str:
    """No point was asked for twice."""
    with SessionStore.open(session_of(folder), mode="read") as store:
        names = ParameterSpace(store.problem.parameters).names
        points = [tuple(e.values[name] for name in names) for e in store.evaluations()]
    if not points or repeated(points):
        raise Failure(f"{repeated(points)} of {len(points)} points are copies of others: files of SciPy may be missing.")
    return f"all {len(points)} are different."


def answer_is_as_stored(folder: Path) -> str:
    """Design, outputs and posterior are those that came with the application."""
    with SessionStore.open(session_of(folder), mode="read") as store:
        wrong = differences(answer_of(store), stored())
    if wrong:
        raise Failure(" ".join(wrong))
    return "design, program outputs and posterior are as stored, to the digits that are shown."


def exports_read_back(folder: Path) -> str:
    """Every kind of file, as the readers of such files see it."""
    done, wrong = write_and_read(session_of(folder), folder)
    if wrong:
        raise Failure(" ".join(wrong))
    left = [kind for kind in FILES if kind not in done]
    if left and is_frozen():
        raise Failure(f"{', '.join(left)} cannot be written: packages are missing.")
    return f"{', '.join(done)} written and read back." + (f" Not tried, for want of packages: {', '.join(left)}." * bool(left))


def examples_run(folder: Path) -> str:
    """One run of each bundled example whose program is here."""
    from ..simulator.trial_run import trial_run
    from .headless import middle_values

    done, absent = [], []
    for name in example_names():
        problem = load_example(name)
        program = problem.simulator.command[0] if problem.simulator.command else ""
        if ":" not in program and shutil.which(program) is None:
            absent.append(name)
            continue
        with SessionStore.create(folder / f"{name}{SUFFIX}", problem, own=True) as store:
            permit = store.permit()
        report = trial_run(problem, middle_values(problem), permit.folder, permit=permit, folder=folder / f"{name}-runs")
        if report.outcome != "ok":
            raise Failure(f"{name} did not run: {report.reason}")
        done.append(name)
    return f"{', '.join(done)} ran." + f" Not tried, for want of their programs: {', '.join(absent)}." * bool(absent)


CHECKS: tuple[tuple[str, Check], ...] = (
    ("Killed and resumed", killed_and_resumed),
    ("Design points", points_differ),
    ("Stored answer", answer_is_as_stored),
    ("Exports", exports_read_back),
    ("Examples", examples_run),
)
