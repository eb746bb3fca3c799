"""Columns that stand for others together: parts of dates are one date, limits of intervals are errors."""

from __future__ import annotations

from collections.abc import Sequence

from ... import definition as d
from ..dates.parts_of_dates import with_whole_dates
from ..errors.intervals import intervals_taken


def meant_columns(
    table: d.DataTable, outputs: Sequence[str], intervals: bool
) -> tuple[d.DataTable, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """``table`` with the columns that are meant; a sentence about dates, and one about each interval with its warning."""
    table, dates = with_whole_dates(table, outputs)
    table, limits = intervals_taken(table, intervals)
    return table, dates, limits
