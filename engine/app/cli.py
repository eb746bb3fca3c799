"""The headless commands. Imports at the top are light: ``--help`` and ``--engine`` must not wait for torch or numpy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .exit_status import FAILED, INTERRUPTED, OK, USAGE, Failure
from .terminal import warn

TRY_OPTION = "--try-torch"  # FOLDER: as cuda/trial.py starts this program
READ_OPTION = "--read-table"  # FILE [TABLE]: as archive/apart.py does


def main(argv: Sequence[str] | None = None, report_pdf: Callable[..., None] | None = None) -> int:
    """Run one command; the exit status. Errors are sentences on stderr, never a traceback.

    ``report_pdf(store, path, replace=...)`` writes a report as PDF: what it takes is the window's.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] == ["--engine"]:
        from .worker import main as engine

        return engine()
    if given[:1] == ["--guard-simulators"]:
        from ..session.orphans import guard

        guard()
        return OK
    if given[:1] == ["--confine"]:
        from ..simulator.landlock import main as confine

        confine(given[1:])
    if given[:1] == [TRY_OPTION]:
        from .try_torch import main as try_torch

        return try_torch(given[1])
    if given[:1] == [READ_OPTION]:
        from ..archive.apart import main as read_apart

        return read_apart(Path(given[1]), given[2] if len(given) > 2 else None)
    from .command_line import command_parser

    parser = command_parser()
    try:
        arguments = parser.parse_args(given)
    except SystemExit as end:  # argparse has said why
        return USAGE if end.code else OK
    if getattr(arguments, "work", None) is None:
        parser.print_help()
        return OK
    arguments.report_pdf = report_pdf
    return _guarded(arguments.work, arguments)


def _guarded(work: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    from ..cuda.first_import import use_cuda_build
    from ..problem.errors import ProblemError, SetupError
    from ..session.errors import SessionError

    use_cuda_build(warn)
    try:
        return work(arguments)
    except (Failure, SessionError, ProblemError, SetupError) as error:
        warn(f"bayescope: {error}")
        return FAILED
    except KeyboardInterrupt:
        warn("bayescope: interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except Exception as error:
        warn(f"bayescope: something unexpected went wrong ({type(error).__name__}: {error}). Details: {_log_fault()}")
        return FAILED


def _log_fault() -> str:
    """Write the traceback to the log folder; where it is, in words."""
    import time
    import traceback

    from ..session.places import logs_folder

    path = logs_folder() / "command.log"
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {sys.argv[1:]}\n{traceback.format_exc()}\n")
    except OSError:
        return "they could not be written to the log folder."
    return f"{path}."
