"""What is predicted for every row that the program recorded, also before, between and beyond the data.

The outputs learnt with an answer are those of the measured rows; whole curves are learnt from the session file (``learnt_runs``).
Numpy only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...problem.data.rows.across import across
from ...problem.data.rows.comparison import ComparisonError, key_values, place, vector
from ...problem.definition import DataTable, Match, Predictions, Problem
from ...session.stored_arrays import Arrays
from ..posterior import StoredPosterior
from .emulated import HIGH, LOW
from .learnt_runs import LearntRuns, RunsMade
from .predictive import Predicted, WholeCurve, weighted_band

Array = NDArray[np.float64]

MOST_NUMBERS = 2_000_000  # rows times runs: a second of work; of longer curves every k-th row is taken
COVERED = 0.8  # share of the runs that reach as far as the curve is shown


def with_whole_curves(
    problem: Problem, found: Sequence[Predicted], runs: RunsMade, posterior: StoredPosterior | None, arrays: Arrays
) -> list[Predicted]:
    """``found`` with the whole curve of each, where the program records more rows than were measured."""
    if problem.data is None or not isinstance(problem.meaning, Predictions):
        return list(found)
    emulated = any(p.bands is not None for p in found)
    learnt = LearntRuns.of(problem, sum(len(p.x) for p in found), runs, posterior, arrays) if emulated else None
    matches, made = list(problem.meaning.matches), []
    ends = np.cumsum([0, *(len(p.x) for p in found)])
    for p, first, last in zip(found, ends[:-1], ends[1:], strict=True):
        while matches and matches[0].column != p.y_label:
            matches.pop(0)
        match = matches.pop(0) if matches else None
        curves = None if match is None else _curves(problem, match, runs)
        made.append(p if curves is None else replace(p, whole=_whole(p, curves, runs, learnt, slice(first, last))))
    return made


def _whole(p: Predicted, curves: _Curves, runs: RunsMade, learnt: LearntRuns | None, cells: slice) -> WholeCurve | None:
    """None where it says no more than the measured rows do."""
    if len(curves.x) <= len(p.x) and np.isin(curves.x, p.x).all():
        return None
    if p.bands is None:
        weights = np.zeros(len(curves.of)) if runs.weights is None else runs.weights[curves.of]
        good = weights > 0.0
        return WholeCurve(curves.x, *weighted_band(curves.values[good], weights[good], LOW, HIGH)) if good.any() else None
    if learnt is None:
        return None
    output = learnt.output(curves.values, curves.of, bool((learnt.emulator.log[cells] > 0.0).all()))
    ends = None if output is None else output.band(learnt.at)
    return None if ends is None else WholeCurve(curves.x, *ends)


# ---------------------------------------------------------------- the curves of the runs


@dataclass(frozen=True)
class _Curves:
    """x (m,) increasing; values (k, m) of the runs ``of`` (k,), positions among the runs."""

    x: Array
    values: Array
    of: NDArray[np.intp]


def _curves(problem: Problem, match: Match, runs: RunsMade) -> _Curves | None:
    """Of all runs that reach as far as most of them do, at the places of the one with most rows; None: no curve over an axis."""
    assert problem.data is not None
    try:
        axis, on_axis = across(problem, match)[0], bool(match.keys) and place(match, problem.data)[2]
    except ComparisonError:
        return None
    if match.keys and not on_axis:
        return None
    read = [_curve(match, problem.data, axis, runs.outputs.get(i, {})) for i in runs.indices]
    there = [(k, c) for k, c in enumerate(read) if c is not None]
    if not there:
        return None
    low = float(np.quantile([c[0][0] for _, c in there], COVERED, method="inverted_cdf"))
    high = float(np.quantile([c[0][-1] for _, c in there], 1.0 - COVERED, method="inverted_cdf"))
    there = [(k, c) for k, c in there if c[0][0] <= low and c[0][-1] >= high]
    if not there:
        return None
    inside = [c[0][(c[0] >= low) & (c[0] <= high)] for _, c in there]
    x = max(inside, key=len)
    x = x[:: max(1, -(-len(x) * len(there) // MOST_NUMBERS))]
    values = np.array([c[1] if np.array_equal(c[0], x) else np.interp(x, *c) for _, c in there])
    return _Curves(x, values, np.array([k for k, _ in there])) if len(x) > 1 else None


def _curve(match: Match, data: DataTable, axis: Array, outputs: Mapping[str, ArrayLike]) -> tuple[Array, Array] | None:
    """x and values of one run, from left to right; None: it has none, or several at a place."""
    try:
        y = match.factor * vector(outputs, match.output) + match.offset
        x = key_values(match, outputs)[0] if match.keys else axis
    except ComparisonError:
        return None
    if len(x) != len(y):
        return None
    good = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[good], kind="stable")
    x, y = x[good][order], y[good][order]
    return (x, y) if len(x) > 1 and bool((np.diff(x) > 0.0).all()) else None
