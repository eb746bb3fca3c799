"""While a table is imported: columns of parts of dates, or of dates and the clock, which are one of moments, or stay apart."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.widgets.notices import Notice

APART, TOGETHER = "Keep the columns apart", "Join the columns"


class MomentsOffer(Notice):
    """``joined``: what the user said of this file. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.joined = True
        self.pressed.connect(self._press)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.joined = True

    def _press(self) -> None:
        self.joined = not self.joined
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        words = "" if shown is None else " ".join(shown.moments)
        self.say("info", words, "", (APART if self.joined else TOGETHER) if words else "")
