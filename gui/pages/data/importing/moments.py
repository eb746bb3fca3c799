"""While a table is imported: columns of parts of dates, or of dates and the clock, which are one of moments, or stay apart."""

from __future__ import annotations

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.pages.data.importing.two_ways import TwoWays

APART, TOGETHER = "Keep the columns apart", "Join the columns"


class MomentsOffer(TwoWays):
    """The columns are joined, or not."""

    def __init__(self) -> None:
        super().__init__(usual=True)

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        words = "" if shown is None else " ".join(shown.moments)
        self.say("info", words, "", (APART if self.chosen else TOGETHER) if words else "")
