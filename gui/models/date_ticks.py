"""Dates along an axis that counts seconds since 1970: at the beginnings of years, months, days or hours. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

DATES = ", in s since 1970"  # the end of the name of a place that is a date
DAY = 86_400.0
EARLIEST, LATEST = -6.2e10, 2.5e11  # of the calendar that Python knows
SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200)
DAYS = (1, 2, 7, 14)
MONTHS = (1, 2, 3, 6)
YEAR = 365.25 * DAY
_STEPS = (  # (unit, its length in s, how many) from short to long
    *(("s", float(n), n) for n in SECONDS),
    *(("d", n * DAY, n) for n in DAYS),
    *(("month", n * YEAR / 12, n) for n in MONTHS),
)
MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def is_dated(name: str) -> bool:
    """Whether a place of this name holds dates."""
    return name.endswith(DATES)


def plain_name(name: str) -> str:
    """The name of a place without what its dates count in."""
    return name.removesuffix(DATES)


def date_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Places from ``low`` to ``high`` (s since 1970), about ``most`` of them, and the dates that they are, in UTC."""
    low, high = max(low, EARLIEST), min(high, LATEST)
    if not low < high:
        return []
    span = high - low
    first = next((k for k in range(len(_STEPS)) if span / _STEPS[k][1] <= max(most, 2)), None)
    if first is None:
        return [(t, str(_at(t).year)) for t in _months(low, high, 12 * _years(span / YEAR / max(most, 2)))]
    found: list[tuple[float, str]] = []
    for unit, _, count in reversed(_STEPS[: first + 1]):
        found = _ticks(low, high, unit, count)
        if len(found) > 1:
            break
    return found


def _ticks(low: float, high: float, unit: str, count: int) -> list[tuple[float, str]]:
    """At multiples of so many units, and what they are called."""
    if unit == "s":
        return [(t, _clock(t, count)) for t in _multiples(low, high, float(count))]
    if unit == "d":
        weeks = 4 * DAY if count % 7 == 0 else 0.0  # 1970 began on a Thursday: weeks begin on Mondays
        return [(t, day_name(t)) for t in _multiples(low, high, count * DAY, weeks)]
    return [(t, _month(t)) for t in _months(low, high, count)]


def _multiples(low: float, high: float, step: float, shift: float = 0.0) -> list[float]:
    first = math.ceil((low - shift) / step)
    return [k * step + shift for k in range(first, math.floor((high - shift) / step) + 1)]


def _months(low: float, high: float, step: int) -> Iterator[float]:
    first, last = _at(low), _at(high)
    start = (first.year * 12 + first.month - 1) // step * step
    for k in range(start, last.year * 12 + last.month, step):
        if 1 <= k // 12 <= 9999:
            place = datetime(k // 12, k % 12 + 1, 1, tzinfo=UTC).timestamp()
            if low <= place <= high:
                yield place


def _years(least: float) -> int:
    """1, 2, 5, 10, 20, ... years, at least so many."""
    power = 10 ** max(0, math.floor(math.log10(max(least, 1.0))))
    return next(int(n) for n in (power, 2 * power, 5 * power, 10 * power) if n >= least)


def _at(place: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=place)


def _clock(place: float, step: int) -> str:
    at = _at(place)
    return day_name(place) if place % DAY == 0.0 else at.strftime("%H:%M:%S" if step < 60 else "%H:%M")


def day_name(place: float) -> str:
    """The date of ``place`` (s since 1970): 1 May 2024."""
    at = _at(place)
    return f"{at.day} {MONTH_NAMES[at.month - 1]} {at.year}"


def _month(place: float) -> str:
    at = _at(place)
    return f"{MONTH_NAMES[at.month - 1]} {at.year}"
