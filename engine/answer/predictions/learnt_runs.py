"""Any output of the runs that an answer was learnt from, predicted by the Gaussian processes that were learnt with it.

Outputs of the measured rows are learnt with an answer. All that a run printed is in the session file, so principal components of
any other output are predicted by those processes, each by the one whose lengths explain it best (greatest likelihood with the
amplitude maximized, Rasmussen and Williams 2006, section 5.4.1). Numpy only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...numerics.linear_algebra import stable_factors, stable_inverse
from ...problem.checks.program_inputs import seen_by_program, smooth_inputs
from ...problem.definition import Problem
from ...session.stored_arrays import Arrays, NotEmulated
from ..posterior import StoredPosterior
from .emulated import HIGH, LARGEST_LOGARITHM, LOW, LightEmulator

Array = NDArray[np.float64]
Outputs = dict[int, dict[str, Array]]

DRAWS, CURVE_DRAWS = 4000, 300  # of the posterior: of ends that are told as numbers, of curves that are looked at
LARGE = 50  # values of one output, from which on it is a curve
MOST_COMPONENTS, LEAST_SHARE = 12, 1e-8  # of a curve, and of its variance for the next one to count
FEWEST_RUNS = 4
SMALLEST = 1e-300


@dataclass(frozen=True)
class RunsMade:
    """The n runs that count: theta (n, D) in the user's units, their outputs by index, and what each stands for of the posterior
    (n,), which is needed where no outputs were learnt."""

    theta: Array
    indices: Sequence[int]
    outputs: Outputs
    weights: Array | None = None


@dataclass(frozen=True)
class _Process:
    """Components (C,) of one output, ``size`` (C,) each, predicted by one of the processes: ``alpha`` (n, C), ``inverse`` (n, n)
    covariance, ``variance`` (C,) by which its prior is multiplied."""

    emulator: LightEmulator  # of one process and the runs that are at hand
    inverse: Array
    alpha: Array
    size: Array
    variance: Array

    def predict(self, at: Array) -> tuple[Array, Array]:
        """Mean and sd (m, C) at standardized inputs (m, d)."""
        cross = self.emulator.covariance(self.emulator.x, at)[0]  # (n, m)
        left = self.emulator.prior_variance(at)[0] - (cross * (self.inverse @ cross)).sum(0)
        sd = np.sqrt(np.maximum(left, 0.0)[:, None] * self.variance)
        return cross.T @ self.alpha * self.size, sd * self.size


@dataclass(frozen=True)
class LearntOutput:
    """L values of one output, t = middle + z directions, of logarithms where ``log``; ``missed`` (n, L): by how much the runs are
    missed when each is predicted without itself; ``values`` (n, L): of those runs."""

    processes: tuple[tuple[NDArray[np.intp], _Process], ...]  # and which components each predicts
    middle: Array
    directions: Array  # (C, L)
    left: Array  # (L,) sd of what no component holds
    log: bool
    values: Array
    missed: Array

    @property
    def known(self) -> float:
        """Share of the variance over the runs that is predicted without the run itself, of the value that is known worst."""
        spread = np.maximum(self.values.var(axis=0), SMALLEST)
        return float((1.0 - np.mean(self.missed**2, axis=0) / spread).min())

    def _scores(self, at: Array) -> tuple[Array, Array]:
        mean, sd = np.empty((2, len(at), len(self.directions)))
        for which, process in self.processes:
            mean[:, which], sd[:, which] = process.predict(at)
        return mean, sd

    def _back(self, t: Array) -> Array:
        return np.exp(np.clip(t, -LARGEST_LOGARITHM, LARGEST_LOGARITHM)) if self.log else t

    def band(self, at: Array) -> tuple[Array, Array, Array] | None:
        """Low end, median and high end (L,) of what the program would return at points drawn from the posterior, (m, d)
        standardized inputs; None: not finite."""
        rng = np.random.default_rng(0)
        at = at if len(self.middle) < LARGE else at[:CURVE_DRAWS]
        mean, sd = self._scores(at)
        scores = mean + sd * rng.standard_normal(mean.shape)
        drawn = self._back(self.middle + scores @ self.directions + self.left * rng.standard_normal((len(at), 1)))
        low, middle, high = np.quantile(drawn, (LOW, 0.5, HIGH), axis=0)
        return (low, middle, high) if np.isfinite([low, middle, high]).all() else None

    def band_at(self, place: Array) -> tuple[Array, Array, Array]:
        """The same of what is thought possible at one place (d,)."""
        from scipy.special import ndtri

        mean, sd = self._scores(place[None])
        middle = self.middle + mean[0] @ self.directions
        reach = ndtri(HIGH) * np.sqrt(sd[0] ** 2 @ self.directions**2 + self.left**2)
        return self._back(middle - reach), self._back(middle), self._back(middle + reach)


@dataclass(frozen=True)
class LearntRuns:
    """``runs``: those of the emulator that are at hand, ``rows`` their positions among the runs made; ``at`` (m, d): standardized
    posterior draws."""

    emulator: LightEmulator
    runs: NDArray[np.intp]
    rows: NDArray[np.intp]
    at: Array

    @classmethod
    def of(
        cls, problem: Problem, cells: int, runs: RunsMade, posterior: StoredPosterior | None, arrays: Arrays
    ) -> LearntRuns | None:
        """Of an answer for so many measured ``cells``. None where outputs were not learnt, or the runs that they were learnt from
        are not at hand."""
        if posterior is None or not len(runs.theta):
            return None
        space = posterior.space
        seen = seen_by_program(problem, space)
        try:
            emulator = LightEmulator.of(arrays, len(seen), cells)
            points = space.to_inference(runs.theta), posterior.sample_in_inference(DRAWS, seed=0)
        except (NotEmulated, ValueError):
            return None
        made, at = (smooth_inputs(space, seen, u) for u in points)
        of = emulator.learnt_from(made)
        return cls(emulator, np.flatnonzero(of >= 0), of[of >= 0], (at - emulator.centre) / emulator.width)

    def output(self, values: Array, of: NDArray[np.intp], log: bool) -> LearntOutput | None:
        """What is learnt of an output with ``values`` (k, L) in the runs ``of`` (k,), positions among the runs made; ``log``: of
        its logarithms if all are positive. None: in too few of the runs."""
        where = {int(run): k for k, run in enumerate(of)}
        kept = np.array([i for i, run in enumerate(self.rows) if int(run) in where], dtype=np.intp)
        if len(kept) < FEWEST_RUNS:
            return None
        y = values[[where[int(self.rows[i])] for i in kept]]
        log = log and bool((y > 0.0).all())
        t = np.log(y) if log else y
        middle = t.mean(axis=0)
        u, s, v = np.linalg.svd(t - middle, full_matrices=False)
        count = max(1, int((s[:MOST_COMPONENTS] ** 2 > LEAST_SHARE * (s**2).sum()).sum()))
        processes, missed = self._processes(kept, u[:, :count] * s[:count])
        left = ((u[:, count:] * s[count:]) @ v[count:]).std(axis=0)
        off = missed @ v[:count]
        made = LearntOutput(processes, middle, v[:count], left, log, y, off)
        return replace(made, missed=y - made._back(t - off)) if log else made

    def either_way(self, values: Array, of: NDArray[np.intp]) -> LearntOutput | None:
        """As ``output``, of values or of their logarithms: what misses the runs less."""
        found = [o for log in (False, True) if (o := self.output(values, of, log)) is not None]
        return max(found, key=lambda o: o.known) if found else None

    def _processes(
        self, kept: NDArray[np.intp], scores: Array
    ) -> tuple[tuple[tuple[NDArray[np.intp], _Process], ...], Array]:
        """Of the components whose scores (n, C) the runs ``kept`` have, and by how much these are missed without the run."""
        rows, n = self.runs[kept], len(kept)
        covariances = self.emulator.covariance_of_runs(rows)
        factors, inverse = stable_factors(covariances), stable_inverse(covariances)
        size = np.maximum(scores.std(axis=0), SMALLEST)
        alpha = inverse @ (scores / size)  # (K, n, C)
        amplitude = np.maximum(np.einsum("nc,knc->kc", scores / size, alpha) / n, 1e-12)
        halves = np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)
        best = np.argmin(0.5 * n * np.log(amplitude) + halves[:, None], axis=0)
        missed, made = np.empty(scores.shape), []
        for k in np.unique(best):
            which = np.flatnonzero(best == k)
            diagonal = np.diagonal(inverse[k])[:, None]
            mine, larger = alpha[k][:, which], amplitude[k, which]
            missed[:, which] = mine / diagonal * size[which]
            left_out = np.maximum(1.0, np.mean(mine**2 / diagonal, axis=0) / larger)  # squared, in variances
            made.append((which, _Process(self._one(k, rows), inverse[k], mine, size[which], larger * left_out)))
        return tuple(made), missed

    def _one(self, k: int, rows: NDArray[np.intp]) -> LightEmulator:
        """Process ``k`` alone with the runs ``rows``: enough for its covariances."""
        e = self.emulator
        return replace(e, x=e.x[rows], alpha=e.alpha[[k]][:, rows], extra=e.extra[[k]][:, rows], theta=e.theta[[k]])
