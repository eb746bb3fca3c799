"""Values far off their neighbours: which, what the runs right beside them showed, and "Try these again"."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.failures.far_off import FarOff, notes
from bayescope.engine.answer.failures.set_aside import PLANNED
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import RunData
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.notices import label

AGAIN = "Try these again"
AGAIN_TIP = "Makes the runs that are left out anew, with the same values, and no others; then the analysis goes on"


class FarOffPart(QWidget):
    """Below the list of runs, where values are or were in doubt."""

    listed = Signal()  # those runs alone are to be listed

    def __init__(self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self.found = FarOff.of({})
        self.words = label(role="hint", wrap=True)
        self.show_them = QPushButton("List them")
        self.show_them.setToolTip("Lists these runs alone, each with what was found out about it")
        self.show_them.clicked.connect(self.listed)
        self.again = QPushButton(AGAIN)
        self.again.setToolTip(AGAIN_TIP)
        self.again.setAccessibleName(f"{AGAIN}: values left out")
        self.again.clicked.connect(lambda: self.run.start(again=self.found.with_fate("left out")))
        buttons = QWidget()
        line = QHBoxLayout(buttons)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(6)
        for button in (self.show_them, self.again):
            line.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(FoldingRow(self.words, buttons))
        run.state_changed.connect(lambda *_: self._enable())
        self.hide()

    def refresh(self, data: RunData) -> None:
        self.found = data.far_off
        self.words.setText(" ".join(notes(self.found, len(data.evaluations))))
        self.setVisible(len(self.found.index) > 0)
        self._enable()

    def _enable(self) -> None:
        """Nothing is made again under a run's feet."""
        planned = self.problem.declared.settings.method in PLANNED
        free = not self.run.active and not self.file.read_only and not planned
        self.again.setVisible(bool(self.found.with_fate("left out")))
        self.again.setEnabled(free)
