"""Dates that are to be paired with an output of plain numbers, such as days since a start: counted from a day 0. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.dates.by_day import Days, by_days, without_hours
from bayescope.engine.problem.data.dates.calendars import CIVIL, all_dates, counts_alike, elapsed, texts_elapsed
from bayescope.engine.problem.data.dates.stated_day_zero import Stated
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.engine.problem.data.rows.comparison import measured_values
from bayescope.engine.problem.data.rows.text_keys import UNITS, counts_from_zero, date_of, seconds_of, unit_of
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.numbers.shown_digits import among
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, read_now
from bayescope.gui.models.data.dates.clock_units import clock_units, unit_said
from bayescope.gui.models.data.dates.day_zero import with_columns_renamed
from bayescope.gui.models.data.dates.lasting import beyond
from bayescope.gui.models.data.dates.stated_days import stated_days
from bayescope.gui.models.data.keys.part_keys import agree, pair_all, with_key
from bayescope.gui.models.data.mismatches import Mismatch
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
BUTTON = "Count in {} from a day &0"
BUTTON_SAID = "C&ount in {} from {}"
NOTHING_SAID: Mapping[str, Stated] = MappingProxyType({})
NO_UNITS: Mapping[str, str] = MappingProxyType({})
UNDO = "Count dates from a day 0"
PLURAL = {"d": "days", "h": "hours", "min": "minutes", "s": "seconds"}  # the likeliest first
MOST_SHIFTS = 200_000  # differences of a date and a number, looked through while the window waits
SHOWN = 3  # numbers of the output
WITHIN = 0.4  # of a partner: what a date counts that lies between a program's times, beside one that is among them


@dataclass(frozen=True)
class Counting:
    """Dates of ``column``, counted in ``unit`` from ``start`` (s since 1970) as output ``clock`` counts; so many ``rows`` of
    ``dates`` find a partner then. ``numbers``: the first ones of the output, empty where none are known yet. ``said``: the words
    of the program that ``start`` is its day 0, '' where that is a guess. ``outside``: where dates without a partner lie.
    ``calendar``: by whose days they are to be counted. ``unread``: ``clock`` is no output, but the program's."""

    column: str
    clock: str
    unit: str
    start: float
    rows: int
    dates: int
    numbers: tuple[float, ...] = ()
    said: str = ""
    outside: str = ""
    calendar: str = CIVIL
    unread: bool = False

    @property
    def button(self) -> str:
        if self.said:
            return BUTTON_SAID.format(PLURAL[self.unit], day_zero.written(self.start))
        return BUTTON.format(PLURAL[self.unit])

    @property
    def words(self) -> str:
        """Why dates are to be counted, for where the button stands."""
        numbers = ", ".join(among(v, self.numbers) for v in self.numbers)
        shown = f"{numbers} and so on" if self.numbers else f"in {PLURAL[self.unit]}"
        said = f": “{one_line(self.said, 60)}”" if self.said else ""
        if self.unread:
            counts = f"“{one_line(self.clock, 24)}” of the program, which no output reads yet, counts {PLURAL[self.unit]}"
            return f"“{one_line(self.column, 30)}” holds dates. {counts}{said}"
        words = f"“{one_line(self.column, 30)}” holds dates, but output “{one_line(self.clock, 24)}” counts {shown}{said}"
        if not self.numbers or self.rows == self.dates:
            return words
        return f"{words}. {self.rows} of {self.dates} dates find a partner then{f'; {self.outside}' if self.outside else ''}"


def clocks(problem: d.Problem, report: TrialRunReport | None) -> dict[str, Array]:
    """Outputs that count from about 0 on, or from a date that the program states, with what the newest test run printed of each
    (n,); before any test run those whose names say in what they count, with no numbers."""
    stated = stated_days(problem, report)
    if report is None:
        said = {*clock_units(problem), *stated}
        return {o.name: np.empty(0) for o in problem.outputs if not o.text and o.name in said}
    found = {}
    for name, output in read_now(problem, report).items():
        values = np.array([np.nan if v is None else v for v in output.values], dtype=float)
        if not any(output.texts) and (counts_from_zero(values) or (name in stated and _never_goes_back(values))):
            found[name] = values
    return found


def _never_goes_back(values: Array) -> bool:
    """Whether values (n,) may be times, one after the other."""
    return bool(np.all(np.diff(values[np.isfinite(values)]) >= 0.0))


