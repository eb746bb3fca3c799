"""Results page: the verdict, the posterior in numbers and figures, comparisons, exports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from bayescope.engine.problem.definition import free_parameters
from bayescope.gui import words
from bayescope.gui.models.comparison import Compared
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import RecordsModel
from bayescope.gui.models.summary import (
    CorrelationModel,
    SummaryRow,
    evidence_words,
    strongest_words,
    summary_columns,
    summary_rows,
    title_of,
    verdict,
)
from bayescope.gui.pages.page import Page, Status
from bayescope.gui.pages.results_compare import CompareTab
from bayescope.gui.pages.results_export import ExportTab
from bayescope.gui.plots.curves import PosteriorCurves, compute
from bayescope.gui.plots.marginals import MarginalsPlot
from bayescope.gui.plots.reader import CurveReader
from bayescope.gui.run_data import Answer
from bayescope.gui.session_controller import SessionController
from bayescope.gui.widgets.fitting import VerticalScroll
from bayescope.gui.widgets.notices import Empty, label
from bayescope.gui.widgets.reasons import VerdictBanner
from bayescope.gui.widgets.tables import TableView

SETTLE_MS = 400
NAME_MARGIN = 18  # pixels beside the words of a cell
CURVES_HEIGHT = 230  # least, of the plots below the table: their axes keep their names


@dataclass(frozen=True, eq=False)
class Computed:
    """What the page shows of one answer; computed off the window's thread."""

    answer: Answer
    names: tuple[str, ...]
    rows: tuple[SummaryRow, ...]
    correlation: Any  # (D, D)
    curves: PosteriorCurves
    current: Compared


