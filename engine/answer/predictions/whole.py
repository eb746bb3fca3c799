"""What is predicted for every row that the program recorded, also before, between and beyond the data.

The outputs learnt with an answer are those of the measured rows. The whole curve of each run is in the session file, so its
principal components are predicted by the Gaussian processes that were learnt, each by the one whose lengths explain it best
(greatest likelihood with the amplitude maximized, Rasmussen and Williams 2006, section 5.4.1). Numpy only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...numerics.linear_algebra import stable_factors, stable_inverse
from ...problem.checks.program_inputs import seen_by_program, smooth_inputs
from ...problem.data.across import across
from ...problem.data.comparison import ComparisonError, key_values, place, vector
from ...problem.definition import DataTable, Match, Predictions, Problem
from ...session.stored_arrays import Arrays, NotEmulated
from ..posterior import StoredPosterior
from .emulated import HIGH, LARGEST_LOGARITHM, LOW, LightEmulator
from .predictive import Outputs, Predicted, WholeCurve, weighted_band

Array = NDArray[np.float64]

MOST_NUMBERS = 2_000_000  # rows times runs: a second of work; of longer curves every k-th row is taken
COVERED = 0.8  # share of the runs that reach as far as the curve is shown
DRAWS = 300  # of the posterior
MOST_COMPONENTS, LEAST_SHARE = 12, 1e-8  # of a curve, and of its variance for the next one to count
FEWEST_RUNS = 4


@dataclass(frozen=True)
class RunsMade:
    """The n runs that count: theta (n, D) in the user's units, their outputs by index, and what each stands for of the posterior
    (n,), which is needed where no outputs were learnt."""

    theta: Array
    indices: Sequence[int]
    outputs: Outputs
    weights: Array | None = None


def with_whole_curves(
    problem: Problem, found: Sequence[Predicted], runs: RunsMade, posterior: StoredPosterior | None, arrays: Arrays
) -> list[Predicted]:
    """``found`` with the whole curve of each, where the program records more rows than were measured."""
    if problem.data is None or not isinstance(problem.meaning, Predictions):
        return list(found)
    learnt = _learnt(problem, found, runs, posterior, arrays)
    matches, made = list(problem.meaning.matches), []
    ends = np.cumsum([0, *(len(p.x) for p in found)])
    for p, first, last in zip(found, ends[:-1], ends[1:], strict=True):
        while matches and matches[0].column != p.y_label:
            matches.pop(0)
        match = matches.pop(0) if matches else None
        curves = None if match is None else _curves(problem, match, runs)
        made.append(p if curves is None else replace(p, whole=_whole(p, curves, runs, learnt, slice(first, last))))
    return made


def _whole(p: Predicted, curves: _Curves, runs: RunsMade, learnt: _Learnt | None, cells: slice) -> WholeCurve | None:
    """None where it says no more than the measured rows do."""
    if len(curves.x) <= len(p.x) and np.isin(curves.x, p.x).all():
        return None
    if p.bands is None:
        weights = np.zeros(len(curves.of)) if runs.weights is None else runs.weights[curves.of]
        good = weights > 0.0
        return WholeCurve(curves.x, *weighted_band(curves.values[good], weights[good], LOW, HIGH)) if good.any() else None
    return None if learnt is None else learnt.band(curves, bool((learnt.emulator.log[cells] > 0.0).all()))


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


# ---------------------------------------------------------------- by learnt outputs


@dataclass(frozen=True)
class _Learnt:
    """``runs``: those of the emulator that are at hand, ``rows`` their positions among the runs made; ``at`` (m, d): standardized
    posterior draws."""

    emulator: LightEmulator
    runs: NDArray[np.intp]
    rows: NDArray[np.intp]
    at: Array

    def band(self, curves: _Curves, log: bool) -> WholeCurve | None:
        """Posterior predictive of what the program would return, at every place of the curves."""
        where = {int(run): k for k, run in enumerate(curves.of)}
        kept = np.array([i for i, run in enumerate(self.rows) if int(run) in where], dtype=np.intp)
        if len(kept) < FEWEST_RUNS:
            return None
        y = curves.values[[where[int(self.rows[i])] for i in kept]]
        log = log and bool((y > 0.0).all())
        t = np.log(y) if log else y
        middle = t.mean(axis=0)
        u, s, v = np.linalg.svd(t - middle, full_matrices=False)
        count = max(1, int((s[:MOST_COMPONENTS] ** 2 > LEAST_SHARE * (s**2).sum()).sum()))
        left = (u[:, count:] * s[count:]) @ v[count:]
        rng = np.random.default_rng(0)
        scores = self._drawn(kept, u[:, :count] * s[:count], rng)
        drawn = middle + scores @ v[:count] + left.std(axis=0) * rng.standard_normal((len(scores), 1))
        drawn = np.exp(np.clip(drawn, -LARGEST_LOGARITHM, LARGEST_LOGARITHM)) if log else drawn
        low, mid, high = np.quantile(drawn, (LOW, 0.5, HIGH), axis=0)
        return WholeCurve(curves.x, low, mid, high) if np.isfinite([low, mid, high]).all() else None

    def _drawn(self, kept: NDArray[np.intp], scores: Array, rng: np.random.Generator) -> Array:
        """One draw (m, C) at each posterior draw of the components whose scores (n, C) the runs ``kept`` have."""
        runs, n = self.runs[kept], len(kept)
        x, covariances = self.emulator.x[runs], self.emulator.covariance_of_runs(runs)
        factors, inverse = stable_factors(covariances), stable_inverse(covariances)
        size = np.maximum(scores.std(axis=0), 1e-300)
        alpha = inverse @ (scores / size)  # (K, n, C)
        amplitude = np.maximum(np.einsum("nc,knc->kc", scores / size, alpha) / n, 1e-12)
        halves = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        best = np.argmin(0.5 * n * np.log(amplitude) + halves[:, None], axis=0)
        cross = self.emulator.covariance(x, self.at)  # (K, n, m)
        prior = self.emulator.prior_variance(self.at)
        drawn = np.empty((len(self.at), scores.shape[1]))
        for c, k in enumerate(best):
            diagonal = np.diagonal(inverse[k])
            left_out = np.mean(alpha[k, :, c] ** 2 / (diagonal * amplitude[k, c]))  # squared, in variances
            variance = prior[k] - np.einsum("nm,nl,lm->m", cross[k], inverse[k], cross[k])
            spread = np.sqrt(np.maximum(variance, 0.0) * amplitude[k, c] * max(1.0, float(left_out)))
            drawn[:, c] = (alpha[k, :, c] @ cross[k] + spread * rng.standard_normal(len(self.at))) * size[c]
        return drawn


def _learnt(
    problem: Problem, found: Sequence[Predicted], runs: RunsMade, posterior: StoredPosterior | None, arrays: Arrays
) -> _Learnt | None:
    """None where outputs were not learnt, or the runs that they were learnt from are not at hand."""
    if posterior is None or not len(runs.theta) or not any(p.bands is not None for p in found):
        return None
    space = posterior.space
    seen = seen_by_program(problem, space)
    try:
        emulator = LightEmulator.of(arrays, len(seen), sum(len(p.x) for p in found))
        points = space.to_inference(runs.theta), posterior.sample_in_inference(DRAWS, seed=0)
    except (NotEmulated, ValueError):
        return None
    made, at = (smooth_inputs(space, seen, u) for u in points)
    of = emulator.learnt_from(made)
    return _Learnt(emulator, np.flatnonzero(of >= 0), of[of >= 0], (at - emulator.centre) / emulator.width)
