"""Entry point of ``bayescope``: no command opens the window; commands go to the engine before Qt is imported."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bayescope.engine.session.orphans import GUARD_OPTION, guard

if TYPE_CHECKING:
    from pathlib import Path

    from bayescope.engine.session.store import SessionStore

# Objects, then collections of the generation before: what a start imports stays (250,000 objects with torch; a sixth of its time
# went into looking through them), and arrays are freed without
COLLECT_AFTER = (10_000, 10, 10)
_HELP = {"-h", "--help", "--version", "-V"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status. An argument that is a file opens the window on it; anything else is a command."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    gc.set_threshold(*COLLECT_AFTER)  # in the window, GarbageTimer collects
    if given == [GUARD_OPTION]:
        guard()
        return 0
    _find_temporary_folder()
    if _is_command(given):
        from bayescope.engine.app.cli import main as run_command

        return int(run_command(given, _report_pdf) or 0)
    from bayescope.gui.window.app import open_window

    return open_window(given)


def _find_temporary_folder() -> None:
    from bayescope.engine.machine.temporary import system_folder, use_own_where_needed

    if not system_folder():
        from bayescope.engine.session.places import home

        use_own_where_needed(home() / "temporary")


def _report_pdf(store: SessionStore, path: Path, *, replace: bool) -> None:
    from bayescope.engine.report.plot_cache import settle

    settle()
    from bayescope.gui.plots.report_pdf import export_report_pdf

    export_report_pdf(store, path, replace=replace)


def _is_command(given: Sequence[str]) -> bool:
    """True for ``run``, ``export``, ``--engine`` and all other words that are neither a window option nor a file."""
    if not given:
        return False
    first = given[0]
    if first in _HELP or first == "--engine":
        return True
    if first.startswith("-"):
        return first not in {"--open-example", "--check-installation", "--theme", "-platform", "--platform", "-style"}
    return not _looks_like_file(first)


def _looks_like_file(text: str) -> bool:
    from pathlib import Path

    return text.lower().endswith((".bayescope", ".json")) or Path(text).is_file()


if __name__ == "__main__":
    sys.exit(main())
