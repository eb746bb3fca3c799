"""Columns that stand for others together: parts of dates are one date, limits of intervals are errors; and those of flags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ... import definition as d
from ...numbers.number_characters import shorten
from ..dates.date_and_clock import with_moments
from ..dates.parts_of_dates import with_whole_dates
from ..errors.intervals import intervals_taken
from ..tables.flag_legends import legend_of
from ..tables.quality_flags import OF_FLAGS, flags_as_texts
from ..tables.table_columns import Columns
from .read_options import Options


@dataclass(frozen=True)
class Meant:
    """``table`` with the columns that are meant; ``notes``: sentences about dates and flags; ``intervals``: one about each, with
    its warning; ``moments``: one about a date and a clock that are one moment, or may be."""

    table: d.DataTable
    notes: tuple[str, ...] = ()
    intervals: tuple[tuple[str, str], ...] = ()
    moments: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()  # columns of dates that were made of others

    def times(self, known: Sequence[str]) -> tuple[str, ...]:
        """The columns of times: those ``known`` that are still there, and those that were made."""
        return (*(name for name in known if name in self.table.texts), *self.fresh)

    def left(self, found: Columns) -> list[str]:
        """What is said of columns while they are read, but of times that are part of another column now."""
        gone = tuple(f"Column “{name}” " for name in found.times if name not in self.table.texts)
        return [note for note in found.notes if not note.startswith(gone)]


def meant_columns(table: d.DataTable, options: Options) -> Meant:
    whole, dates = with_whole_dates(table, options.outputs, options.moments)
    whole, moments = with_moments(whole, options.outputs, options.moments)
    fresh = tuple(name for name in whole.texts if name not in table.texts)
    found, limits = intervals_taken(whole, options.intervals)
    found, flags = flags_as_texts(found, options.outputs, legend_of(options.legends, list(found.columns)))
    notes = tuple(f"Column “{shorten(name)}” says of each row {OF_FLAGS}" for name in flags)
    return Meant(found, notes, limits, (*dates, *((moments,) if moments else ())), fresh)
