"""While a table is imported: times such as 01:30 of which no heading says whether they are minutes and seconds."""

from __future__ import annotations

from bayescope.engine.problem.data.dates.minutes_seconds import with_hours
from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.engine.problem.data.rows.text_keys import seconds_of
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.data.importing.two_ways import TwoWays

HOURS, MINUTES = "hours and minutes", "minutes and seconds"


class ClockOffer(TwoWays):
    """They are minutes and seconds, or not."""

    def __init__(self) -> None:
        super().__init__(usual=False)

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        if shown is None or not shown.clocks:
            self.clear()
            return
        column, cell = shown.clocks[0]
        what, other = (MINUTES, HOURS) if self.chosen else (HOURS, MINUTES)
        seconds = seconds_of(with_hours(cell) if self.chosen else cell) or 0.0
        words = f"“{one_line(column, 30)}”: {cell} is taken as {what}, {spoken(seconds)} s. Its heading does not say it."
        self.say("info", words, "", f"It is {other}")
