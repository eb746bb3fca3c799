"""An argument that names the original of an input file, and the button that gives the program the run's own copy."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.definition import Simulator
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.files.original_files import originals, with_copies
from bayescope.gui.widgets.notices import Notice

BUTTON = "Use the run's copy"


class OriginalNotice(Notice):
    """In the Program tab, below the arguments."""

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file = problem, file
        self.pressed.connect(lambda: use_copies(problem, file))

    def refresh(self) -> None:
        words = original_words(self.problem.declared.simulator, self.file)
        if not words or self.problem.locked:
            self.clear()
            return
        self.say("warning", words, "The parameters are put into the run's own copy.", BUTTON)


def original_words(simulator: Simulator, file: AnalysisFile) -> str:
    """That the program would read a file without parameters; empty if it would not."""
    found = originals(simulator, file.folder)
    if not found:
        return ""
    return f"“{one_line(next(iter(found)), 60)}” names the original file: parameters do not reach it."


def use_copies(problem: DeclaredProblem, file: AnalysisFile) -> bool:
    return problem.edit("Use the run's copy", simulator=with_copies(problem.declared.simulator, file.folder))
