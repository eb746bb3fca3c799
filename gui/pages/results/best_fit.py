"""The best fit: the run of the highest log density, its values, its distance from the data, its curve over them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.answer.best_fit import BestFit, farthest_words
from bayescope.engine.answer.predictions.misfit import Misfit
from bayescope.engine.problem.definition import Parameter
from bayescope.engine.problem.numbers.shown_digits import raised
from bayescope.gui.analysis.analysis_file import AnalysisFile
from bayescope.gui.analysis.analysis_run import AnalysisRun
from bayescope.gui.dialogs.run_controls import may_have_more
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.results.summary import title_of
from bayescope.gui.plots.predictive import PredictivePlot
from bayescope.gui.style.words import true_minus
from bayescope.gui.widgets.folding import FoldingSplitter
from bayescope.gui.widgets.forms import beside
from bayescope.gui.widgets.notices import label
from bayescope.gui.widgets.scrolling import Part, VerticalScroll
from bayescope.gui.widgets.tables import TableView

MOST_ROWS = 8  # of a table seen at once; more are scrolled to
NAME_WORDS = 60
PLOT_HEIGHT = 230  # least: its axes keep their names
PEAK_COLUMN = 3  # of the values: absent where the method has no surrogate
VALUE_WIDTHS = (12, 20, 20, 20)  # average characters of the columns of values, where there is no more room
WIDEST = (7, 7, 7, 7, 30)  # average characters of the columns of misfits, where there is no more room
TABLES_WIDTH = 420  # least, of the tables beside the plot


class BestFitTab(QWidget):
    """``run_asked``: the run behind it is to be shown (its index)."""

    run_asked = Signal(int)

    def __init__(self, file: AnalysisFile, run: AnalysisRun, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file, self.run = file, run
        self.shown: BestFit | None = None
        self.words = label(wrap=True)
        self.show_run = QPushButton("Show this run")
        self.show_run.setToolTip("All that is known of it: values, outputs, what it printed")
        self.show_run.clicked.connect(self._ask_for_run)
        self.check_peak = QPushButton("Check the maximum with one run")
        self.check_peak.setToolTip("Make one simulator run at the surrogate's maximum, and no others; the answer takes it in")
        self.check_peak.clicked.connect(self._check)
        self.values = RecordsModel[Parameter](self._value_columns(), None, self)
        self.value_table = TableView("Parameters of the best run", self.values)
        self.value_table.resized.connect(self._share_room)
        self.misfits = RecordsModel[Misfit](_misfit_columns(self._name_of), None, self)
        self.misfit_table = TableView("How far the best run lies from the data", self.misfits)
        self.misfit_table.resized.connect(self._share_room)
        self.misfit_table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # columns often differ at their ends
        self.note = label("", "hint", wrap=True)
        self.plot = PredictivePlot(("Best run over the data", "line: the program in the best run; points: measured"))
        self.plot.setMinimumHeight(PLOT_HEIGHT)
        tables = Part()
        tables.setMinimumWidth(TABLES_WIDTH)
        column = QVBoxLayout(tables)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.value_table, self.note, self.misfit_table):
            column.addWidget(widget)
        column.addStretch(1)
        split = FoldingSplitter()
        split.addWidget(tables)
        split.addWidget(self.plot)
        split.setStretchFactor(0, 1)  # what the tables gave up in a small window they get back
        split.setStretchFactor(1, 2)
        split.setSizes([520, 600])
        split.setHandleWidth(12)
        inner = Part()
        box = QVBoxLayout(inner)
        box.setContentsMargins(0, 12, 6, 0)
        box.setSpacing(8)
        self.words.setProperty("grow", True)
        box.addWidget(beside(self.words, self.check_peak, self.show_run, spacing=16))
        box.addWidget(split, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(VerticalScroll(inner, yields=True))
        self.show_best(None)

    def _value_columns(self) -> tuple[Column[Parameter], ...]:
        return (
            Column("name", "Parameter", "", _title),
            Column("value", "Best run", "Its value in the best run made; the optimum is near it.", self._value, numeric=True),
            Column("sd", "Local sd", "Standard deviation of the normal as sharp as the posterior is at the best run, from the "
                   "curvature of the answer; “about”: the runs so far leave it open by more than 20 %.",
                   self._sd, numeric=True, empty="not known"),
            Column("peak", "Maximum", "The surrogate's: where its log density is highest; a run there may be better.",
                   self._peak, numeric=True),
        )  # fmt: skip

    def _value(self, p: Parameter) -> str:
        return "" if self.shown is None else true_minus(raised(self.shown.value_words(p)))

    def _sd(self, p: Parameter) -> str:
        return "" if self.shown is None else true_minus(raised(self.shown.sd_words(p)))

    def _peak(self, p: Parameter) -> str:
        return "" if self.shown is None else true_minus(raised(self.shown.peak_words(p)))

    def say_reading(self) -> None:
        """The runs are there, but not read yet."""
        if self.shown is None:
            self.words.setText("The runs are being read …")

    def show_best(self, found: BestFit | None) -> None:
        """None: no run gave a value."""
        self.shown = found
        self.show_run.setVisible(found is not None and not found.imported)
        self.refresh()
        self.words.setText("No run has given a value so far." if found is None else true_minus("\n".join(found.words)))
        self.values.set_rows(())  # the words of a row are of the newest best fit
        self.values.set_rows(() if found is None else found.parameters)
        self.value_table.setColumnHidden(PEAK_COLUMN, found is None or found.peak is None)
        self.misfits.set_rows(() if found is None else found.misfits)
        compared = found is not None and bool(found.misfits)
        self.misfit_table.setVisible(compared)
        self.plot.setVisible(compared)
        self.note.setText(
            "The sd is that of the peak alone, not of the posterior: see Summary." if found is not None and found.sds else ""
        )
        self.note.setVisible(bool(self.note.text()))
        if found is not None and compared:
            self.plot.update_predictions(list(found.lines), True, 1)
        for table in (self.value_table, self.misfit_table):
            _fit(table)
        self._share_room()

    def _name_of(self, misfit: Misfit) -> str:
        several = self.shown is not None and [m.column for m in self.shown.misfits].count(misfit.column) > 1
        return f"{misfit.column} ({misfit.match.output})" if several else misfit.column

    def _share_room(self) -> None:
        """Numbers whole; a name of a parameter or column gives way to them."""
        self.value_table.share_room(*VALUE_WIDTHS, spare=(0,))
        self.misfit_table.share_room(*WIDEST, spare=(0,))

    def refresh(self) -> None:
        """Whether a run can be made at the surrogate's maximum now."""
        peak = None if self.shown is None else self.shown.peak
        may = peak is not None and peak.run is None and not self.run.active and may_have_more(self.run, self.file)
        self.check_peak.setVisible(may)

    def _check(self) -> None:
        if self.shown is None or self.shown.peak is None:
            return
        at = {p.name: self.shown.peak.values[p.name] for p in self.shown.parameters}
        spent = self.run.n_runs >= self.run.budget
        self.run.start(self.run.n_runs + 1 if spent else None, at=(at,), no_others=True)

    def _ask_for_run(self) -> None:
        if self.shown is not None:
            self.run_asked.emit(self.shown.index)


