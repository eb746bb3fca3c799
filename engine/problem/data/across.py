"""Where the rows of the data stand across a plot, and along which key a program may be off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..definition import DataTable, GaussianKnown, Match, Predictions, Problem, StudentTNoise
from .comparison import column, place

Array = NDArray[np.float64]

STROKE = 0.2  # to either side of a single place: a line through one point is not seen
FEWEST_FACTORS, LEAST_FACTOR = 4, 100.0  # places, and the last divided by the first, from which they may be spread by factors


def across(problem: Problem, match: Match) -> tuple[Array, str]:
    """The place of each row of the data (n,) and what it is called. Raises ComparisonError.

    The key; without one the first other column that increases; else the row number.
    """
    assert problem.data is not None
    if match.keys:
        return place(match, problem.data)[:2]
    return _increasing(problem, problem.data, match.column)


def values_left_out(problem: Problem, match: Match) -> tuple[Array, Array]:
    """The places and the values (m,) of what was measured but is left out of ``match``. Raises ComparisonError."""
    assert problem.data is not None
    values = column(problem.data, match.column)
    rows = [row - 1 for row in match.left_out if 1 <= row <= len(values) and np.isfinite(values[row - 1])]
    return across(problem, match)[0][rows], values[rows]


def known_sds(problem: Problem, match: Match, n: int) -> Array:
    """(n,) standard deviation of each row's error where the noise model says it; NaN elsewhere."""
    meaning = problem.meaning
    noise = match.noise or (meaning.noise if isinstance(meaning, Predictions) else None)
    sd: float | None = None
    column = match.sd_column
    if isinstance(noise, GaussianKnown):
        sd, column = noise.sd, column or noise.sd_column
    elif isinstance(noise, StudentTNoise):
        sd, column = noise.scale, column or noise.scale_column
    if column and problem.data and column in problem.data.columns and len(problem.data.columns[column]) == n:
        return np.array([np.nan if v is None else v for v in problem.data.columns[column]], dtype=float)
    return np.full(n, np.nan if sd is None else sd)


def _increasing(problem: Problem, data: DataTable, name: str) -> tuple[Array, str]:
    used = {m.column for m in problem.meaning.matches} if isinstance(problem.meaning, Predictions) else {name}
    n = len(column(data, name))
    for other in data.columns:
        values = column(data, other)
        if other not in used and len(values) == n and np.isfinite(values).all() and (np.diff(values) > 0).all():
            return values, other
    return np.arange(1.0, n + 1), "row of the data"


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
