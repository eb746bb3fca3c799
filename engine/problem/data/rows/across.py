"""Where the rows of the data stand across a plot, and along which key a program may be off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...definition import DataTable, GaussianKnown, Match, Predictions, Problem, StudentTNoise
from ...numbers.shown_digits import spoken
from ..names.column_names import sd_columns, unit_in, without_unit
from ..names.label_words import says_label
from .compared import error_sizes
from .comparison import ComparisonError, column, key_codes, key_label, key_texts, place, with_limits
from .place_columns import may_say_where
from .text_keys import unit_of

Array = NDArray[np.float64]

ROW = "row of the data"  # what a place is called where no column says it
STROKE = 0.2  # to either side of a single place: a line through one point is not seen
MOST_APART = 60  # numbered things; more numbers are rather counts along something
FEWEST_FACTORS, LEAST_FACTOR = 4, 100.0  # places, and the last divided by the first, from which they may be spread by factors


def across(problem: Problem, match: Match) -> tuple[Array, str]:
    """The place of each row of the data (n,) and what it is called. Raises ComparisonError.

    The key; without one a column of times or dates, then one that says where, its entries there and different wherever something
    was measured (NaN elsewhere); then the first other column that increases, numbers of things last; else the row number. What is
    compared, and standard deviations, are no place.
    """
    assert problem.data is not None
    if match.keys:
        return place(match, problem.data)[:2]
    data, used = problem.data, _not_places(problem, problem.data, match)
    name = _said_place(data, match, used)
    return _increasing(data, match.column, used) if name is None else (key_codes(data, name), key_label(data, name))


def texts_across(problem: Problem, match: Match) -> tuple[str, ...]:
    """The labels, times or dates (n,) by which the rows of the data are known; () where these are numbers or there are none.
    Raises ComparisonError."""
    assert problem.data is not None
    data = problem.data
    name = match.key_column if match.keys else _said_place(data, match, _not_places(problem, data, match))
    return tuple(key_texts(data, name)) if name is not None and name in data.texts else ()


def keys_across(problem: Problem, match: Match, rows: NDArray[np.intp]) -> tuple[str, ...]:
    """The numbers by which these ``rows`` (m,) are paired, with the names of their columns, in words: Wavelength 650 nm; () where
    these are texts, or there are none."""
    cells = {} if problem.data is None else problem.data.columns
    keyed = [(column, cells[column]) for _, column in match.keys if column in cells]
    units = {column: f" {unit}" if (unit := unit_in(column)) else "" for column, _ in keyed}

    def told(row: int) -> str:
        there = ((column, value) for column, values in keyed if (value := values[row]) is not None)
        return ", ".join(f"{without_unit(column)} {spoken(value, 6)}{units[column]}" for column, value in there)

    return tuple(told(int(row)) for row in rows) if keyed else ()


def names_across(problem: Problem, match: Match) -> tuple[str, tuple[str, ...]]:
    """What stands below the axis instead of numbers: the column of dates or labels, and its entries (n,); ('', ()) where the
    places of ``across`` are numbers that say enough. Raises ComparisonError.

    Without a key also a column that is filled, with different entries, only where something was measured (joined tables).
    """
    assert problem.data is not None
    data = problem.data
    if match.keys:
        name = match.keys[0][1] if len(match.keys) == 1 else ""
    else:
        said = _said_place(data, match, _not_places(problem, data, match))
        name = said or (labelled(data, match) if across(problem, match)[1] == ROW else "")
    texts = data.texts.get(name, ())
    if not any(texts) or unit_of(texts) == "s":  # seconds of a clock are numbers
        return "", ()
    return name, tuple(key_texts(data, name))


def apart(problem: Problem, match: Match) -> bool:
    """Whether nothing lies between the measured rows, so that no line joins what is predicted there: they are known by labels, or
    by the numbers of things (gauges, nodes). Raises ComparisonError."""
    assert problem.data is not None
    data = problem.data
    x, label = across(problem, match)
    name, texts = names_across(problem, match)
    if name or (match.keys and not place(match, data)[2]):
        return not unit_of(texts)
    there = np.flatnonzero(np.isfinite(with_limits(data, match.column)))
    if label == ROW:
        return any(_all_filled(cells, there) and not unit_of(cells) for cells in data.texts.values())
    numbers = x[there][np.isfinite(x[there])]
    return says_label(label) and len(numbers) <= MOST_APART and bool(np.all(numbers == np.round(numbers)))


def _all_filled(cells: Sequence[str | None], rows: NDArray[np.intp]) -> bool:
    """Whether each of two rows or more has an entry."""
    return len(rows) > 1 and len(cells) > int(rows.max()) and all(cells[i] for i in rows)


def labelled(data: DataTable, match: Match) -> str:
    """A column of texts with an entry of its own in each row where something was measured (age groups); '' if there is none."""
    there = np.flatnonzero(np.isfinite(with_limits(data, match.column)))
    for name, cells in data.texts.items():
        if len(cells) > max(there, default=-1) >= 0:
            entries = [cells[i] for i in there]
            if all(entries) and len(set(entries)) == len(entries) > 1:
                return name
    return ""


def _not_places(problem: Problem, data: DataTable, match: Match) -> set[str]:
    return _compared(problem, match.column) | set(sd_columns(list(data.columns)))


def _said_place(data: DataTable, match: Match, used: set[str]) -> str | None:
    """A column of times or dates, or one that says where, with different entries wherever something was measured."""
    there = np.isfinite(with_limits(data, match.column))
    times = [name for name, cells in data.texts.items() if unit_of(cells)]
    for name in (*times, *(c for c in data.columns if c not in used and may_say_where(data, c))):
        x = key_codes(data, name)
        if len(x) == len(there) and np.isfinite(x[there]).all() and len(np.unique(x[there])) == there.sum() > 1:
            return name
    return None


def smooth_over(problem: Problem, match: Match) -> tuple[Array, str]:
    """As ``across``, but without a key only numbers that increase: stored lengths count in these. Raises ComparisonError."""
    assert problem.data is not None
    if match.keys:
        return place(match, problem.data)[:2]
    return _increasing(problem.data, match.column, _compared(problem, match.column))


def _compared(problem: Problem, name: str) -> set[str]:
    return {m.column for m in problem.meaning.matches} if isinstance(problem.meaning, Predictions) else {name}


def values_left_out(problem: Problem, match: Match) -> tuple[Array, Array]:
    """The places and the values (m,) of what was measured but is left out of ``match``. Raises ComparisonError."""
    assert problem.data is not None
    values = with_limits(problem.data, match.column)
    rows = [row - 1 for row in match.left_out if 1 <= row <= len(values) and np.isfinite(values[row - 1])]
    return across(problem, match)[0][rows], values[rows]


def known_sds(problem: Problem, match: Match, n: int) -> Array:
    """(n,) standard deviation of each row's error where the noise model says it; NaN elsewhere."""
    meaning = problem.meaning
    noise = match.noise or (meaning.noise if isinstance(meaning, Predictions) else None)
    try:
        sizes = error_sizes(match, noise or GaussianKnown(), problem.data) if problem.data is not None else None
    except ComparisonError:
        sizes = None  # said where the table is checked
    if sizes is not None and len(sizes) == n:
        return sizes
    sd = noise.sd if isinstance(noise, GaussianKnown) else noise.scale if isinstance(noise, StudentTNoise) else None
    return np.full(n, np.nan if sd is None else sd)


