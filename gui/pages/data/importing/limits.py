"""While a table is imported: confidence intervals, which become standard deviations or stay as they are."""

from __future__ import annotations

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.pages.data.importing.two_ways import TwoWays

MOST_SAID = 2  # sentences; more are alike
AS_THEY_ARE, AS_ERRORS = "Leave the intervals as they are", "Take the intervals as errors"


class LimitsOffer(TwoWays):
    """Intervals are taken as errors, or not."""

    def __init__(self) -> None:
        super().__init__(usual=True)

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        said = () if shown is None else shown.limits
        more = f" And {len(said) - MOST_SAID} more." if len(said) > MOST_SAID else ""
        words = " ".join(one for one, _ in said[:MOST_SAID]) + more
        warning = next((warning for _, warning in said if warning), "")
        button = AS_THEY_ARE if self.chosen else AS_ERRORS
        self.say("warning" if warning else "info", words, warning, button if words else "")