def counting(
    name: str,
    cells: Sequence[str | None],
    found: Mapping[str, Array],
    start: float | None = None,
    sure: bool = False,
    stated: Mapping[str, Stated] = NOTHING_SAID,
    units: Mapping[str, str] = NO_UNITS,
) -> Counting | None:
    """How dates ``cells`` of column ``name`` are counted so that most of them stand in one of the outputs ``found``; None: they
    are no dates, or no output counts time by its name or its numbers, unless it is ``sure``. ``start``: day 0, where known.
    ``stated``: from which dates outputs count, as the program says; in a zone that the dates do not state it tells nothing.
    ``units``: what outputs count in, where words tell it."""
    others = {one.calendar for one in stated.values()} - {CIVIL}
    if not found or not (unit_of(cells) == "s since 1970" or any(all_dates(cells, calendar) for calendar in others)):
        return None
    zoned = any(date.zone for t in cells if t and (date := date_of(t)))
    stated = {clock: one for clock, one in stated.items() if zoned or not one.zoned}
    told = {clock: units.get(clock) or unit_said(clock) for clock in found}
    each = (_counted(name, clock, cells, v, start, stated.get(clock), told[clock]) for clock, v in found.items())
    tried = [one for one in each if one is not None]
    if not tried:
        return None
    best = max(tried, key=lambda one: (one.rows, bool(one.said), bool(told[one.clock])))
    return best if sure or agree(best.rows, best.dates) or told[best.clock] or best.clock in stated else None


def _counted(
    name: str, clock: str, cells: Sequence[str | None], values: Array, start: float | None, stated: Stated | None, unit: str
) -> Counting | None:
    """In the unit that the program says or the output (``unit``), else in the one with which most dates find a partner, or lie
    among the program's times, rather days than hours; from ``start``, else from the day that is stated, else from the one that
    pairs most of them. None: the calendar has not all of these dates."""
    dates = np.unique([s for t in cells if t and (s := seconds_of(t)) is not None])
    numbers = np.unique(values[np.isfinite(values)])
    unread = not len(numbers) and stated is not None and stated.of == clock
    unit_told = stated.unit if stated is not None and stated.unit else unit
    start = stated.start if start is None and stated is not None else start
    said = stated.words if stated is not None and stated.start == start else ""
    civil = unit_of(cells) == "s since 1970"  # years have all of them; 30 February only those of a calendar that is stated
    other = stated is not None and start is not None and not (civil and counts_alike(dates, start, stated.calendar))
    calendar = stated.calendar if stated is not None and other else CIVIL
    if not civil and not (calendar != CIVIL and all_dates(cells, calendar)):
        return None
    zero = float(dates[0]) if start is None else start
    since = elapsed(dates, zero, calendar) if civil else np.unique(texts_elapsed([t for t in cells if t], zero, calendar))
    count = len(dates) if civil else len(since)
    since = since[np.isfinite(since)]  # without dates that the calendar does not have
    best: Counting | None = None
    most = -1.0
    for unit in (unit_told,) if unit_told else PLURAL:
        keys = since / UNITS[unit]
        shift, rows = _shift(keys, numbers, start is not None)
        if start is None and not agree(rows, len(keys)):  # a few may fall together by chance: from the first date on
            shift, rows = 0.0, int(np.isin(np.round(keys, 6), np.round(numbers, 6)).sum())
        day, outside = zero - shift * UNITS[unit] if start is None else start, ""
        if start is not None and len(numbers):
            paired = _paired(keys, numbers, Days(UNITS[unit], start))
            rows, outside = int(paired.sum()), beyond(keys[~paired], numbers, UNITS[unit])
        between = int(((keys + shift >= numbers[0]) & (keys + shift <= numbers[-1])).sum()) if len(numbers) else 0
        fits = rows + WITHIN * max(between - rows, 0)
        if fits > most:
            most, first = fits, tuple(map(float, numbers[:SHOWN]))
            best = Counting(name, clock, unit, float(day), rows, count, first, said, outside, calendar, unread)
    assert best is not None
    return best


def _paired(keys: Array, numbers: Array, days: Days) -> NDArray[np.bool_]:
    """Which dates (n,) stand among the numbers (m,); those without an hour may stand anywhere in their day."""
    exact = np.isin(np.round(keys, 6), np.round(numbers, 6))
    if not without_hours(days, keys):
        return exact
    mine, theirs = by_days(days, [keys], [numbers])
    return exact | np.isin(mine[0], theirs[0])


