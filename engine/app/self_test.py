"""``bayescope self-test``: does this installation compute what it should? Whatever is wrong is said in words.

A packed application can lack a file without anybody noticing: numbers still come out. So the answer is compared with a stored
one, design points must differ, and everything that people do afterwards (resume, export, the examples) is done once.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ..cuda.places import own, shared
from ..machine import temporary
from ..machine.frozen import is_frozen, this_program
from ..problem.transforms import ParameterSpace
from ..report import export
from ..session.errors import SessionError
from ..session.places import home
from ..session.store import SUFFIX, SessionStore
from .exit_status import FAILED, INTERRUPTED, OK, Failure
from .headless import example_names, load_example
from .read_back import FILES, write_and_read
from .stored_answer import EXAMPLE, RUNS, answer_of, differences, repeated, stored
from .terminal import say

KILL_AFTER = 4  # finished runs
PATIENCE_S = 180.0  # for a run of seconds, on a slow computer that does something else as well
POLL_S = 0.05

OF_THE_PLACE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)  # no rights, or no room
DISTRUST = "Do not trust what this installation computes; install it again."
DAMAGED = "Part of this installation is missing or damaged; install it again."
OK_MARK, WRONG_MARK, UNSURE_MARK = "ok", "WRONG", "UNSURE"

Check = Callable[[Path], str]  # (folder) -> what was found, in words; raises Failure where it is not as it should be


class Hindered(Failure):
    """A check that something outside this installation did not let be made: it says nothing of what is computed."""


def self_test() -> int:
    """Run all checks and say what each found; the exit status."""
    before = signal.signal(signal.SIGTERM, _end)
    try:
        found = _run_checks()
    except OSError as error:
        say(f"Self-test not made: temporary files cannot be written ({error}). {temporary.unwritable()}".rstrip())
        return FAILED
    finally:
        signal.signal(signal.SIGTERM, before)
    say(verdict(found))
    return OK if all(mark == OK_MARK for mark, _ in found) else FAILED


def verdict(found: list[tuple[str, str]]) -> str:
    """The last line. ``found``: of each check its mark and what to conclude if it is wrong."""
    wrong = [conclusion for mark, conclusion in found if mark == WRONG_MARK]
    unsure = sum(mark == UNSURE_MARK for mark, _ in found)
    if wrong:
        conclusion = DISTRUST if DISTRUST in wrong else wrong[0]
        return f"Self-test failed: {len(wrong)} of {len(found)} checks. {conclusion}"
    if unsure:
        return (
            f"Self-test incomplete: {unsure} of {len(found)} checks could not be made, for a reason outside this installation: "
            f"see {UNSURE_MARK} above. Nothing wrong was found in what could be checked."
        )
    return "Self-test passed: everything is as it should be."


def _run_checks() -> list[tuple[str, str]]:
    """Of each check its mark and what to conclude if it is wrong."""
    say(*about_this_installation())
    found = []
    with tempfile.TemporaryDirectory(prefix="bayescope-self-test-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if hint := temporary.unwritable():
            say(f"{hint} Temporary files of this check are in {folder.parent}.")
        for title, check, conclusion in CHECKS:
            started = time.monotonic()
            mark, words = _done(check, folder)
            found.append((mark, conclusion))
            say(f"{mark:<6} {title}: {words} ({time.monotonic() - started:.1f} s)")
            sys.stdout.flush()  # the window shows each line as it comes
    return found


def _end(number: int, frame: object) -> None:
    """The window has given it up: processes and files of the checks are cleared away on the way out."""
    sys.exit(INTERRUPTED)


def _done(check: Check, folder: Path) -> tuple[str, str]:
    """The mark of a check, and what it says."""
    try:
        return OK_MARK, check(folder)
    except Hindered as hindered:
        return UNSURE_MARK, str(hindered)
    except Failure as failure:
        return WRONG_MARK, str(failure)
    except OSError as error:
        if error.errno in OF_THE_PLACE and _lies_outside(error.filename, folder):
            return UNSURE_MARK, f"“{error.filename}” cannot be written: {error.strerror}."
        return WRONG_MARK, f"{type(error).__name__}: {error}"
    except Exception as error:  # a packed application fails in ways that nobody has thought of
        return WRONG_MARK, f"{type(error).__name__}: {error}"


def _lies_outside(name: object, folder: Path) -> bool:
    """Whether a file is the check's or the user's, and no part of the installation."""
    return isinstance(name, str) and any(Path(name).is_relative_to(place) for place in (folder.parent, home()))


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


def left_by_the_first(folder: Path) -> Path:
    """The session with all runs. Raises Hindered where the first check could not make it."""
    if not session_of(folder).exists():
        raise Hindered("the first check made no session.")
    return session_of(folder)


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
    with SessionStore.open(left_by_the_first(folder), mode="read") as store:
        names = ParameterSpace(store.problem.parameters).names
        points = [tuple(e.values[name] for name in names) for e in store.evaluations()]
    if not points or repeated(points):
        raise Failure(f"{repeated(points)} of {len(points)} points are copies of others: files of SciPy may be missing.")
    return f"all {len(points)} are different."


def answer_is_as_stored(folder: Path) -> str:
    """Design, outputs and posterior are those that came with the application."""
    with SessionStore.open(left_by_the_first(folder), mode="read") as store:
        wrong = differences(answer_of(store), stored())
    if wrong:
        raise Failure(" ".join(wrong))
    return "design, program outputs and posterior are as stored, to the digits that are shown."


def exports_read_back(folder: Path) -> str:
    """Every kind of file, as the readers of such files see it."""
    done, wrong = write_and_read(left_by_the_first(folder), folder)
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

    done, absent, hindered = [], [], []
    for name in example_names():
        problem = load_example(name)
        program = problem.simulator.command[0] if problem.simulator.command else ""
        ours = ":" in program
        if not ours and shutil.which(program) is None:
            absent.append(name)
            continue
        with SessionStore.create(folder / f"{name}{SUFFIX}", problem, own=True) as store:
            permit = store.permit()
        report = trial_run(problem, middle_values(problem), permit.folder, permit=permit, folder=folder / f"{name}-runs")
        if report.outcome == "ok":
            done.append(name)
        elif ours:
            raise Failure(f"{name} did not run: {report.reason}")
        else:
            hindered.append(f"{name} did not: {report.reason} ({program} is a program of this computer, no part of Bayescope.)")
    words = f"{', '.join(done)} ran." + f" Not tried, for want of their programs: {', '.join(absent)}." * bool(absent)
    if hindered:
        raise Hindered(" ".join((words, *hindered, temporary.unwritable())).rstrip())
    return words


CHECKS: tuple[tuple[str, Check, str], ...] = (  # title, check, what to conclude if it is wrong
    ("Killed and resumed", killed_and_resumed, DISTRUST),
    ("Design points", points_differ, DISTRUST),
    ("Stored answer", answer_is_as_stored, DISTRUST),
    ("Exports", exports_read_back, f"What it computes is right, but not all files that it writes. {DAMAGED}"),
    ("Examples", examples_run, f"What it computes is right, but a bundled example does not run. {DAMAGED}"),
)
