"""Measured dates that say no hour, and a program that computes several hours of a day: which of them belongs to a date. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.by_day import DAY, Daily, Days, daily, days_of, without_hours
from bayescope.engine.problem.data.rows.comparison import (
    ComparisonError,
    key_codes,
    key_values,
    measured_values,
)
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits
from bayescope.gui.models.data.dates.stated_days import stated_day
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
BUTTON = "Pair by the day"
UNDO = "Pair by the day"
KEEP_HOUR = "The value at 0 h is right"
NEAREST = "Each date gets the value of its day that is nearest to 12 h"


@dataclass(frozen=True)
class ByDay:
    """Comparison ``row`` and all others of the same dates, paired by the day in ``problem``. ``words``: why, a sentence;
    ``hint``: what is done then."""

    row: int
    problem: d.Problem
    words: str
    hint: str


def first_by_day(problem: d.Problem, report: TrialRunReport | None) -> ByDay | None:
    """The first comparison of dates without an hour whose rows fit, but with the value that a program of hours has at 0 h."""
    meaning = problem.meaning
    for row in range(len(meaning.matches)) if isinstance(meaning, d.Predictions) else ():
        found = compared(problem, row, report)
        if found is None or _dates(found[0], found[1]) is None or not fits(*found[:3]):
            continue
        if (one := by_day(problem, row, report)) is not None and one.words:
            return one
    return None


def by_day(problem: d.Problem, row: int, report: TrialRunReport | None) -> ByDay | None:
    """Comparison ``row`` by the day; None: its dates say hours, or the program computes one value a day, which pairs already.

    ``words`` are '' where the program's hours may be no clock: it counts in days from a day 0 that it does not state.
    """
    found = compared(problem, row, report)
    known = None if found is None else _dates(found[0], found[1])
    if found is None or known is None or not isinstance(problem.meaning, d.Predictions):
        return None
    match, data, outputs, _ = found
    if match.by_day or match.interpolate:
        return None
    days, keys = known
    told, name = daily(days, keys, key_values(match, outputs)[0]), match.keys[0][0]
    every = tuple(_by_day(m) if m.keys[:1] == match.keys[:1] and not m.interpolate else m for m in problem.meaning.matches)
    trial = _by_day(match)
    if told.most < 2 and (fits(match, data, outputs) or not fits(trial, data, outputs)):
        return None
    output = next((o for o in problem.outputs if o.name == name), None)
    clock = days.unit < DAY or (output is not None and stated_day(output, report) is not None)
    counts = day_zero.counted(match.keys[0][1])
    dates = f"The dates of “{one_line(match.keys[0][1] if counts is None else counts.name, 30)}” say no hour"
    words = f"{dates}, and “{one_line(name, 24)}” has {told.most} values on a day"
    return ByDay(
        row, msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=every)),
        f"{words}: rows are paired with the one at 0 h." if clock and told.most > 1 else "", f"{NEAREST}.{_ties(told)}",
    )  # fmt: skip


def by_day_note(problem: d.Problem, row: int, report: TrialRunReport | None) -> str:
    """What is done in comparison ``row``, which is paired by the day; '' where it is not, or nothing is known."""
    told = _told(problem, row, report)
    many = f" of {told.most}" if told is not None and told.most > 1 else ""
    return "" if told is None else f"Each date has the value of its day{many} that is nearest to 12 h.{_ties(told)}"


def ties_words(problem: d.Problem, row: int, report: TrialRunReport | None) -> str:
    """On which days of comparison ``row``, paired by the day, two values are equally near to noon, a sentence; '' for none."""
    told = _told(problem, row, report)
    return "" if told is None else _ties(told).strip()


def _told(problem: d.Problem, row: int, report: TrialRunReport | None) -> Daily | None:
    found = compared(problem, row, report)
    if found is None or not found[0].by_day or (known := _dates(found[0], found[1])) is None:
        return None
    return daily(*known, key_values(found[0], found[2])[0])


def _dates(match: d.Match, data: d.DataTable) -> tuple[Days, Array] | None:
    """How the first key of ``match`` counts, and those of its measured rows (n,), which say no hour; None: they do, or are no
    dates."""
    if not match.keys or (days := days_of(data, match.keys[0][1])) is None:
        return None
    try:
        keys = key_codes(data, match.keys[0][1])[~np.isnan(measured_values(match, data))]
    except ComparisonError:
        return None
    return (days, keys) if without_hours(days, keys) else None


def _by_day(match: d.Match) -> d.Match:
    return msgspec.structs.replace(match, by_day=True, key_tolerance=None)


def _ties(told: Daily) -> str:
    if not told.ties:
        return ""
    one, other = (_clock(hour) for hour in told.hours)
    return f" On {told.ties} day{'s' if told.ties > 1 else ''} two are equally near ({one} and {other}): the earlier one counts."


def _clock(seconds: float) -> str:
    minutes = round(seconds / 60.0)
    return f"{minutes // 60} h" if minutes % 60 == 0 else f"{minutes // 60}:{minutes % 60:02}"