def _increasing(data: DataTable, name: str, used: set[str]) -> tuple[Array, str]:
    n = len(column(data, name))
    for other in sorted(data.columns, key=says_label):  # numbers of samples where nothing else increases
        values = column(data, other)
        if other not in used and len(values) == n and np.isfinite(values).all() and (np.diff(values) > 0).all():
            return values, other
    return np.arange(1.0, n + 1), ROW


def by_factors(x: Array) -> bool:
    """Whether places (n,) are spread evenly by factors (frequencies, doses) rather than by steps."""
    places = np.unique(x)
    if len(places) < FEWEST_FACTORS or places[0] <= 0 or places[-1] < LEAST_FACTOR * places[0]:
        return False
    steps, factors = np.diff(places), np.diff(np.log(places))
    return bool(factors.std() / factors.mean() < steps.std() / steps.mean())


def along(places: Array) -> tuple[Array, NDArray[np.intp]]:
    """Where a line through places (n,) goes, from left to right, and which of them it joins there: (k,) both.

    A single place gets a short level stroke, so that one value can be seen beside another.
    """
    if len(places) == 1:
        return places[[0, 0]] + np.array([-STROKE, STROKE]) * max(abs(float(places[0])) * 1e-3, 1.0), np.zeros(2, dtype=np.intp)
    order = np.argsort(places)
    return places[order], order