def _shift(keys: Array, numbers: Array, fixed: bool) -> tuple[float, int]:
    """What is added to the ``keys`` (n,) so that most of them stand among ``numbers`` (m,), the least that does; and how many."""
    if fixed or len(keys) * len(numbers) > MOST_SHIFTS or not len(numbers):
        return 0.0, int(np.isin(np.round(keys, 6), np.round(numbers, 6)).sum())
    shifts, rows = np.unique(np.round((numbers[None, :] - keys[:, None]).ravel(), 6), return_counts=True)
    most = shifts[rows == rows.max()]
    return float(most[np.argmin(np.abs(most))]), int(rows.max())


def dates_to_count(problem: d.Problem, index: int, report: TrialRunReport | None) -> Counting | None:
    """Of comparison ``index``, whose rows do not fit: the dates that pair it, or may, with an output that counts time."""
    found = compared(problem, index, report)
    if found is None or (match := found[0]).second_key_output or not found[1].texts:
        return None
    data, outputs, known = found[1], found[2], day_zero.start_of(found[1])
    there, stated, units = ~np.isnan(measured_values(match, data)), stated_days(problem, report), clock_units(problem)
    if match.key_output and match.key_column:
        counts = counts_from_zero(outputs[match.key_output]) or match.key_output in stated
        able = {match.key_output: outputs[match.key_output]} if counts else {}
        names = [match.key_column]
    else:
        n = len(outputs[match.output])
        able = {o: v for o, v in clocks(problem, report).items() if o != match.output and len(v) == n}
        names = list(data.texts)
    for name in names:
        cells = [t for t, here in zip(data.texts.get(name, ()), there, strict=False) if here]
        if (one := counting(name, cells, able, known, bool(match.keys), stated, units)) is not None:
            return one
    return None


def with_dates_counted(
    problem: d.Problem, index: int, report: TrialRunReport | None, found: Counting, start: float | None = None
) -> d.Problem:
    """``problem`` with these dates as numbers from ``start`` on (None: as proposed), and comparison ``index`` paired by them, and
    every other one whose rows they pair."""
    data = problem.data
    if data is None or found.column not in data.texts or not isinstance(problem.meaning, d.Predictions):
        return problem
    start = found.start if start is None else start
    others = [n for n in (*data.columns, *data.texts) if n != found.column]
    name = fresh(day_zero.named(found.column, found.unit, start, found.calendar), others)
    cells, unit = data.texts[found.column], UNITS[found.unit]
    if found.calendar == CIVIL:
        numbers = long_form.times_as_numbers(cells, unit, start)
    else:
        since = texts_elapsed(cells, start, found.calendar) / unit
        numbers = tuple(None if np.isnan(v) else float(v) for v in since)
    texts = {n: cells for n, cells in data.texts.items() if n != found.column}
    data = msgspec.structs.replace(data, columns={name: numbers, **data.columns}, texts=texts)
    changed = with_columns_renamed(problem, data, {found.column: name})
    assert isinstance(changed.meaning, d.Predictions)
    matches = tuple(_in_unit(m, found.unit) if m.key_column == name else m for m in changed.meaning.matches)
    changed = msgspec.structs.replace(changed, meaning=msgspec.structs.replace(changed.meaning, matches=matches))
    if (found.clock, name) not in matches[index].keys:
        changed = with_key(changed, index, (found.clock, name))
    return pair_all(changed, name, report) or changed


def _in_unit(match: d.Match, unit: str) -> d.Match:
    """Its tolerance was in seconds."""
    near = match.key_tolerance
    return match if near is None else msgspec.structs.replace(match, key_tolerance=near / UNITS[unit])


def with_counting(found: Mismatch | None, one: Counting | None, changed: d.Problem | None) -> Mismatch | None:
    """What is said of rows that do not fit where dates are to be counted, and nothing that does not help."""
    if found is None or one is None:
        return found
    start = day_zero.written(one.start) if one.said else "the day on which the program's time is 0"
    advice = f"{one.words}. Count the dates from {start}."
    return replace(
        found, suggestion=advice, counted=changed, count_words=one.button, nearest=None, left_out=None, mark=False
    )
