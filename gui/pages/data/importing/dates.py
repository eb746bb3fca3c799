"""While a table is imported: dates that an output of plain numbers, such as days, may pair with, and the button for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.dates.calendars import CIVIL
from bayescope.engine.problem.data.dates.day_zero import written
from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.definition import DataTable
from bayescope.gui.models.archive.import_columns import PLAIN, ColumnRow
from bayescope.gui.models.data.dates.counted_dates import NO_UNITS, NOTHING_SAID, Counting, counting
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

WHY_SAID = "Rows pair once the dates are counted from {}."
WHY_UNREAD = "Rows pair once the dates are counted from {} and “{}” is read: click its name (Simulator page, tab Outputs)."
WHY_CALENDAR = "Take them as they are: once the table is there, Comparison counts them by that calendar."
WHY = "Rows pair once the dates are counted from the day on which the program's time is 0."


class DatesOffer(Notice):
    """``found``: how the first column of dates that is taken as it is would count; None: there is nothing to offer."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counting | None = None
        self._clocks: Mapping[str, NDArray[np.float64]] = {}
        self._known_day: float | None = None
        self._stated: Mapping[str, Stated] = NOTHING_SAID
        self._units: Mapping[str, str] = NO_UNITS

    def know(
        self, clocks: Mapping[str, NDArray[np.float64]], day: float | None, stated: Mapping[str, Stated] = NOTHING_SAID,
        units: Mapping[str, str] = NO_UNITS,
    ) -> None:  # fmt: skip
        """Outputs that count time, with their numbers (n,), day 0 of the table there is (s since 1970), from when outputs count
        as the program says, and in what as words say."""
        self._clocks, self._known_day, self._stated, self._units = clocks, day, stated, units

    def said(self, start: float | None) -> str:
        """The words of the program that ``start`` (s since 1970) is its day 0; '': it says no such thing."""
        return next((one.words for one in self._stated.values() if one.start == start), "")

    def show_table(self, table: DataTable | None, rows: Sequence[ColumnRow], split: str) -> Counting | None:
        """Of the columns of ``table``, which is split by column ``split`` ('': not)."""
        texts = {} if table is None else table.texts
        taken = (old for old, _, use in rows if use in PLAIN and old in texts and old != split)
        tried = (counting(old, texts[old], self._clocks, self._known_day, False, self._stated, self._units) for old in taken)
        one = self.found = next((found for found in tried if found is not None), None)
        why = WHY_SAID.format(written(one.start)) if one is not None and one.said else WHY
        if one is not None and one.unread:
            why = WHY_UNREAD.format(written(one.start), one_line(one.clock, 24))
        later = one is not None and one.calendar != CIVIL  # here dates become numbers as civil dates are counted
        self.say("info", f"{one.words}." if one else "", WHY_CALENDAR if later else why, one.button if one and not later else "")
        return one
