"""While a table is imported: confidence intervals, which become standard deviations or stay as they are."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.widgets.notices import Notice

MOST_SAID = 2  # sentences; more are alike
AS_THEY_ARE, AS_ERRORS = "Leave the intervals as they are", "Take the intervals as errors"


class LimitsOffer(Notice):
    """``as_errors``: what the user said of this file. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.as_errors = True
        self.pressed.connect(self._press)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.as_errors = True

    def _press(self) -> None:
        self.as_errors = not self.as_errors
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        said = () if shown is None else shown.limits
        more = f" And {len(said) - MOST_SAID} more." if len(said) > MOST_SAID else ""
        words = " ".join(one for one, _ in said[:MOST_SAID]) + more
        warning = next((warning for _, warning in said if warning), "")
        button = AS_THEY_ARE if self.as_errors else AS_ERRORS
        self.say("warning" if warning else "info", words, warning, button if words else "")
