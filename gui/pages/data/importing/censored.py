"""While a table is imported: cells that give only a limit (<0.05), which are left out or count as half of it."""

from __future__ import annotations

from PySide6.QtCore import Signal

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.widgets.notices import Notice

MOST_SAID = 3  # columns; more are alike
HALF, OUT = "Take half the limit", "Leave them out"
WHY_OUT = "Values too small or too large to be measured are no random gaps: without them the rest speaks for values in between."
WHY_HALF = "Half a limit is a guess: give these rows an error as large as it, not a percentage of it, or leave them out."


class CensoredOffer(Notice):
    """``half``: what the user said of this file. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.half = False
        self.said: tuple[str, ...] = ()  # sentences about columns
        self.pressed.connect(self._press)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.half = False

    def _press(self) -> None:
        self.half = not self.half
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        found = () if shown is None else shown.censored
        self.said = tuple(one.words(self.half) for one in found)
        more = f" And {len(found) - MOST_SAID} more columns." if len(found) > MOST_SAID else ""
        button = (OUT if self.half else HALF) if any(one.with_number for one in found) else ""
        self.say("warning", " ".join(self.said[:MOST_SAID]) + more, WHY_HALF if self.half else WHY_OUT, button)
        if not found:
            self.clear()
