"""The cells of a table before they are read as numbers: without limits, marks of remarks, and signs between thousands."""

from __future__ import annotations

from collections.abc import Sequence

from .detection_limits import Censored, without_limits
from .footnote_marks import without_footnote_marks
from .table_text import Cells
from .thousands import without_grouping


def plain_cells(cells: Cells, names: Sequence[str], half_limits: bool) -> tuple[Cells, tuple[Censored, ...], list[str]]:
    """The cells, the columns in which some gave a limit only, and a sentence about each column that was changed."""
    measured, censored = without_limits(cells, names, half_limits)
    measured, marked = without_footnote_marks(measured, names)
    measured, grouped = without_grouping(measured, names)
    return measured, censored, [*(one.words(half_limits) for one in censored), *marked, *grouped]
