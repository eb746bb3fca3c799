"""``bayescope where``: places besides this computer where runs may happen."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ..problem.errors import SetupError
from .exit_status import FAILED, OK, Failure
from .subcommands import subcommands
from .terminal import say

_Result = TypeVar("_Result")
HERE = "here"  # the name that stands for this computer


def add(arguments: argparse.Namespace) -> int:
    """Save the profile that the options describe; one of that name is replaced."""
    from ..session.profiles import DEFAULT_FOLDER, Profile, profiles_file, save_profile

    a = arguments
    if a.name == HERE:
        raise Failure(f"“{HERE}” is this computer; choose another name.")
    profile = Profile(
        name=a.name, queue="" if a.queue == "none" else a.queue, host=a.host, folder=a.folder or DEFAULT_FOLDER,
        partition=a.partition, account=a.account, minutes=a.minutes, memory_mb=a.memory, cores=a.cores,
        setup=tuple(a.setup), lines=tuple(a.directive), at_once=a.jobs, pilot=a.pilot,
    )  # fmt: skip
    _in_words(lambda: save_profile(profile))
    say(f"Added “{a.name}”: {profile.words}. It is kept in {profiles_file()}.")
    say(f"Try it: bayescope where test {a.name}")
    return OK


def list_places(arguments: argparse.Namespace) -> int:
    from ..session.profiles import load_profiles

    profiles = _in_words(load_profiles)
    say(f"{HERE}: this computer")
    for p in profiles:
        asked = [f"folder {p.folder}", f"{p.at_once} at once"]
        asked += [f"partition {p.partition}"] if p.partition else []
        asked += [f"account {p.account}"] if p.account else []
        asked += [f"{p.minutes:g} minutes"] if p.minutes else []
        asked += [f"{p.memory_mb:g} MB"] if p.memory_mb else []
        asked += [f"{p.cores} cores"] if p.cores > 1 else []
        asked += [f"more lines: {'; '.join(p.lines)}"] if p.lines else []
        asked += ["a few long jobs take the runs"] if p.pilot else []
        say(f"{p.name}: {p.words}; {', '.join(asked)}")
    return OK


def remove(arguments: argparse.Namespace) -> int:
    from ..session.profiles import remove_profile

    _in_words(lambda: remove_profile(arguments.name))
    say(f"Removed “{arguments.name}”.")
    return OK


def test(arguments: argparse.Namespace) -> int:
    """One small job, all the way, each step in words."""
    from ..clusters.try_place import try_place
    from ..session.profiles import find_profile

    profile = _in_words(lambda: find_profile(arguments.name))

    def told(step: str, good: bool, words: str, seconds: float) -> None:
        say(f"{'✓' if good else '✕'} {step:<8} {words} ({seconds:.1f} s)")

    good = try_place(profile, told, seconds=arguments.wait, waits=lambda words: say(f"… {words}") if words else None)
    say(f"“{profile.name}” works." if good else f"“{profile.name}” cannot be used as it is.")
    return OK if good else FAILED


def fetch(arguments: argparse.Namespace) -> int:
    """The whole folder of a run that was kept at its place."""
    from ..clusters.elsewhere import KEPT
    from ..clusters.keeping import fetch_kept
    from ..clusters.place import Place
    from ..clusters.ssh_words import Unreachable
    from ..session.ledger import Ledger
    from ..session.profiles import find_profile
    from ..session.store import SessionStore

    with SessionStore.open(arguments.file, mode="read") as store:
        ledger = Ledger(store)
        kept = [a for a in ledger.find("done") if a.index == arguments.run and a.reason.startswith(KEPT)]
        folder, where = store.runs_folder / f"{arguments.run:05d}", ledger.where
    if not kept:
        raise Failure(f"nothing of run {arguments.run} is kept elsewhere; what is kept lies in {folder}.")
    profile = _in_words(lambda: find_profile(where))
    place = Place(profile)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for attempt in kept:
            fetch_kept(place, attempt.token, folder)
    except (Unreachable, SetupError) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"what was fetched cannot be written: {error}.") from None
    finally:
        place.close()
    say(f"Run {arguments.run} is in {folder}.")
    return OK


def cancel(arguments: argparse.Namespace) -> int:
    """All jobs of an analysis that wait or run elsewhere."""
    from ..clusters.ending import end_jobs
    from ..session.store import SessionStore

    with SessionStore.open(arguments.file, role="engine") as store:
        n = _in_words(lambda: end_jobs(store))
    say(f"{'One job was' if n == 1 else f'{n} jobs were'} cancelled." if n else "No job was under way.")
    return OK


def _in_words(work: Callable[[], _Result]) -> _Result:
    """What ``work`` returns. Raises Failure for what is wrong with a place."""
    try:
        return work()
    except SetupError as error:
        raise Failure(str(error)) from None


def where_arguments(command: argparse.ArgumentParser) -> None:
    """``add``, ``test``, ``list``, ``remove``, ``fetch`` and ``cancel`` below ``where``."""
    sub = subcommands(command)
    one = sub("add", "Add a place, or change the one of that name. Passwords are never kept: ssh asks.", add)
    one.add_argument("name", metavar="NAME")
    one.add_argument("--queue", choices=("slurm", "pbs", "lsf", "sge", "none"), default="slurm", help="(default: slurm)")
    one.add_argument("--host", default="", metavar="HOST", help="as “ssh HOST” knows it; left out: this machine's own queue")
    one.add_argument("--folder", default="", metavar="FOLDER", help="for runs there (default: ~/bayescope-runs)")
    one.add_argument("--partition", default="", metavar="NAME", help="partition or queue")
    one.add_argument("--account", default="", metavar="NAME", help="account or project")
    one.add_argument("--minutes", type=float, metavar="N", help="time of a job (default: the simulator's limit and 5 more)")
    one.add_argument("--memory", type=float, metavar="MB", help="memory of a job (default: as the simulator's limit says)")
    one.add_argument("--cores", type=int, default=1, metavar="N")
    one.add_argument("--setup", action="append", default=[], metavar="LINE", help="before the program; may be repeated")
    one.add_argument(
        "--directive", action="append", default=[], metavar="LINE",
        help="one more line for the scheduler in its own notation, as in --directive=--qos=long or "
        "--directive=\"#SBATCH --gres=gpu:1\"; may be repeated",
    )  # fmt: skip
    one.add_argument("--jobs", type=int, default=16, metavar="N", help="jobs at once, up to 64 (default: 16)")
    one.add_argument("--pilot", action="store_true", help="a few long jobs take one run after the other (runs under 15 s)")
    sub("list", "List the places.", list_places)
    gone = sub("remove", "Forget a place.", remove)
    gone.add_argument("name", metavar="NAME")
    tried = sub("test", "Run one small job there and say what happened at each step.", test)
    tried.add_argument("name", metavar="NAME")
    tried.add_argument("--wait", type=float, default=600.0, metavar="S", help="seconds to wait for its start (default: 600)")
    back = sub("fetch", "Fetch the whole folder of a run that was kept at its place.", fetch)
    back.add_argument("file", type=Path, metavar="FILE.bayescope")
    back.add_argument("run", type=int, metavar="RUN")
    ended = sub("cancel", "Cancel all jobs of an analysis that wait or run elsewhere; finished runs stay.", cancel)
    ended.add_argument("file", type=Path, metavar="FILE.bayescope")
