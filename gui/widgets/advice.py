"""What the verdict advises, as buttons beside it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from bayescope.engine.answer.suggested_ranges import suggested_ranges
from bayescope.engine.answer.words import actions
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.next_step import confirm_words
from bayescope.gui.dialogs.closing import may_leave
from bayescope.gui.dialogs.run_controls import (
    ask_for_more,
    confirm,
    go_on_to_posterior,
    proposed_in_all,
    use_ranges,
)
from bayescope.gui.models.data.errors.own_scatter import OWN_ERROR, with_seed_and_error
from bayescope.gui.models.plain import one_line
from bayescope.gui.style.words import number

MORE = "+ More runs…"
SHOWN = 8  # ranges named in a tip


class AdviceButtons(QWidget):
    """+ More runs, Use suggested ranges, Go on to the posterior: those that the newest answer advises. Their height is kept."""

    copied = Signal()  # a copy with the suggested ranges is shown

    def __init__(
        self,
        problem: DeclaredProblem,
        file: AnalysisFile,
        run: AnalysisRun,
        parent: QWidget | None = None,
        *,
        more: bool = True,
    ) -> None:
        """``more``: whether the button for more runs is shown here (elsewhere it stands in the same card already)."""
        super().__init__(parent)
        self.problem, self.file, self.run, self._more_here = problem, file, run, more
        self.more = QPushButton(MORE, self)
        self.more.setToolTip("Allow more simulator runs")
        self.ranges = QPushButton("Use suggested ranges", self)
        self.posterior = QPushButton("Go on to the posterior", self)
        self.posterior.setToolTip("More runs, after those there are, until the posterior is known too")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for button in (self.more, self.ranges, self.posterior) if more else (self.ranges, self.posterior):
            row.addWidget(button)
        if not more:
            self.ranges.setProperty("kind", "link")  # as high as the line of words it ends
            self.posterior.setProperty("kind", "link")
        self._keep_height()
        self.more.hide()
        self.ranges.hide()
        self.posterior.hide()
        self.own_error = QPushButton("Copy with its own error", self)
        self.own_error.setToolTip("Open a copy without runs: the seed marked where one is seen, the statistical error ticked.")
        if not more:
            self.own_error.setProperty("kind", "link")
        row.addWidget(self.own_error)
        self.own_error.hide()
        self.own_error.clicked.connect(self._say_own_error)
        self.posterior.clicked.connect(lambda: go_on_to_posterior(self.window(), problem, run))
        self.more.clicked.connect(self._make_more)
        self._confirms = ""
        self.ranges.clicked.connect(self._use)
        self._of: object = None
        self._suggested: dict[str, tuple[float, float]] = {}

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.layout() is not None:
            self._keep_height()

    def _keep_height(self) -> None:
        self.ranges.ensurePolished()
        self.setMinimumHeight(self.ranges.sizeHint().height())

    def refresh(self) -> None:
        answer = self.run.data.answer
        advised: tuple[str, ...] = ()
        if self.run.active:
            self._dress("")
        if answer is not None and not self.run.active:
            if answer is not self._of:
                self._of, self._suggested = answer, self._ranges()
                self.ranges.setToolTip(_tip(self._suggested))
            t, budget = answer.trace, self.run.budget
            self._dress(confirm_words(self.run))
            advised = actions(t.converged, self.run.n_runs, budget, answer.diagnostics, bool(self._suggested))
        if self._more_here:
            self.more.setVisible(("more_runs" in advised or bool(self._confirms)) and not self.file.read_only)
        self.ranges.setVisible("use_ranges" in advised)
        self.posterior.setVisible("posterior" in advised and not self.file.read_only)
        self.own_error.setVisible("own_error" in advised)

    def _dress(self, confirms: str) -> None:
        """``confirms``: what the button says where new runs would confirm the answer."""
        self._confirms = confirms
        added = proposed_in_all(self.run) - self.run.n_runs
        self.more.setText(confirms or f"{MORE.removesuffix('…')} ({added})…")
        self.more.setToolTip("Allow more simulator runs" if confirms else f"{added} are proposed; you say how many")

    def _make_more(self) -> None:
        if self._confirms:
            confirm(self.run)
        else:
            ask_for_more(self.window(), self.run)

    def _ranges(self) -> dict[str, tuple[float, float]]:
        space = self.problem.space
        try:
            posterior = self.run.posterior()
            return {} if space is None or posterior is None else suggested_ranges(space, posterior)
        except (ValueError, ArithmeticError):
            return {}  # a damaged file's numbers; the pages that draw them say so

    def _say_own_error(self) -> None:
        if may_leave(self, self.file, self.run) and self.file.duplicate():
            said = with_seed_and_error(self.problem.declared)
            if said is not None:
                self.problem.replace(said, OWN_ERROR)
            self.copied.emit()

    def _use(self) -> None:
        if use_ranges(self, self.file, self.run, self._suggested):
            self.copied.emit()


def _tip(ranges: dict[str, tuple[float, float]]) -> str:
    lines = [f"{one_line(name, 40)}: {number(a, 6)} to {number(b, 6)}" for name, (a, b) in list(ranges.items())[:SHOWN]]
    return "\n".join(["Open a copy without runs, with these plausible ranges; this analysis stays as it is.", *lines])