class ResultsPage(Page):
    step = "results"
    title = "Results"
    purpose = "What the data say about each parameter, how sure that is, and how to take it with you."
    help_page = "results"
    page_requested = Signal(str)

    def __init__(self, controller: SessionController, parent: QWidget | None = None) -> None:
        super().__init__(controller, parent)
        self.banner = VerdictBanner()
        self.tabs = QTabWidget()
        self.reader = CurveReader(self)
        self.reader.loaded.connect(self._computed)
        self.reader.failed.connect(lambda text: self.banner.say("error", text))
        self._asked: Answer | None = None
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._compute)
        self.empty = Empty("No answer yet", "", "Go to the Run page")
        self.empty.pressed.connect(lambda: self.page_requested.emit("run"))
        self.summary = RecordsModel[SummaryRow](summary_columns(), None, self)
        self.summary_table = TableView("Summary of the posterior", self.summary)
        self.summary_table.setWordWrap(True)
        self.summary_table.verticalHeader().setMinimumSectionSize(
            self.summary_table.verticalHeader().defaultSectionSize()
        )
        self.computing = label("The summary is being computed…", "hint")
        self.summary_table.hide()
        self._fit_rows = QTimer(self, singleShot=True, interval=0)
        self._fit_rows.timeout.connect(self._fit_summary)
        self._fit_all = QTimer(self, singleShot=True, interval=0)
        self._fit_all.timeout.connect(self._fit_columns)
        self.summary_table.horizontalHeader().sectionResized.connect(lambda *_: self._fit_rows.start())
        self.summary_table.resized.connect(self._fit_all.start)
        self.summary_table.set_widths(34, 8, 8, 8, 20, 20, 20, 20)
        self.evidence = label("", "value")
        self.evidence_hint = label("", "hint", wrap=True)
        self.compare_button = QPushButton("Compare with Laplace and MCMC")
        self.compare_button.setToolTip("What other methods make of the same runs; no simulator run is made.")
        self.compare_button.clicked.connect(self._compare)
        self.fixed = label("", "hint", wrap=True)
        self.marginals = MarginalsPlot()
        self.marginals.problem.connect(controller.reported)
        self.correlations = CorrelationModel(self)
        self.correlation_table = TableView("Correlations of the parameters", self.correlations, numbers=True)
        self.correlation_table.setAlternatingRowColors(False)
        self.correlation_table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.correlation_table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignCenter)
        self.strongest = label(wrap=True)
        self.compare = CompareTab(controller)
        self.exporter = ExportTab(controller)
        self.exporter.figures_asked.connect(lambda: self.tabs.setCurrentIndex(0))
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName("Parts of the results")
        for part, title, page in (
            (self._summary_part(), "&1  Summary", "results"),
            (self._correlation_part(), "&2  Correlations", "results"),
            (self.compare, "&3  Compare", "comparison"),
            (self.exporter, "&4  Export", "export"),
        ):
            part.setProperty("help", page)
            self.tabs.addTab(part, title)
        content = QWidget()
        box = QVBoxLayout(content)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(10)
        box.addWidget(self.banner)
        box.addWidget(self.tabs, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.empty)
        self.stack.addWidget(content)
        self.add(self.stack, 1)
        self.tabs.currentChanged.connect(lambda _: self.refresh())
        controller.answer_changed.connect(self.refresh)
        controller.evaluations_changed.connect(self.exporter.refresh)
        self.follow()

    def _summary_part(self) -> QWidget:
        part, side = QWidget(), QHBoxLayout()
        side.setSpacing(16)
        side.addWidget(self.evidence)
        side.addWidget(self.evidence_hint, 1)
        side.addWidget(self.compare_button)
        numbers = QWidget()
        box = QVBoxLayout(numbers)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(self.computing, 1, Qt.AlignmentFlag.AlignTop)
        box.addWidget(self.summary_table, 1)
        box.addWidget(self.fixed)
        evidence = QWidget()
        evidence.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        box.addWidget(evidence)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(numbers)
        split.addWidget(self.marginals)
        split.setSizes([215, 330])
        split.setStretchFactor(0, 0)
        split.setStretchFactor(1, 1)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        outer = QVBoxLayout(part)
        outer.setContentsMargins(0, 12, 0, 0)
        self.marginals.setMinimumHeight(CURVES_HEIGHT)
        outer.addWidget(VerticalScroll(split))
        return part

    def _correlation_part(self) -> QWidget:
        part = QWidget()
        box = QVBoxLayout(part)
        box.setContentsMargins(0, 12, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                "Near +1: the data cannot tell whether both are larger or both smaller. Near −1: one can make up for the other. "
                "Near 0: each is known by itself. Blue: positive, orange: negative.",
                "hint",
                wrap=True,
            )
        )
        box.addWidget(self.strongest)
        box.addWidget(self.correlation_table, 1)
        box.addStretch(0)
        return part

    # -------------------------------------------------------------- shown

    def _changed(self) -> None:
        """Results are there to be read: no banner about what is locked."""
        self.refresh()
        self.announce()

    def status(self) -> Status:
        if self.controller.data.answer is None:
            return (
                "locked",
                "appears when the first runs have ended" if self.controller.active else "run the analysis first",
            )
        point = self.controller.data.answer.trace
        return ("done", "converged") if point.converged else ("todo", "preliminary: not converged yet")

    def refresh(self) -> None:
        answer = self.controller.data.answer
        self.exporter.refresh()
        if answer is None:
            self._asked = None
            self.stack.setCurrentIndex(0)
            active = self.controller.active
            self.empty.say(
                "No answer yet",
                "The first answer appears here when the first simulator runs have ended."
                if active
                else "Run the analysis; its results appear here and can be looked at while it is still running.",
                "Go to the Run page",
            )
            self.compare.set_current(None)
            return
        self.stack.setCurrentIndex(1)
        point = answer.trace
        level, said, reasons = verdict(point, point.n_evaluations)
        self.banner.say(level, said, reasons)  # type: ignore[arg-type]
        self.evidence.setText(f"Log evidence  {evidence_words(point.log_evidence, point.log_evidence_sd)}")
        self.evidence_hint.setText(
            "ln of the probability of the data under this model, averaged over the prior. Only comparisons of it mean something."
        )
        fixed = [p for p in self.controller.problem.parameters if p.fixed is not None]
        self.fixed.setText(
            "Fixed: " + ", ".join(f"{one_line(p.label or p.name, 40)} = {words.number(p.fixed, 6)}" for p in fixed[:20])
            if fixed
            else ""
        )
        self.fixed.setVisible(bool(fixed))
        if self.isVisible() and not self._timer.isActive():
            self._timer.start(SETTLE_MS if self._asked else 0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _compute(self) -> None:
        answer, space = self.controller.data.answer, self.controller.space
        problem, path = self.controller.problem, self.controller.path
        if answer is None or space is None or not self.isVisible():
            return
        if answer is self._asked:
            return
        self._asked = answer
        self.marginals.show_problem(free_parameters(problem))
        title = self.controller.title

        def fetch() -> Computed:
            from bayescope.gui.posteriors import posterior_of

            posterior = posterior_of(space, answer)
            point = answer.trace
            current = Compared(
                f"{title} (this one)", path, problem, posterior,
                point.log_evidence, point.log_evidence_sd, point.n_evaluations, point.converged,
                method=problem.settings.method,
            )  # fmt: skip
            rows = summary_rows(posterior, problem.parameters)
            return Computed(
                answer,
                tuple(posterior.names),
                rows,
                posterior.correlation(),
                compute(posterior, answer.iteration, False),
                current,
            )

        self.reader.load(fetch)

    def _computed(self, found: object) -> None:
        if not isinstance(found, Computed) or found.answer is not self._asked:
            return
        self.summary.set_rows(found.rows)
        self.computing.hide()
        self.summary_table.show()
        self._fit_all.start()
        self._fit_rows.start()
        names = [r.label or r.name for r in found.rows]
        self.correlations.set_values(names, found.correlation)
        self.strongest.setText(strongest_words(names, found.correlation))
        self._fit_correlations(len(names))
        self.marginals.update_curves(found.curves)
        self.compare.set_current(found.current)
        answer = self.controller.data.answer
        if answer is not None and answer is not found.answer:
            self._timer.start()

    def _fit_summary(self) -> None:
        """A region of several parts takes a second line; no empty space below the last row."""
        table = self.summary_table
        table.resizeRowsToContents()
        for r, row in enumerate(self.summary.rows):
            longest = table.fontMetrics().horizontalAdvance(title_of(row))
            if longest > table.columnWidth(0) - NAME_MARGIN:  # Qt counts with less room around the words than there is
                table.setRowHeight(r, max(table.rowHeight(r), 2 * table.fontMetrics().lineSpacing() + 6))
            if table.rowHeight(r) > 1.5 * table.verticalHeader().defaultSectionSize():
                table.setRowHeight(r, table.rowHeight(r) + 8)  # several lines keep clear of the rows beside them
        heights = [table.rowHeight(r) for r in range(self.summary.rowCount())]
        frame = table.horizontalHeader().height() + 8
        table.setMinimumHeight(min(sum(heights[:5]), 190) + frame)
        table.setMaximumHeight(sum(heights) + frame)

    def _fit_columns(self) -> None:
        """Every number whole; what room is left goes to the intervals. Where there is too little, the name gives way first."""
        table = self.summary_table
        columns = range(1, self.summary.columnCount())
        table.fit_headings()
        wanted = [max(table.sizeHintForColumn(c) + 10, table.heading_width(c)) for c in columns]
        room = table.viewport().width() - sum(wanted)
        name = min(max(table.sizeHintForColumn(0) + 12, 120), max(room, 120), max(round(0.34 * table.width()), 120))
        spare = max(room - name, 0) // max(len(columns) - 3, 1)
        table.setColumnWidth(0, name)
        for column, width in zip(columns, wanted, strict=True):
            table.setColumnWidth(column, width + (spare if column > 3 else 0))

    def _fit_correlations(self, n: int) -> None:
        """A few parameters: large even cells; many: as many as fit, the rest is scrolled to."""
        table, few = self.correlation_table, n <= 8
        mode = QHeaderView.ResizeMode.Stretch if few else QHeaderView.ResizeMode.Interactive
        table.horizontalHeader().setSectionResizeMode(mode)
        height = 40 if few else table.fontMetrics().height() + 12
        table.verticalHeader().setDefaultSectionSize(height)
        table.setMaximumHeight(n * height + table.horizontalHeader().sizeHint().height() + 4 if few else 16_777_215)

    def _compare(self) -> None:
        self.tabs.setCurrentWidget(self.compare)
        self.compare.compare_with(("laplace", "mcmc"))

    def release(self) -> None:
        """The window closes: no more computing."""
        self._timer.stop()
        self._fit_rows.stop()
        self._fit_all.stop()
        self.reader.release()
