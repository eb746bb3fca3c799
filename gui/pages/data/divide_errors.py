"""A coverage factor for columns of errors: what they hold is divided by it, on the Errors tab."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from bayescope.engine.problem.data.errors.levels import USUAL
from bayescope.engine.problem.definition import Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.errors.divided_columns import columns_of_errors, divided_by
from bayescope.gui.models.plain import number_of, one_line
from bayescope.gui.widgets.forms import Choice, LineField
from bayescope.gui.widgets.notices import label

TIP = (
    "They hold U with k = 2, or another number of standard deviations; or they are in another unit: 1440 for minutes beside "
    "days. The table is changed; Undo takes it back."
)
NOTHING_DONE: Mapping[str, float] = MappingProxyType({})
WIDTH = 70  # pixels: of a factor with its decimals


def done_words(done: Mapping[str, float], where: str = " at the import") -> str:
    """What was divided ``where``, a sentence; '': nothing."""
    if not done:
        return ""
    names = [one_line(name, 30) for name in done]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    factors = sorted(set(done.values()))
    by = f"k = {factors[0]:g}" if len(factors) == 1 else "their coverage factors"
    return f"“{names[0]}”{more} {'were' if more else 'was'} divided by {by}{where}."


class DivideErrors(QWidget):
    """``mended`` carries (problem, words for undo); ``divided`` before it the problem, the columns, and what divides them."""

    mended = Signal(object, str)
    divided = Signal(object, object, float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problem: Problem | None = None
        self._columns: tuple[str, ...] = ()
        self.words = label("", "hint", wrap=True)
        self.field = LineField("Coverage factor", TIP)
        self.field.setFixedWidth(WIDTH)
        self.field.show_text(f"{USUAL:g}")
        self.button = QPushButton("Divide")
        self.button.setToolTip(TIP)
        self.button.clicked.connect(self._divide)
        box, line = QVBoxLayout(self), QHBoxLayout()
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(self.words)
        box.addLayout(line)
        self.which = Choice("Columns that are divided", "One of them may be in another unit.")
        self.which.chosen.connect(self._choose)
        self._chosen = ""  # one of several columns; '' all
        for part in (self.field, self.which, self.button):
            line.addWidget(part)
        line.addStretch(1)

    def show_problem(
        self, problem: Problem, locked: bool, done: Mapping[str, float] = NOTHING_DONE, here: Mapping[str, float] = NOTHING_DONE
    ) -> None:
        """``done``: columns that were divided when they were imported, and by what; ``here``: those that were by the button since
        then: it is offered for neither again."""
        imported, done = done, {**done, **here}
        every = columns_of_errors(problem)
        self._problem, self._columns = problem, tuple(name for name in every if name not in done)
        count, more = len(self._columns), "other " if len(self._columns) < len(every) else ""
        what = f"“{one_line(self._columns[0], 30)}” holds" if count == 1 else f"the {count} {more}columns of errors hold"
        question = f"If {what} expanded uncertainties, divide by k =" if count else ""
        told = ((imported, " at the import"), (here, " on this tab"))
        said = " ".join(filter(None, (done_words({n: of[n] for n in every if n in of}, where) for of, where in told)))
        self.words.setText(f"{said} {question}".strip())
        self._chosen = self._chosen if self._chosen in self._columns else ""
        every_one = [("", f"in all {count}"), *((name, f"in {one_line(name, 24)}") for name in self._columns)]
        self.which.offer(every_one, self._chosen)
        for part, shown in ((self.field, count > 0), (self.which, count > 1), (self.button, count > 0)):
            part.setVisible(shown)
        self.setVisible(bool(every) and not locked)

    def _choose(self, name: str) -> None:
        self._chosen = name

    def _divide(self) -> None:
        if self._problem is None:
            return
        try:
            factor = number_of(self.field.text().strip(), "The coverage factor")
        except ValueError as error:
            self.field.refuse(str(error))
            return
        if factor <= 0.0:
            self.field.refuse("The coverage factor must be above 0.")
            return
        columns = (self._chosen,) if self._chosen else self._columns
        changed = divided_by(self._problem, columns, factor)
        self.divided.emit(changed, columns, factor)
        self.mended.emit(changed, f"Divide errors by {spoken(factor)}")
