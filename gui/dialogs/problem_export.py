"""The declaration of an analysis as a problem file (JSON): for a colleague, for a script, for ``bayescope new``."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.session.errors import SessionError
from bayescope.gui.analysis import session_files
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.file_questions import ask


def ask_and_export_problem(parent: QWidget, problem: DeclaredProblem, file: AnalysisFile) -> None:
    """The file dialog, then ``export_problem``."""
    proposed = file.place / f"{session_files.safe_stem(file.title)}.json"
    path = ask.target(parent, "Export problem file", proposed, "Problem files (*.json)", [".json"])
    if path is not None:
        export_problem(problem, file, path)


def export_problem(problem: DeclaredProblem, file: AnalysisFile, path: Path) -> bool:
    """Write the declaration to ``path``, relative paths from there. False, with a report, if it cannot be written."""
    from bayescope.engine.report.export import export_problem as write

    try:
        write(problem.declared, file.folder, path, foreign=file.foreign, replace=True)
    except (ProblemError, SessionError) as error:
        file.reports.report("error", error.what, error.where, error.suggestion)
        return False
    file.reports.report(
        "info",
        f"The problem file was written to {path}.",
        suggestion="bayescope new makes a session of it in a terminal.",
    )
    return True
