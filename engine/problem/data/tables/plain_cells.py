"""The cells of a table before they are read as numbers: without limits, marks of remarks, and signs between thousands."""

from __future__ import annotations

from collections.abc import Sequence

from .detection_limits import LimitsFound, Taken, without_limits
from .footnote_marks import Marked, without_footnote_marks
from .stated_limits import Limits
from .table_text import Cells
from .thousands import without_grouping


def plain_cells(
    cells: Cells,
    names: Sequence[str],
    taken: Taken,
    stated: Sequence[Limits] = (),
    errors_at: int | None = None,
    marked_out: bool = False,
) -> tuple[Cells, LimitsFound, tuple[Marked, ...], list[str]]:
    """The cells, what was found of cells that give a limit only and of numbers with marks of remarks (``marked_out``: these are
    left out), and a sentence about each column that was changed. ``stated``: as ``limits_of_columns``; ``errors_at``: the row
    that holds the errors of the columns."""
    measured, censored = without_limits(cells, names, taken, stated, errors_at)
    measured, marked = without_footnote_marks(measured, names, marked_out)
    measured, grouped = without_grouping(measured, names)
    words = (*(one.words(taken) for one in censored.columns), *(one.words(marked_out) for one in marked))
    return measured, censored, marked, [*words, *grouped]
