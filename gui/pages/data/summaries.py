"""For random simulations: which summaries of the outputs are compared with the same summaries of the data."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Summary
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.dates.day_doubt import day_said
from bayescope.gui.models.data.dates.day_zero import with_day_zero
from bayescope.gui.models.data.errors.error_size import ErrorSize, in_unit_of
from bayescope.gui.models.data.errors.noise import TOGETHER
from bayescope.gui.models.data.keys.known_keys import completed_summary, known_keys
from bayescope.gui.models.data.meanings import first_summaries, next_summary
from bayescope.gui.models.data.runs_each import with_default_runs
from bayescope.gui.models.data.summary_keys import summary_day_doubt, summary_day_zero
from bayescope.gui.models.data.units.summary_units import in_one_unit, scaled_words
from bayescope.gui.models.fields import Field
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.records import Column, RecordsModel
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.pages.data.matching import MOST_ROWS
from bayescope.gui.pages.data.units import UnitDoubt
from bayescope.gui.widgets.day_zero import DayZeroField
from bayescope.gui.widgets.forms import beside, card, say_first, scrolled
from bayescope.gui.widgets.notices import Notice, label
from bayescope.gui.widgets.struct_form import StructForm
from bayescope.gui.widgets.tables import TableView

STATISTICS = (
    ("values", "The values themselves"),
    ("mean", "Mean"),
    ("sd", "Standard deviation"),
    ("log_sd", "Logarithm of the standard deviation"),
    ("quantiles", "Quantiles"),
    ("autocorrelation", "Autocorrelation"),
    ("histogram", "Histogram (shares in bins)"),
)
COLUMNS: tuple[Column[Summary], ...] = (
    Column("output", "Output", "What the program computes.", lambda s: s.output),
    Column("statistic", "Summary", "What is compared.", lambda s: dict(STATISTICS)[s.statistic]),
    Column("column", "of the data column", "The measured values.", lambda s: s.column or "not chosen yet"),
    Column("factor", "Output multiplied", "By what the output is multiplied first, and what is added to it.", scaled_words),
)
FIELDS = (
    Field("output", "Output", "What the program computes.", "output"),
    Field("column", "Measured column", "The data column with the measured values.", "data_column"),
    Field("statistic", "Summary", "What is compared.", "choice", choices=STATISTICS),
    Field("key_output", "Pair by the output", "Only its rows that were measured count: those days, say. None: all rows.",
          "optional_output"),
    Field("key_column", "with the column", "The data column with the same quantity or labels.", "optional_key_column"),
    Field("factor", "Output multiplied by", "1000 where the program gives m and mm were measured, 1/24 for hours and days; 1: "
          "both have the same unit.", "number"),
    Field("offset", "then added to it", "-273.15 where the program gives kelvins and degrees Celsius were measured.", "number"),
)  # fmt: skip
EXTRA = {
    "quantiles": Field("levels", "Levels", "Between 0 and 1, for example 0.1 0.5 0.9", "numbers"),
    "autocorrelation": Field("lags", "Lags", "How many steps back.", "count"),
    "histogram": Field("edges", "Edges of the bins", "Increasing numbers.", "numbers"),
}
ERRORS = (
    Field(
        "error_sd",
        "Measurement error",
        "Standard deviation of the error of each measured value, where the program does not simulate it; 0.01 + 3 % can be typed "
        "too. Empty: none.",
        "optional_number",
        placeholder="none",
        percent="of each value",
    ),
    Field(
        "error_column",
        "or from the column",
        "The data column with the standard deviation of each measured value.",
        "optional_data_column",
    ),
    Field(
        "error_percent", "plus", "Added to that; alone it is all of the error.", "optional_positive", "% of each measured value",
        placeholder="none", percent="number",
    ),
    replace(TOGETHER, name="error_together"),
)
# are those of the measured values: summaries of one column share them
OF_ERRORS = ("error_sd", "error_column", "error_percent", "error_together")
SCALE = Field(
    "scale",
    "Typical spread",
    "How much each number varies from run to run: distances between simulated and measured summaries are counted in it. The "
    "noise check (tab Errors) fills it in. Empty: 1.",
    "numbers",
    placeholder="1",
)


class SummariesPart(QWidget):
    """Edits ``summaries`` of a synthetic likelihood or of approximate Bayesian computation."""

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.trial = problem, trial
        self.model = RecordsModel[Summary](COLUMNS, self._set, self)
        self.table = TableView("Summaries compared with the data", self.model)
        self.table.set_widths(16, 30, 18, 16, stretch=(1,))
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._show_row())
        self.table.delete_pressed.connect(lambda rows: self.model.remove(rows, "Remove summary"))
        self.add_button = QPushButton("&Add summary")
        self.add_button.clicked.connect(self._add)
        self.remove_button = QPushButton("Rem&ove")
        self.remove_button.clicked.connect(lambda: self.model.remove(self.table.selected_rows(), "Remove summary"))
        self.message = Notice()
        self.message.pressed.connect(self._take_better)
        self._better: int | None = None  # runs at each point that the message offers
        self.words = label("", "heading")
        self.form = StructForm()
        self.form.changed.connect(self._change)
        self.form.take_size = lambda _field, size: self._take_size(size)
        self.day_zero = DayZeroField()
        self.day_zero.changed.connect(self._set_day)
        self.day_zero.confirmed.connect(lambda start: self.trial.answers.keep(day_said(start)))
        self.units = UnitDoubt()
        self.units.mended.connect(self.problem.replace)
        self.trial.changed.connect(self._say_unit)
        self.details = card(self.words, self.units, self.day_zero, self.form)
        compare = card(
            self.table,
            beside(self.add_button, self.remove_button, 1),
            self.message,
            title="What is compared with what",
            hint="Each summary of the simulated outputs is compared with the same summary of the data.",
        )
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 12, 0, 0)
        box.addWidget(scrolled(compare, self.details))

    def refresh(self) -> None:
        meaning, locked = self.problem.declared.meaning, self.problem.locked
        self.model.set_rows(getattr(meaning, "summaries", ()))
        some = bool(self.model.rows)
        self.table.setVisible(some)
        self.table.fit_rows(MOST_ROWS)
        if some and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.model.index(0, 0))
        ready = bool(self.problem.declared.outputs) and self.problem.declared.data is not None
        self.add_button.setEnabled(ready and not locked)
        self.remove_button.setEnabled(some and not locked)
        self._say(some)
        self._show_row()

    def _say(self, some: bool) -> None:
        """What is wrong with all of them together, with a button where a number mends it. That there are none says the page."""
        findings = [f for f in self.problem.findings("meaning") if "[" not in f.where]
        findings = [f for f in findings if some or f.where != "meaning.summaries"]
        say_first(self.message, findings)
        self._better = next((f.better for f in findings if f.better and f.message == self.message.words()), None)
        if self._better is not None and not self.problem.locked:
            self.message.offer(f"Ma&ke it {self._better}")

    def _take_better(self) -> None:
        meaning = self.problem.declared.meaning
        if self._better is not None and hasattr(meaning, "repeats"):
            self.problem.edit("Runs at each point", meaning=msgspec.structs.replace(meaning, repeats=self._better))

    def show_summary(self, row: int | None, field: str = "") -> QWidget:
        """Select it, and its ``field``; None: where a summary is added."""
        if row is None:
            return self.add_button
        self.table.setCurrentIndex(self.model.index(row, 0))
        return self.form.editor(field) if field else self.table

    def _show_row(self) -> None:
        row = self.table.currentIndex().row()
        some = 0 <= row < len(self.model.rows)
        self.details.setVisible(some)
        if not some:
            return
        summary, problem = self.model.rows[row], self.problem.declared
        against = f"compared with {one_line(summary.column, 40)}" if summary.column else "(its measured column is not chosen yet)"
        self.words.setText(f"{one_line(summary.output, 40)} {against}")
        data = problem.data
        self.form.offer_names(list(data.columns) if data else [], [], texts=list(data.texts) if data else [])
        self.form.offer_outputs([o.name for o in problem.outputs])
        self._show_day(row)
        self._say_unit()
        extra = (EXTRA[summary.statistic],) if summary.statistic in EXTRA else ()
        self.form.show_record(summary, (*FIELDS, *extra, *ERRORS, SCALE), self.problem.locked, summary.output)
        where = f"meaning.summaries[{row}]"
        self.form.show_findings(self.problem.findings(where), where)

    def _say_unit(self) -> None:
        """Whether the output of the summary that is shown seems to be in another unit."""
        row, told = self.table.currentIndex().row(), self.trial
        if 0 <= row < len(self.model.rows):
            problem = self.problem.declared
            self.units.show_comparison(problem, row, told.told, self.problem.locked, told.answers.settled.kept)

    def _show_day(self, row: int) -> None:
        """The date from which the key of the summary counts, and whether that is only a guess."""
        problem, settled = self.problem.declared, self.trial.answers.settled
        counts = summary_day_zero(problem, row)
        doubt = summary_day_doubt(problem, self.trial.report, settled.kept, settled.guessed_days) if counts is not None else None
        guessed = doubt is not None and counts is not None and doubt.start == counts.start
        self.day_zero.show_start(None if counts is None else counts.start, self.problem.locked, guessed=guessed)

    def ask_day(self, row: int) -> None:
        """Select it, with the focus where day 0 of its dates is said."""
        self.table.setCurrentIndex(self.model.index(row, 0))
        self.day_zero.field.setFocus()
        self.day_zero.field.selectAll()

    def _set_day(self, start: float) -> None:
        row, problem = self.table.currentIndex().row(), self.problem.declared
        counts = summary_day_zero(problem, row) if 0 <= row < len(self.model.rows) else None
        if counts is not None:
            self.trial.answers.keep(day_said(start))
            self.problem.replace(with_day_zero(problem, start, counts.start), day_said(start))

    def _change(self, summary: Summary) -> None:
        """What belongs to the change goes with it: a key, and the error of its values to all summaries of one data column."""
        row, problem = self.table.currentIndex().row(), self.problem.declared
        if not 0 <= row < len(self.model.rows):
            return
        summary = completed_summary(problem, self.model.rows[row], summary, known_keys(problem, self.trial))
        before, error = self.model.rows[row], {name: getattr(summary, name) for name in OF_ERRORS}
        rows = [summary if i == row else s for i, s in enumerate(self.model.rows)]
        if (summary.factor, summary.offset) != (before.factor, before.offset):
            rows = list(in_one_unit(self.model.rows, row, summary.factor, summary.offset))
        if any(getattr(before, name) != value for name, value in error.items()):
            rows = [msgspec.structs.replace(s, **error) if s.column == summary.column else s for s in rows]
        self.model.commit(tuple(rows), "Change summary")

    def _take_size(self, size: ErrorSize) -> None:
        if size.of_predicted:
            raise ValueError("The error of a summary is a number, or a percentage of its measured value.")
        row = self.table.currentIndex().row()
        if 0 <= row < len(self.model.rows):
            summary = self.model.rows[row]
            stated = in_unit_of(size, summary.column)
            error = {"error_sd": stated.number, "error_percent": stated.percent, "error_together": stated.together}
            self._change(msgspec.structs.replace(summary, error_column=None, **error))

    def _set(self, rows: tuple[Summary, ...], text: str) -> bool:
        meaning = self.problem.declared.meaning
        if not hasattr(meaning, "summaries"):
            return False
        changed = msgspec.structs.replace(meaning, summaries=rows)
        changed = with_default_runs(self.problem.declared, changed, self.trial.run_seconds, meaning)
        gone = {n for s in meaning.summaries for n in (s.output, s.column)} - {n for s in rows for n in (s.output, s.column)}
        done = self.problem.edit(text, meaning=changed)
        if done and gone and len(rows) < len(meaning.summaries):  # what was taken out is not asked for again
            self.trial.answers.leave_idle(tuple(gone))
        return done

    def _add(self) -> None:
        problem = self.problem.declared
        if problem.data is None or not problem.outputs:
            return
        known = known_keys(problem, self.trial)
        offered = first_summaries(problem, known) if not self.model.rows else ()
        new = offered or (next_summary(problem, known),)
        if self._set((*self.model.rows, *new), "Add summary"):
            self.table.setCurrentIndex(self.model.index(len(self.model.rows) - 1, 0))
