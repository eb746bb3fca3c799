"""A button beside what runs hold fast but that may change with them kept: arguments, standard input, variables, fixed files."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.run_controls import ask_what_change_means
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import FieldNotice

KEPT_HERE = "The runs are kept, and further ones are made as it stands here then."
KEPT_CHECK = "Whether they come out as before: Run page, Runs, Run some again…"


class AfterRuns(QWidget):
    """``what`` is asked about: “the arguments”, as ``they_are``. ``allowed``: it may be changed now, in a copy or here."""

    allowed = Signal()

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, what: str, they_are: str = "they are",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self._now = f"{what} as {they_are}"
        self.button = QPushButton(f"Change {what}…")
        self.button.setToolTip("Runs were made like this: what a change means for these is asked first.")
        self.button.clicked.connect(self._ask)
        self.kept = FieldNotice()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(beside(self.button, 1))
        box.addWidget(self.kept)
        self.refresh()

    def refresh(self) -> None:
        free = self.problem.texts_free
        self.button.setVisible(self.problem.locked and self.problem.may_free_texts and not free)
        self.kept.say("info", f"{KEPT_HERE} {KEPT_CHECK}" if self.problem.locked and free else "")
        self.setVisible(self.problem.locked and (self.problem.may_free_texts or free))

    def _ask(self) -> None:
        title = self.button.text().replace("…", "")
        if ask_what_change_means(self, self.problem, self.file, self.run, self._now, title):
            self.allowed.emit()
