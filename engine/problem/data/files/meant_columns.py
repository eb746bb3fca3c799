"""Columns that stand for others together: parts of dates are one date, limits of intervals are errors; and those of flags."""

from __future__ import annotations

from collections.abc import Sequence

from ... import definition as d
from ...numbers.number_characters import shorten
from ..dates.parts_of_dates import with_whole_dates
from ..errors.intervals import intervals_taken
from ..tables.quality_flags import OF_FLAGS, flags_as_texts


def meant_columns(
    table: d.DataTable, outputs: Sequence[str], intervals: bool
) -> tuple[d.DataTable, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """``table`` with the columns that are meant; sentences about dates and flags, one about each interval, with its warning."""
    table, dates = with_whole_dates(table, outputs)
    table, limits = intervals_taken(table, intervals)
    table, flags = flags_as_texts(table, outputs)
    return table, (*dates, *(f"Column “{shorten(name)}” says of each row {OF_FLAGS}" for name in flags)), limits
