"""Where more runs are needed for an answer from an archive alone, and a button that makes them."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.needed import NeededRuns
from bayescope.engine.problem.definition import free_parameters, with_names
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.analysis.run_data import Answer
from bayescope.gui.dialogs.run_controls import may_have_more
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.plots.needed_map import NeededMap
from bayescope.gui.style.words import number
from bayescope.gui.widgets.folding import FoldingSplitter
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import Part, VerticalScroll
from bayescope.gui.widgets.tables import TableView

DIGITS = 6
TABLE_WIDTH = 380  # least, beside the map
MAP_HEIGHT = 230  # least: its axes keep their names
Row = tuple[tuple[float, ...], float, float]  # values, sd, share left


class NeededTab(Part):
    """``shown`` None: the newest answer says nothing of it."""

    def __init__(
        self, problem: DeclaredProblem, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.problem, self.file, self.run = problem, file, run
        self.shown: NeededRuns | None = None
        self.words = label(wrap=True)
        self.words.setProperty("grow", True)
        self.make = QPushButton("Run these")
        self.make.setToolTip("Make these simulator runs, and no others; the answer takes them in")
        self.make.clicked.connect(self._make)
        self.rows = RecordsModel[Row](self._columns(()), None, self)
        self.table = TableView("Most needed next", self.rows, numbers=True)
        self.table.setMinimumWidth(TABLE_WIDTH)
        self.plot = NeededMap()
        self.plot.setMinimumHeight(MAP_HEIGHT)
        split = FoldingSplitter()
        split.addWidget(self.table)
        split.addWidget(self.plot)
        split.setStretchFactor(1, 1)
        split.setSizes([460, 660])
        split.setHandleWidth(12)
        inner = QWidget()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        box.addWidget(beside(self.words, self.make, spacing=16))
        box.addWidget(split, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))  # else all tabs would be as high as this one

    def show_answer(self, answer: Answer | None) -> None:
        """What it says of more runs."""
        space, free = self.problem.space, free_parameters(self.problem.declared)
        self.shown = None if answer is None or space is None else NeededRuns.of(answer.slices, len(free))
        if self.shown is not None and space is not None:
            places = space.to_user(self.shown.places)
            self.words.setText(self.shown.words())
            self.rows.columns = self._columns(tuple(one_line(p.label or p.name, 30) for p in with_names(free)))
            told = zip(places.tolist(), self.shown.sd.tolist(), self.shown.left.tolist(), strict=True)
            self.rows.set_rows([(tuple(at), sd, left) for at, sd, left in told])
            self.table.set_widths(*[12] * len(free), 9, 9)
            self.plot.show_needed(free, space.to_user(self.shown.draws), self.shown.unsure, places)
        self.refresh()

    def refresh(self) -> None:
        may = self.shown is not None and not self.run.active and may_have_more(self.run, self.file)
        self.make.setVisible(may)

    def _columns(self, names: tuple[str, ...]) -> tuple[Column[Row], ...]:
        def of(k: int) -> Column[Row]:
            return Column(f"p{k}", names[k], "", lambda row: number(row[0][k], DIGITS), numeric=True)

        return (
            *map(of, range(len(names))),
            Column("sd", "Open by", "Standard deviation of the log density there, as far as the archive tells.",
                   lambda row: number(row[1], 2), numeric=True),
            Column("left", "Leaves", "Of the variance of the log density over the answer, after this run and those above it.",
                   lambda row: f"{100.0 * row[2]:.0f} %", numeric=True),
        )  # fmt: skip

    def _make(self) -> None:
        if self.shown is None:
            return
        names = [p.name for p in free_parameters(self.problem.declared)]
        at = tuple(dict(zip(names, row[0], strict=True)) for row in self.rows.rows)
        self.run.start(self.run.n_runs + len(at), at=at)