def _small(value: float) -> str:
    """Short enough for its column: below 1 two decimals are all that is of use."""
    return f"{value:,.3g}" if value >= 1.0 else f"{value:.2f}" if value >= 0.01 else "< 0.01"


def _fit(table: TableView) -> None:
    """As high as its rows, up to MOST_ROWS."""
    row, head = table.verticalHeader().defaultSectionSize(), table.horizontalHeader().sizeHint().height()
    table.setFixedHeight(min(max(table.model().rowCount(), 1), MOST_ROWS) * row + head + 8)


def _title(p: Parameter) -> str:
    return one_line(title_of(p), NAME_WORDS)


def _farthest(m: Misfit) -> str:
    return true_minus(farthest_words(m)) + ("" if m.limits is None else f"; {m.limits.words}")


def _misfit_columns(name: Callable[[Misfit], str]) -> tuple[Column[Misfit], ...]:
    return (
        Column("column", "Data", "The column of measured values; the output beside it where several are compared with it.",
               lambda m: one_line(name(m), NAME_WORDS)),
        Column("count", "Values", "How many were measured and are compared.", lambda m: f"{m.count:,}", numeric=True),
        Column("chi2", "χ²", "Sum of the squared residuals in standard deviations of the noise; about as many as there are "
               "values, less what is fitted.", lambda m: _small(m.chi2), numeric=True),
        Column("rms", "Rms", "Root mean square of the residuals in standard deviations of the noise; about 1 is expected.",
               lambda m: _small((m.chi2 / m.count) ** 0.5), numeric=True),
        Column("farthest", "Farthest off", "The value with the largest residual, in standard deviations of the noise; and "
               "whether limits are kept where only these are known.",
               _farthest),
    )  # fmt: skip
