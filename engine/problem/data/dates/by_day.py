"""Dates without an hour paired with times of several hours a day: each date with that day's value nearest to noon. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from ..rows.text_keys import FIRST_LABEL, UNITS, unit_of
from . import day_zero

Array = NDArray[np.float64]
DAY, NOON = 86_400.0, 43_200.0
ROUNDED = 1e-3  # s: what times lose when they are written as fractions of a day


@dataclass(frozen=True)
class Days:
    """How a column of dates counts: in ``unit`` seconds, from ``start`` (s since 1970)."""

    unit: float
    start: float

    def seconds(self, values: Array) -> Array:
        """In s since 1970 (n,); labels are no times: NaN."""
        return np.where(values < FIRST_LABEL, values, np.nan) * self.unit + self.start

    def day(self, values: Array) -> Array:
        """The day of each (n,), counted from 1970."""
        return np.floor((self.seconds(values) + ROUNDED) / DAY)

    def noon(self, values: Array) -> Array:
        """12 h of the day of each, as the column counts (n,)."""
        return (self.day(values) * DAY + NOON - self.start) / self.unit

    def from_noon(self, values: Array) -> Array:
        """How far each is from 12 h of its day, in s (n,)."""
        return np.abs(self.seconds(values) - self.day(values) * DAY - NOON)


def days_of(data: d.DataTable, name: str) -> Days | None:
    """How column ``name`` counts; None: it holds no dates."""
    if name in data.texts:
        return Days(1.0, 0.0) if unit_of(data.texts[name]) == "s since 1970" else None
    counts = day_zero.in_any_calendar(name) if name in data.columns else None  # in each a day has 24 h
    return None if counts is None else Days(UNITS[counts.unit], counts.start)


def without_hours(days: Days, keys: Array) -> bool:
    """Whether all dates (n,) stand at the beginning of a day: they say no hour."""
    known = keys[np.isfinite(keys)]
    return len(known) > 0 and bool(np.all(np.abs(days.from_noon(known) - NOON) <= ROUNDED) and np.all(known < FIRST_LABEL))


def by_days(days: Days, keys: Sequence[Array], found: Sequence[Array]) -> tuple[list[Array], list[Array]]:
    """Keys of the data (n,) each and of the output (m,) each, the first one as the number of its day.

    Of the output's rows of one day, which agree in all other keys, only the nearest to noon keeps its number, the earlier one of
    two that are as near; rows with the very same time stay several. The others are NaN, so that nothing pairs with them.
    """
    times = found[0]
    day, far = days.day(times), np.round(days.from_noon(times) / ROUNDED)
    groups = _groups([day, *found[1:]])
    order = np.lexsort((times, far, groups))
    order = order[groups[order] >= 0]
    first = np.flatnonzero(np.diff(groups[order], prepend=-1))  # of each group the nearest, and of those the earliest
    chosen = np.full(len(times), np.nan)
    chosen[groups[order[first]]] = times[order[first]]
    kept = np.where((groups >= 0) & (times == chosen[groups]), day, np.nan)
    return [days.day(keys[0]), *keys[1:]], [kept, *found[1:]]


@dataclass(frozen=True)
class Daily:
    """What falls on the days of the data: at most ``most`` values of the output on one of them; on ``ties`` days two are equally
    near to noon, ``hours`` those of the first such day, in s from midnight."""

    most: int
    ties: int
    hours: tuple[float, float] = (0.0, 0.0)


def daily(days: Days, keys: Array, times: Array) -> Daily:
    """Of the days of dates (n,), with times of the output (m,)."""
    every = np.unique(times[np.isfinite(times)])
    every = every[np.isin(days.day(every), days.day(keys[np.isfinite(keys)]))]
    if not len(every):
        return Daily(0, 0)
    day, far = days.day(every), np.round(days.from_noon(every) / ROUNDED)
    order = np.lexsort((every, far, day))
    day, far, clock = day[order], far[order], (days.seconds(every) - day * DAY)[order]
    first = np.flatnonzero(np.diff(day, prepend=-np.inf))
    second = first[np.diff(first, append=len(day)) > 1] + 1  # of each day that has two
    tied = second[far[second] == far[second - 1]]
    hours = (float(clock[tied[0] - 1]), float(clock[tied[0]])) if len(tied) else (0.0, 0.0)
    return Daily(int(np.diff(first, append=len(day)).max()), len(tied), hours)


def _groups(columns: Sequence[Array]) -> NDArray[np.intp]:
    """One number for each row (m,), the same where all columns agree; -1 where one is no number."""
    table = np.stack(columns, axis=1)
    known = np.isfinite(table).all(axis=1)
    groups = np.full(len(table), -1, dtype=np.intp)
    if known.any():
        groups[known] = np.unique(table[known], axis=0, return_inverse=True)[1].ravel()
    return groups
