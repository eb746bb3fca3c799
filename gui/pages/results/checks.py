"""Why trust this: every check of the answer, the runs that tested it, and other methods if asked."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine import protocol
from bayescope.engine.answer.checks import AnswerChecks, Check, answer_checks
from bayescope.engine.answer.other_methods import OtherMethod
from bayescope.engine.answer.unseen import Claim
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.results.standing import note_checks
from bayescope.gui.plots.fresh_runs import FreshRunsPlot
from bayescope.gui.widgets.folding import FoldingRow
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.scrolling import VerticalScroll
from bayescope.gui.widgets.tables import TableView

PLOT_HEIGHT = 300  # pixels
SAID = {"good": "✓ passed", "poor": "✗ not passed", "missing": "not made"}
NOTHING = "says nothing"  # of another method that does not hold here


class ChecksTab(QWidget):
    """``show_answer``: None empties it. ``asked``: all other methods are wanted."""

    asked = Signal()

    def __init__(self, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run = run
        self.shown: AnswerChecks | None = None
        self._answer: Answer | None = None
        self._claim: Claim | None = None
        self._others: dict[str, OtherMethod] = {}
        run.unrecorded.baseline_ready.connect(self._other_ready)
        self.verdict = Notice()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self._fit)
        self.rows = RecordsModel[Check](check_columns(), None, self)
        self.table = TableView("Checks of the answer", self.rows)
        self.table.set_widths(28, 15, 14, 60, stretch=(3,))
        self.table.setWordWrap(True)
        header = self.table.horizontalHeader()
        header.sectionResized.connect(lambda *_: self._later.start())  # once its columns have their widths
        self.ask = QPushButton("Ask other methods")
        self.ask.setToolTip(
            "Laplace, MCMC, stacked chains, WSABI and particle flow on the same runs; no simulator run is made. "
            "Takes about a minute."
        )
        self.ask.clicked.connect(self.asked)
        self.working = label("", "hint")
        self.plot = FreshRunsPlot()
        self.plot.setMinimumHeight(PLOT_HEIGHT)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        box.addWidget(self.verdict)
        box.addWidget(FoldingRow(self.working, self.ask))
        box.addWidget(self.table)
        box.addWidget(
            label(
                "Checks can show that an answer is wrong, never that it is right: what nobody looked at stays unseen.",
                "hint", wrap=True,
            )
        )
        box.addWidget(self.plot)
        box.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))
        self.show_answer(None)

    def show_answer(self, answer: Answer | None, claim: Claim | None = None, others: Sequence[OtherMethod] = ()) -> None:
        """``others``: methods that were asked before."""
        self._answer, self._claim = answer, claim
        known = {**{o.method: o for o in others}, **self._others}
        self._others = {} if answer is None else {m: o for m, o in known.items() if o.iteration == answer.iteration}
        self._show()

    def _other_ready(self, found: protocol.BaselineReady) -> None:
        import msgspec

        with contextlib.suppress(msgspec.MsgspecError):  # of another version: it is shown under Compare alone
            made = msgspec.json.decode(found.record_json, type=OtherMethod)
            if self._answer is not None and made.iteration == self._answer.iteration:
                self._others[made.method] = made
                self._show()

    def _show(self) -> None:
        self.shown = found = None if self._answer is None else self._checks(self._answer)
        self.rows.set_rows(() if found is None else found.checks)
        self._later.start()
        if found is None:
            self.verdict.say("info", "")
            self.plot.show_runs(None)
        else:
            if self._answer is not None:
                note_checks(self._run.data, self._answer, found)
            self.verdict.say("ok" if found.good else "warning", found.words)
            self.plot.show_runs(found.fresh, found.of("fresh").words)

    def _checks(self, answer: Answer) -> AnswerChecks:
        t = answer.trace
        return answer_checks(
            t.converged, t.log_evidence, t.log_evidence_sd, answer.agreement, answer.diagnostics, answer.slices, self._claim,
            tuple(self._others.values()), t.n_evaluations,
        )  # fmt: skip

    def say_working(self, words: str) -> None:
        """What is being computed; '' when nothing is."""
        self.working.setText(words)
        self.ask.setEnabled(not words)

    def _fit(self) -> None:
        """Sentences take as many lines as they need."""
        self.table.resizeRowsToContents()
        rows = sum(self.table.rowHeight(r) for r in range(self.rows.rowCount()))
        self.table.setFixedHeight(rows + self.table.horizontalHeader().sizeHint().height() + 8)


def check_columns() -> tuple[Column[Check], ...]:
    return (
        Column("title", "Check", "", lambda c: c.title),
        Column("level", "Outcome", "", lambda c: NOTHING if c.asked and c.level == "missing" else SAID[c.level]),
        Column("figure", "Figure", "", lambda c: c.figure.replace("-", "−"), numeric=True),
        Column("words", "In words", "", lambda c: c.words, lines=True),
    )
