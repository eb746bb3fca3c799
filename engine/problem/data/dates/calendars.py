"""Calendars of models other than that of civil dates: how much time they count between two dates. Pure.

Names and meanings are those of the CF conventions (Climate and Forecast metadata, section 4.4.1). A date is the day of that name
in every calendar: what differs is how many days lie between two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ..rows.text_keys import UNITS, date_of, date_written

Array = NDArray[np.float64]
_ALIKE = {"365_day": "noleap", "366_day": "all_leap"}
OTHERS = ("noleap", "365_day", "all_leap", "366_day", "360_day", "julian")  # than the civil one
_CIVIL = ("gregorian", "proleptic_gregorian", "standard")
_SAID = re.compile(
    rf"(?:(?P<of>\w+):)?calendar\b[\W_]{{1,5}}(?P<name>{'|'.join((*OTHERS, *_CIVIL))})(?![A-Za-z0-9_])", re.IGNORECASE
)
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE = tuple(accumulate(_LENGTHS, initial=0))  # days before each month, without a leap day
CIVIL = ""


def calendar_in(text: str, name: str = "") -> str | None:
    """The calendar that a text states, of the variable ``name`` if it says that; CIVIL for that of civil dates, None: nothing is
    said, or different things."""
    every = list(_SAID.finditer(text))
    own = [found for found in every if name and found["of"] == name]
    told = {_plain(found["name"]) for found in own or every}
    return told.pop() if len(told) == 1 else None


def _plain(name: str) -> str:
    name = name.lower()
    return CIVIL if name in _CIVIL else _ALIKE.get(name, name)


def first_calendar(texts: Iterable[str], name: str) -> str:
    """Of the first text that states one; CIVIL where none does."""
    return next((found for text in texts if (found := calendar_in(text, name)) is not None), CIVIL)


def elapsed(dates: Array, start: float, calendar: str) -> Array:
    """Seconds (n,) that ``calendar`` counts from ``start`` to ``dates`` (n,), all in s since 1970 as civil dates are counted; NaN
    for dates that it does not have, such as 29 February in noleap."""
    if calendar == CIVIL:
        return np.asarray(dates - start, dtype=float)
    zero = _seconds(start, calendar)
    return np.array([_seconds(float(date), calendar) - zero for date in dates], dtype=float)


def texts_elapsed(cells: Iterable[str | None], start: float, calendar: str) -> Array:
    """Seconds (n,) that ``calendar`` counts from ``start`` (s since 1970) to dates as they are written, also those that civil
    years do not have, such as 30 February; NaN for what is no date of that calendar."""
    if calendar == CIVIL:
        found = [None if text is None else date_of(text) for text in cells]
        return np.array([np.nan if one is None else one.clock - (one.offset or 0.0) - start for one in found], dtype=float)
    zero = _seconds(start, calendar)
    return np.array([_seconds_written(text, calendar) - zero for text in cells], dtype=float)


def all_dates(cells: Iterable[str | None], calendar: str) -> bool:
    """Whether there is a text, and every one is a date of ``calendar``."""
    filled = [text for text in cells if text and text.strip()]
    return bool(filled) and bool(np.isfinite(texts_elapsed(filled, 0.0, calendar)).all())


def _seconds_written(text: str | None, calendar: str) -> float:
    read = None if text is None else date_written(text)
    if read is None or not 1 <= read.month <= 12 or not 1 <= read.day <= (30 if calendar == "360_day" else _longest(read.month)):
        return float("nan")
    day = _day(read.year, read.month, read.day, calendar)
    return float("nan") if day is None else 86_400.0 * day + read.seconds - (read.offset or 0.0)


def _longest(month: int) -> int:
    """The days of a month where it has most."""
    return 29 if month == 2 else _LENGTHS[month - 1]


def counts_alike(dates: Array, start: float, calendar: str) -> bool:
    """Whether ``calendar`` counts as civil dates do from ``start`` to each of ``dates`` (n,), in s since 1970."""
    known = dates[np.isfinite(dates)]
    return bool(np.array_equal(elapsed(known, start, calendar), elapsed(known, start, CIVIL)))


def recounted(values: Iterable[float | None], unit: str, start: float, calendar: str) -> tuple[float | None, ...]:
    """Dates that are counted in ``unit`` from ``start`` (s since 1970) as civil dates are, counted as ``calendar`` does; None for
    those that it does not have."""
    dates = np.array([np.nan if v is None else v * UNITS[unit] + start for v in values], dtype=float)
    found = elapsed(dates, start, calendar) / UNITS[unit]
    return tuple(None if np.isnan(v) else float(v) for v in found)


def _seconds(date: float, calendar: str) -> float:
    """Since a day 0 of the calendar's own; NaN: it has no such day, or the date is beyond what can be counted."""
    try:
        civil = datetime.fromtimestamp(date, UTC)
    except (OverflowError, OSError, ValueError):
        return float("nan")
    day = _day(civil.year, civil.month, civil.day, calendar)
    return float("nan") if day is None else 86_400.0 * day + date % 86_400.0


def _day(year: int, month: int, day: int, calendar: str) -> int | None:
    """Whole days since 1 January of year 0; None: there is no such day."""
    within, after = _BEFORE[month - 1] + day - 1, int(month > 2)
    if calendar == "360_day":
        return 360 * year + 30 * (month - 1) + day - 1 if day <= 30 else None
    if calendar == "noleap":
        return 365 * year + within if (month, day) != (2, 29) else None
    if calendar == "all_leap":
        return 366 * year + within + after
    leap_days = (year + 3) // 4  # julian: of the years before
    return 365 * year + leap_days + within + (after if year % 4 == 0 else 0)
