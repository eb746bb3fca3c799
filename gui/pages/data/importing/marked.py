"""While a table is imported: numbers with the mark of a remark (31.7*), which are read without it, or left out."""

from __future__ import annotations

from bayescope.engine.problem.data.files.data_files import TablePreview
from bayescope.gui.models.plain import one_line
from bayescope.gui.pages.data.importing.two_ways import TwoWays

MOST_SAID = 3  # columns; more are alike
WHY = "Look up what the mark says in the file: where it says not to use the value, leave it out."
LEFT = "Of a value that is left out nothing is kept in the table."
ALONE = "They are the only values of their column."


class MarkedOffer(TwoWays):
    """They are left out, or not."""

    def __init__(self) -> None:
        super().__init__(usual=False)
        self.said: tuple[str, ...] = ()  # sentences about columns

    def show_preview(self, shown: TablePreview | None) -> None:
        """Of a file as it is read now; None: there is none."""
        found = () if shown is None else shown.marked
        self.said = tuple(one.words(self.chosen) for one in found)
        if not found:
            self.clear()
            return
        more = f" And {len(found) - MOST_SAID} more columns." if len(found) > MOST_SAID else ""
        numbers = [number for one in found if not one.alone for number in one.numbers]
        which = one_line(numbers[0], 20) if len(numbers) == 1 else f"all {len(numbers)}"
        button = "" if not numbers else f"Use {which}" if self.chosen else f"Leave {which} out"
        why = LEFT if self.chosen and numbers else WHY if numbers else ALONE
        self.say("info" if self.chosen else "warning", " ".join(self.said[:MOST_SAID]) + more, why, button)
