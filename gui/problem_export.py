"""The declaration of an analysis as a problem file (JSON): for a colleague, for a script, for ``bayescope new``."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from bayescope.engine.problem.errors import ProblemError
from bayescope.gui import session_files
from bayescope.gui.session_controller import SessionController


def ask_and_export_problem(parent: QWidget, controller: SessionController) -> None:
    """The file dialog, then ``export_problem``."""
    start = controller.folder / f"{session_files.safe_stem(controller.title)}.json"
    chosen, _ = QFileDialog.getSaveFileName(parent, "Export problem file", str(start), "Problem files (*.json)")
    if chosen:
        path = Path(chosen)
        export_problem(controller, path if path.suffix.lower() == ".json" else path.with_name(path.name + ".json"))


def export_problem(controller: SessionController, path: Path) -> bool:
    """Write the declaration to ``path``, relative paths from there. False, with a report, if it cannot be written."""
    from bayescope.engine.problem import files
    from bayescope.engine.problem.relocate import relocate

    try:
        files.save(relocate(controller.problem, controller.folder, path.absolute().parent), path)
    except ProblemError as error:
        controller.report("error", error.what, error.where, error.suggestion)
        return False
    controller.report(
        "info",
        f"The problem file was written to {path}.",
        suggestion="bayescope new makes a session of it in a terminal.",
    )
    return True
