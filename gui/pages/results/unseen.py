"""What the analysis could have missed: the sentence, its plot, and more runs that look further."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.unseen import Claim
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.dialogs.run_controls import may_have_more
from bayescope.gui.plots.unseen import UnseenPlot
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import Part

LOOKS_FURTHER = "default"  # the method that looks for other modes with runs added after it has converged


class UnseenTab(Part):
    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self.claim: Claim | None = None
        self.words = label(wrap=True)
        self.gain = label("", "hint", wrap=True)
        self.further = QPushButton("Look further")
        self.further.setToolTip("Allow more runs, which look where most of the modes that may be left would show")
        self.further.clicked.connect(self._look_further)
        self.plot = UnseenPlot()
        note = label(
            "Of modes with the shape of a normal distribution, anywhere in the plausible ranges. A run that came out lower than "
            "such a mode would have made it rules that mode out.",
            "hint",
            wrap=True,
        )
        row = QHBoxLayout()
        row.addWidget(self.gain, 1)
        row.addWidget(self.further)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(8)
        for widget in (self.words, note):
            box.addWidget(widget)
        box.addLayout(row)
        box.addWidget(self.plot, 1)
        self.show_claim(None)

    def show_claim(self, claim: Claim | None) -> None:
        self.claim = claim
        self.words.setText("" if claim is None else claim.words)
        self.plot.show_claim(claim)
        self.refresh()

    def refresh(self) -> None:
        further = None if self.claim is None else self.claim.further
        offered = (
            further is not None and self._looks_further() and not self.run.active and may_have_more(self.run, self.file)
        )
        self.gain.setText(further.words if further is not None and offered else "")
        self.further.setVisible(offered)

    def _looks_further(self) -> bool:
        trace = self.run.data.trace
        return bool(trace) and trace[-1].converged and self.problem.declared.settings.method == LOOKS_FURTHER

    def _look_further(self) -> None:
        if self.claim is not None and self.claim.further is not None:
            self.run.extend(self.run.n_runs + self.claim.further.runs)
