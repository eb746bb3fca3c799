"""``bayescope new``: a session from a problem file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_status import OK, Failure
from .terminal import say, warn

if TYPE_CHECKING:
    from ..problem.definition import Problem


def new(arguments: argparse.Namespace) -> int:
    import json

    from ..problem import files
    from ..problem.checks import validate
    from ..session.store import SUFFIX, SessionStore

    if arguments.schema:
        say(json.dumps(files.schema(), indent=2))
        return OK
    if arguments.problem is None or arguments.file is None:
        raise Failure(f"give a problem file and the session to make: bayescope new PROBLEM.json NAME{SUFFIX}")
    problem = files.load(arguments.problem)
    findings = validate.check(problem, arguments.problem.parent)
    for finding in findings:
        warn(f"{finding.level} in {finding.where}: {finding.message} {finding.suggestion}".rstrip())
    if any(finding.level == "error" for finding in findings):
        raise Failure("no session was made; correct the errors above first.")
    if arguments.file.absolute().parent != arguments.problem.absolute().parent:
        from ..problem.relocate import relocate

        problem = relocate(problem, arguments.problem.absolute().parent, arguments.file.absolute().parent)
    own = _is_own(problem, arguments.file.absolute().parent, arguments.trust, files.is_foreign(arguments.problem))
    with SessionStore.create(arguments.file, problem, own=own):
        say_next(arguments.file)
    return OK


def _is_own(problem: Problem, folder: Path, trust: bool, foreign: bool) -> bool:
    """Whether the user, who sees what it will run, says that a problem file is theirs: anybody may have written it."""
    from ..session.trust.sheet import trust_sheet
    from ..session.trust.what_runs import what_runs

    sheet = trust_sheet(problem.simulator, folder, what_runs(problem.simulator, folder), None)
    say("What its runs start, read and are given:", *sheet.lines()[1:], "")
    asked_later = "You are asked before the first run."
    if foreign:
        say(f"It was exported from an analysis that came from somebody else. {asked_later}")
        return False
    if trust:
        return True
    if sys.stdin.isatty() and input("Is this your own problem file? [y/N] ").strip().lower() in ("y", "yes"):
        return True
    say(f"It is taken for somebody else's. {asked_later} (If it is yours: bayescope new --trust)")
    return False


def say_next(path: Path) -> None:
    from ..problem.command_text import command_text

    say(f"Made {path}. Next: {command_text(['bayescope', 'run', path])}")
