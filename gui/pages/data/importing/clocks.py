"""While a table is imported: times such as 01:30 of which no heading says whether they are minutes and seconds."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.dates.minutes_seconds import with_hours
from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.engine.problem.data.rows.text_keys import seconds_of
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

HOURS, MINUTES = "hours and minutes", "minutes and seconds"


class ClockOffer(Notice):
    """``minutes``: the user said that they are minutes and seconds. ``told``: the file is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.minutes = False
        self.pressed.connect(self._press)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.minutes = False

    def _press(self) -> None:
        self.minutes = not self.minutes
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        if shown is None or not shown.clocks:
            self.clear()
            return
        column, cell = shown.clocks[0]
        what, other = (MINUTES, HOURS) if self.minutes else (HOURS, MINUTES)
        seconds = seconds_of(with_hours(cell) if self.minutes else cell) or 0.0
        words = f"“{one_line(column, 30)}”: {cell} is taken as {what}, {seconds:g} s. Its heading does not say it."
        self.say("info", words, "", f"It is {other}")
