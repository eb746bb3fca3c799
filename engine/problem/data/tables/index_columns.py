"""Columns that say by a number of which one a row is: band, mode, run; and names that say what their number counts."""

from __future__ import annotations

from ... import definition as d
from ..names.index_words import says_index


def is_index(table: d.DataTable, column: str) -> bool:
    """Whether a column is called so and counts from 0 or 1, with few numbers left out: nothing was measured there."""
    if not says_index(column):
        return False
    numbers = {v for v in table.columns.get(column, ()) if v is not None}
    counted = len(numbers) > 1 and min(numbers) in (0.0, 1.0) and all(v.is_integer() for v in numbers)
    return counted and max(numbers) <= 2 * len(numbers)
