"""Columns that stand for others together: parts of dates are one date, limits of intervals are errors; and those of flags."""

from __future__ import annotations

from ... import definition as d
from ...numbers.number_characters import shorten
from ..dates.parts_of_dates import with_whole_dates
from ..errors.intervals import intervals_taken
from ..tables.flag_legends import legend_of
from ..tables.quality_flags import OF_FLAGS, flags_as_texts
from .read_options import Options


def meant_columns(
    table: d.DataTable, options: Options
) -> tuple[d.DataTable, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """``table`` with the columns that are meant; sentences about dates and flags, one about each interval, with its warning."""
    table, dates = with_whole_dates(table, options.outputs)
    table, limits = intervals_taken(table, options.intervals)
    table, flags = flags_as_texts(table, options.outputs, legend_of(options.legends, list(table.columns)))
    return table, (*dates, *(f"Column “{shorten(name)}” says of each row {OF_FLAGS}" for name in flags)), limits
