"""Columns of dates that count from a day 0: which date that is stands in the column's name, “Date (d since 2022-01-11)”."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from ... import definition as d
from ...numbers.shown_digits import spoken
from ..names.column_names import fresh, without_unit
from ..rows.text_keys import UNITS, date_of, is_date, seconds_of
from .calendars import CIVIL, OTHERS

_COUNTED = re.compile(rf"(.+?) *\((s|min|h|d) since ([^()]+?)(?:, ({'|'.join(OTHERS)}))?\)")


@dataclass(frozen=True)
class Counted:
    """A column of numbers made of dates: its ``name`` without the unit, the ``unit``, day 0 in s since 1970, and the calendar."""

    name: str
    unit: str
    start: float
    calendar: str = CIVIL

    @property
    def full(self) -> str:
        """The name of the column."""
        calendar = f", {self.calendar}" if self.calendar != CIVIL else ""
        return f"{self.name} ({self.unit} since {written(self.start)}{calendar})"


def in_any_calendar(name: str) -> Counted | None:
    """What the name of a column says; None: it counts from no date."""
    match = _COUNTED.fullmatch(name)
    start = read(match[3]) if match else None
    return Counted(match[1], match[2], start, match[4] or CIVIL) if match and start is not None else None


def counted(name: str) -> Counted | None:
    """The same; None too where the calendar is not that of civil dates: its numbers are no dates plus a time."""
    found = in_any_calendar(name)
    return found if found is not None and found.calendar == CIVIL else None


def named(name: str, unit: str, start: float, calendar: str = CIVIL) -> str:
    """The name of a column that counts ``unit`` from ``start`` (s since 1970) on; a unit that it had already is replaced."""
    return Counted(without_unit(name), unit, start, calendar).full


def read(text: str) -> float | None:
    """The date that ``text`` is, in s since 1970; None: it is none."""
    return None if date_of(text) is None else seconds_of(text)


def written(start: float) -> str:
    """A date (s since 1970) as people write it, with a time unless that is midnight."""
    try:
        found = datetime.fromtimestamp(start, UTC).replace(tzinfo=None)
    except (OverflowError, OSError, ValueError):  # beyond the calendar
        return f"{spoken(start, 12)} s"
    if (found.hour, found.minute, found.second, found.microsecond) == (0, 0, 0, 0):
        return found.date().isoformat()
    exact = "auto" if found.microsecond else "seconds" if found.second else "minutes"
    return found.isoformat(" ", exact)


def first(cells: Sequence[str | None]) -> float | None:
    """The earliest date among them, in s since 1970; None where they are no dates."""
    dates = [seconds for t in cells if t and is_date(t) and (seconds := seconds_of(t)) is not None]
    return min(dates, default=None)


def starts_of(data: d.DataTable | None) -> tuple[float, ...]:
    """The days 0 of the table's columns, each once: columns of several files may have each their own."""
    found = (counted(name) for name in (data.columns if data is not None else ()))
    return tuple(dict.fromkeys(one.start for one in found if one is not None))


def start_of(data: d.DataTable | None) -> float | None:
    """The first day 0 of the table's columns; None: none counts from a date."""
    return next(iter(starts_of(data)), None)


def moved(data: d.DataTable, start: float, of: float | None = None) -> tuple[d.DataTable, Mapping[str, str]]:
    """The table with ``start`` as day 0 of all its columns that count from a date (``of``: from that one alone), and the new
    names of those that changed."""
    columns: dict[str, tuple[float | None, ...]] = {}
    names: dict[str, str] = {}
    for name, cells in data.columns.items():
        old = counted(name)
        if old is None or old.start == start or of not in (None, old.start):
            columns[name] = cells
            continue
        others = [n for n in (*data.columns, *columns, *data.texts) if n != name]
        names[name] = fresh(Counted(old.name, old.unit, start).full, others)
        unit = UNITS[old.unit]
        columns[names[name]] = tuple(None if v is None else (v * unit + old.start - start) / unit for v in cells)
    return msgspec.structs.replace(data, columns=columns), names
