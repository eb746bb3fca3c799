"""Errors in percent of each measured value: of one comparison, or of all that have none yet."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QVBoxLayout, QWidget

from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.data.percent_errors import in_percent, one_size_said, with_percent
from bayescope.gui.models.fields import Field
from bayescope.gui.widgets.notices import Notice
from bayescope.gui.widgets.struct_form import StructForm


class Percent(msgspec.Struct, frozen=True):
    percent: float | None = None


PERCENT = (
    Field(
        "percent",
        "Or in percent",
        "Of each measured value: 5 makes a standard deviation of 1 for 20, in a column of the table.",
        "optional_positive",
        placeholder="5: of each value",
        percent="number",
    ),
)


class PercentErrors(QWidget):
    """One field, shown where it can be used."""

    def __init__(self, problem: DeclaredProblem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self._row = problem, -1
        self.form = StructForm()
        self.form.changed.connect(self._take)
        self.refused = Notice()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.form)
        box.addWidget(self.refused)

    def show_row(self, row: int, locked: bool) -> None:
        """Of the comparison ``row``; -1: of all without errors."""
        self._row = row
        some = bool(in_percent(self.problem.declared, row)) and not locked
        self.setVisible(some)
        self.form.setVisible(some)
        held = row < 0 and one_size_said(self.problem.declared)  # shown all the same: nothing moves when a size is typed
        self.form.show_record(Percent() if some else None, PERCENT if some else (), held)
        self.refused.clear()

    def _take(self, record: Percent) -> None:
        if record.percent is None:
            return
        if why_not := self.take(record.percent, self._row):
            self.refused.say("error", why_not)

    def take(self, percent: float, row: int) -> str:
        """``percent`` of each value of the comparison ``row``, -1: of all without errors; why not, or "" where it is done."""
        if not percent > 0.0:
            return "A percentage must be greater than zero."
        if not in_percent(self.problem.declared, row):
            return "The errors are in a column of the table: choose None there, then type the percentage."
        try:
            changed = with_percent(self.problem.declared, percent, row)
        except ValueError as error:
            return str(error)
        self.problem.replace(changed, f"Errors of {percent:g} %")
        return ""
