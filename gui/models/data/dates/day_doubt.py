"""Whether day 0 of the keys is the program's: it says so, the user did, or it is a guess that is asked about. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.by_day import DAY
from bayescope.engine.problem.data.dates.calendars import counts_alike, recounted
from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.data.rows.text_keys import UNITS
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.dates.day_zero import key_day_zero, starts_at_first, with_columns_renamed, with_day_zero
from bayescope.gui.models.data.dates.stated_days import stated_day
from bayescope.gui.models.plain import one_line

CONFIRM = "It &is"
OTHER = "Another day 0…"
GUESS = "Nothing says so: it is a guess. Another day 0 pairs each date with a value of another time."
SAME = 0.5  # s: a day 0 that differs by less is the same


@dataclass(frozen=True)
class DayDoubt:
    """Day 0 (``start``, s since 1970) of the keys of comparison ``row`` is doubtful: a ``question`` and a ``hint``.

    ``stated``: the other one that the program states, with which the problem is ``mended``; None: it is a guess of this
    application that only waits to be confirmed.
    """

    row: int
    start: float
    question: str
    hint: str
    button: str
    dismiss: str
    stated: Stated | None = None
    mended: d.Problem | None = None

    @property
    def why(self) -> str:
        """Why it is doubtful, a clause."""
        if self.stated is None:
            return "nobody said so yet"
        return f"the program says {'another one' if self.stated.start != self.start else 'another calendar'}"


def day_said(start: float) -> str:
    """How it is noted that the user took ``start`` (s since 1970) as day 0; what the change is called, too."""
    return f"Day 0 is {day_zero.written(start)}"


def first_day_doubt(
    problem: d.Problem, report: TrialRunReport | None, kept: Collection[str], guessed: Collection[float]
) -> DayDoubt | None:
    """The first comparison with a doubtful day 0. ``kept``: what the user said; ``guessed``: days proposed, in s since 1970."""
    meaning = problem.meaning
    rows = range(len(meaning.matches)) if isinstance(meaning, d.Predictions) else ()
    return next((one for row in rows if (one := day_doubt(problem, row, report, kept, guessed)) is not None), None)


def day_doubt(
    problem: d.Problem, row: int, report: TrialRunReport | None, kept: Collection[str], guessed: Collection[float]
) -> DayDoubt | None:
    """Of comparison ``row``; None: its keys count from no date, or from one that the program or the user says."""
    if not isinstance(problem.meaning, d.Predictions) or not 0 <= row < len(problem.meaning.matches):
        return None
    match = problem.meaning.matches[row]
    counts = key_day_zero(match)
    if counts is None or day_said(counts.start) in kept:
        return None
    stated, now, name = stated_start(problem, match, report), day_zero.written(counts.start), one_line(counts.name, 30)
    if stated is not None and not stated.zoned:
        if (mended := _by_calendar(problem, counts, stated)) is not None:
            return DayDoubt(
                row, counts.start, f"“{name}” counts civil dates, but the program says “{one_line(stated.words, 80)}”.",
                "It has fewer or more days in its years: each date would be paired with a value of another one.",
                "Count by &its calendar", "It is right so", stated, mended,
            )  # fmt: skip
        if abs(stated.start - counts.start) < SAME:
            return None
        return DayDoubt(
            row, counts.start, f"“{name}” counts from {now}, but the program says “{one_line(stated.words, 60)}”.",
            "Each date would be paired with a value of another time.", f"Day &0 is {day_zero.written(stated.start)}",
            f"{now} is right", stated, with_day_zero(problem, stated.start, counts.start),
        )  # fmt: skip
    if stated is not None and abs(stated.start - counts.start) <= DAY:
        return None  # in which zone the dates are, nobody says
    if not starts_at_first(problem.data, match) and counts.start not in guessed:
        return None
    return DayDoubt(row, counts.start, f"Is {now} day 0 of the program, from which “{name}” counts?", GUESS, CONFIRM, OTHER)


def _by_calendar(problem: d.Problem, counts: day_zero.Counted, stated: Stated) -> d.Problem | None:
    """``problem`` with these dates counted by the calendar and from the day that the program states; None: no date differs."""
    data = problem.data
    cells = () if data is None else data.columns.get(counts.full, ())
    dates = np.array([np.nan if v is None else v * UNITS[counts.unit] + counts.start for v in cells], dtype=float)
    if data is None or counts_alike(dates, stated.start, stated.calendar):
        return None
    name = fresh(day_zero.named(counts.name, counts.unit, stated.start, stated.calendar), [*data.columns, *data.texts])
    civil = [None if np.isnan(s) else (s - stated.start) / UNITS[counts.unit] for s in dates]
    numbers = recounted(civil, counts.unit, stated.start, stated.calendar)
    columns = {name if n == counts.full else n: numbers if n == counts.full else c for n, c in data.columns.items()}
    return with_columns_renamed(problem, msgspec.structs.replace(data, columns=columns), {counts.full: name})


def stated_start(problem: d.Problem, match: d.Match, report: TrialRunReport | None) -> Stated | None:
    """What the program states of the output that pairs the dates of ``match``."""
    output = next((own for own, name in match.keys if day_zero.counted(name) is not None), "")
    found = next((o for o in problem.outputs if o.name == output), None)
    return None if found is None else stated_day(found, report)
