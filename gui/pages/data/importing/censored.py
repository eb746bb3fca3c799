"""While a table is imported: cells that give only a limit (<0.05), which count as such, or as half of it, or are left out."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.engine.problem.data.tables.detection_limits import Censored, Taken
from bayescope.gui.widgets.forms import Choice
from bayescope.gui.widgets.notices import Notice

MOST_SAID = 3  # columns; more are alike
WIDTH = 38  # characters: the recommended way stands whole
WAYS: dict[Taken, str] = {"half": "Take half the limit", "out": "Leave them out"}
WHY: dict[Taken, str] = {
    "sides": "Of each the probability counts that such a value is measured there.",
    "half": "Half a limit is a guess: give these rows an error as large as it, not a percentage of it, or leave them out.",
    "out": "Values too small or too large to be measured are no random gaps: without them the rest speaks for values in between.",
}


class CensoredOffer(Notice):
    """``taken``: what the user said of this file. ``told``: it is to be read anew."""

    told = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.taken: Taken = "sides"
        self.said: tuple[str, ...] = ()  # sentences about columns
        self.ways = Choice("Cells that give a limit", "How cells such as <0.05 count.")
        self.ways.chosen.connect(self._choose)
        self.ways.setMinimumContentsLength(WIDTH)
        line = self.layout()
        assert isinstance(line, QBoxLayout)
        line.insertWidget(1, self.ways, 0, Qt.AlignmentFlag.AlignVCenter)

    def start(self) -> None:
        """With another file: nothing is said yet."""
        self.taken = "sides"

    def _choose(self, way: str) -> None:
        self.taken = "half" if way == "half" else "out" if way == "out" else "sides"
        self.told.emit()

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        found = () if shown is None else shown.censored
        self.said = tuple(one.words(self.taken) for one in found)
        ways = _ways(found)
        if ways:
            self.ways.offer(ways, self.taken if self.taken in dict(ways) else "sides")
        self.ways.setVisible(bool(ways))
        more = f" And {len(found) - MOST_SAID} more columns." if len(found) > MOST_SAID else ""
        why = WHY[self.taken] if ways else WHY["out"]
        self.say("info" if ways and self.taken == "sides" else "warning", " ".join(self.said[:MOST_SAID]) + more, why)
        if not found:
            self.clear()


def _ways(found: tuple[Censored, ...]) -> list[tuple[str, str]]:
    """What can be done with them; [] where no limit is said in numbers."""
    if not any(one.said for one in found):
        return []
    below, above = any(one.below for one in found), any(one.above for one in found)
    side = "below the limit" if not above else "above the limit" if not below else "on their side of the limit"
    possible = [way for way in WAYS.items() if way[0] == "out" or any(one.with_number for one in found)]
    return [("sides", f"They lie {side} (recommended)"), *possible]
