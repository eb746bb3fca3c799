"""A card in which a single measured value is typed, as a data sheet states it: its name, the value, its error."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.models.data.measured_value import added_words, free_outputs, unsaid_error, with_value
from bayescope.gui.models.data.rows.chosen_rows import row_said
from bayescope.gui.models.data.rows.one_row import rows_of
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.forms import Choice, Form, LineField, beside
from bayescope.gui.widgets.notices import Notice, label

ADD_VALUE = "&Add a measured value…"
HINT = "For what stands in a data sheet or a paper: it becomes a row of the data with this value alone."
NOTHING = "Nothing yet"
CHOOSE, SINGLE, UNKNOWN = "Choose the row…", "It is a single number", "A test run tells whether it is a list"
WHICH = "Output “{}” has {} rows. Choose the one that was measured under “Which of its rows”."
MOST_OF_ROW = 60  # characters of what the program prints
WIDTH = 300  # pixels: a name with its unit


class ValueAdded(Notice):
    """Says which value was added as long as it is the newest change; its button leads to the next one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of: Problem | None = None

    def note(self, words: str, problem: Problem) -> None:
        self._of = problem
        self.say("ok", words, "", "Add a&nother…")

    def follow(self, problem: Problem) -> None:
        if self._of is not problem and self.level is not None:
            self._of = None
            self.rest()  # nothing moves under the pointer

    def away(self) -> None:
        self._of = None
        self.clear()
        self.let_go()


class TypedValue(QFrame):
    """``taken`` carries the problem with the value; ``cancelled``: no change."""

    taken = Signal(object, str)  # ... and which it is, a sentence
    cancelled = Signal()

    def __init__(self, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._trial = trial
        self._problem = trial.problem.declared
        self._lines: tuple[str, ...] = ()  # rows of the output, where it is a list
        self._row_told = False  # chosen by hand
        self.output = Choice("Compared with the output", "The output that predicts this value.")
        self.row = Choice("Which of its rows", "Of a list: the row that was measured, as the program prints it.")
        self.name = LineField("What was measured", "The name of its column; the unit may stand in brackets: Pmax (W).")
        self.value = LineField("Value", "With its unit, and with its error if you like.", "18.0 W")
        of_error = "Of its error. 0.40 (k=2) is an expanded uncertainty, which is divided by its factor."
        self.error = LineField("Standard deviation", of_error, "3 %, or 0.5 W")
        for field in (self.output, self.row, self.name, self.value, self.error):
            field.setMaximumWidth(WIDTH)
        self.output.chosen.connect(self._output_chosen)
        self.row.chosen.connect(lambda _: setattr(self, "_row_told", True))
        self.name.textEdited.connect(self._find_row)
        self.message = Notice()
        self.add_button = QPushButton("&Add it")
        self.add_button.setProperty("kind", "primary")
        self.add_button.clicked.connect(self.accept)
        self.cancel = QPushButton("&Cancel")
        self.cancel.clicked.connect(self.cancelled)
        form = Form()
        form.add("C&ompared with", self.output)
        form.add("Which of its &rows", self.row)
        form.add("Wh&at was measured", self.name)
        form.add("Va&lue", self.value)
        self.unsaid = label("", "hint", wrap=True)
        form.add("S&tandard deviation", self.error, hint=self.unsaid)
        for line in (self.name, self.value, self.error):
            line.returnPressed.connect(self.accept)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 16)
        box.setSpacing(10)
        box.addWidget(label("A measured value", "heading"))
        box.addWidget(label(HINT, "hint", wrap=True))
        box.addWidget(form)
        box.addWidget(self.message)
        box.addWidget(beside(1, self.cancel, self.add_button))
        box.addStretch(1)

    def begin(self, problem: Problem) -> None:
        """Empty, for a value that is compared with the first output of ``problem`` in no comparison that is a single number, or
        else with the first in none."""
        self._problem = problem
        self.unsaid.setText(unsaid_error(problem))
        names = free_outputs(problem)
        known = self._trial.report is not None
        single = (name for name in names if known and not rows_of(problem, self._trial.report, name))
        first = next(single, next(iter(names), ""))
        self.output.offer([*((name, one_line(name, 40)) for name in names), ("", NOTHING)], first)
        for field in (self.name, self.value, self.error):
            field.show_text("")
            field.give_up()
        self.message.clear()
        self._output_chosen(self.output.key())
        (self.value if self.name.text() else self.name).setFocus()

    def _output_chosen(self, output: str) -> None:
        self._name_it(output)
        self._lines, self._row_told = rows_of(self._problem, self._trial.report, output), False
        rows = [(str(k), one_line(f"{k}:  {line}", MOST_OF_ROW)) for k, line in enumerate(self._lines, start=1)]
        known = self._trial.report is not None
        self.row.offer([("", (CHOOSE if rows else SINGLE) if known else UNKNOWN), *rows], "")
        self.row.setEnabled(bool(rows))
        self._find_row(self.name.text())

    def _find_row(self, words: str) -> None:
        """The row that the name tells, until one is chosen by hand: conc at 24 h."""
        if self._lines and not self._row_told:
            found = row_said(words, self._lines)
            self.row.setCurrentIndex(found or 0)

    def _name_it(self, output: str) -> None:
        if not self.name.text() or self.name.text() in {o.name for o in self._problem.outputs}:
            self.name.setText(output)

    def accept(self) -> None:
        try:
            if self._lines and not self.row.key():
                raise ValueError(WHICH.format(one_line(self.output.key(), 30), len(self._lines)))
            made = with_value(
                self._problem, self._trial, self.output.key(), self.name.text(), self.value.text(), self.error.text(),
                int(self.row.key()) if self.row.key() else None,
            )  # fmt: skip
        except (ValueError, ProblemError) as error:
            self.message.say("error", str(error))
            return
        self.taken.emit(made, added_words(self._problem, made))
