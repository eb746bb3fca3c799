"""While a table is imported: dates such as 01/05/2024 whose day and month only the user can tell, and the buttons for that."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.engine.problem.data.rows.text_keys import date_of
from bayescope.gui.models.date_ticks import day_name
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

WHY = "Either number may be the month, in every row: as texts these dates could pair with the same texts only."


class MonthOffer(Notice):
    """``day_first``: what the user said of this file; None: nothing yet. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.day_first: bool | None = None
        self.pressed.connect(lambda: self._tell(self.day_first is not True))
        self.dismissed.connect(lambda: self._tell(False))

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.day_first = None

    def _tell(self, day_first: bool) -> None:
        self.day_first = day_first
        self.told.emit()

    def show_preview(self, shown: TablePreview) -> None:
        """Of a file as it is read now."""
        if not shown.either:
            self.clear()
            return
        column, cell, by_day, by_month = shown.either[0]
        ways = {True: _named(by_day), False: _named(by_month)}
        name = f"“{one_line(column, 30)}”"
        if self.day_first is None:
            asked = f"{name} holds dates such as {cell}: is that {ways[True]} or {ways[False]}?"
            self.say("warning", asked, WHY, ways[True], ways[False])
        else:
            other = ways[not self.day_first]
            self.say("info", f"{name}: {cell} is taken as {ways[self.day_first]}.", "", f"It is {other}")


def _named(date: str) -> str:
    found = date_of(date)
    return date if found is None else day_name(found.clock)
