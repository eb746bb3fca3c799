"""How far learnt outputs may be believed away from the runs: errors at runs predicted without those around them.

The emulator's own variance assumes its kernel and its components, which were learnt from runs near the data: off a narrow ridge
of runs it is far too small. What tells the error there is how far a predicted curve is from those of the nearest runs, and that
relation is measured: balls of runs are taken out and predicted from the others (leave-cluster-out cross-validation: Rasmussen
and Williams 2006, section 5.4.2, for the formulas without refitting).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...numerics.linear_algebra import stable_inverse
from ...problem.data.rows.comparison import ComparisonError, compare_match
from ...problem.definition import Predictions, Problem
from .emulated import HIGH, LightEmulator

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

NEIGHBOURS = 5  # nearest runs, of which the one whose outputs are most alike is compared with
CENTRES = 60  # of balls of runs that are predicted without each other
RADII = (0.0, 0.7, 1.5, 3.0)  # of the balls, in standard deviations of the runs
MOST_OUT = 0.5  # of the runs may be in a ball
ALIKE = 20  # errors at distances most like the asked one
OF_RUNS = 0.8  # quantile over those runs
NOT_KNOWN = 0.5  # error, as a part of the distance from the nearest runs, from which a curve says too little
MATTERS = 0.5  # noise units: a smaller error is shown by the band alone
FEWEST = 8  # errors from which anything is said
LEAST_SCATTER = 0.1  # noise units: a smaller nugget is found where the program is exact, too
SMALLEST = 1e-6  # noise units: distances are compared by their logarithm
LEAST_SPREAD = 1e-6  # of the runs in one direction, as a part of the largest


def cells_of(problem: Problem, outputs: Mapping[int, Mapping[str, ArrayLike]]) -> dict[int, Array]:
    """What each run gave at the measured cells (L,), by its index; runs that cannot be compared are left out."""
    if problem.data is None or not isinstance(problem.meaning, Predictions):
        return {}
    found = {}
    for index, read in outputs.items():
        try:
            compared = [compare_match(match, problem.data, read) for match in problem.meaning.matches]
        except ComparisonError:
            continue
        found[index] = np.concatenate([c.prediction[c.present] for c in compared])
    return found


@dataclass(frozen=True)
class OffRuns:
    """Runs learnt from, at standardized inputs x (n, d) with cells f (n, L) in noise units; ``whiten`` (d, d) makes them round.

    ``distance`` (t,) of predictions from the nearest of the other runs, increasing, and ``error`` (t,): of these predictions, as
    a part of that distance, beyond the scatter of a random program.
    """

    x: Array
    f: Array
    whiten: Array
    units: Array  # (L,) sizes of the noise
    parts: tuple[slice, ...]  # cells of each output
    distance: Array
    error: Array

    @classmethod
    def of(
        cls, emulator: LightEmulator, units: Array, parts: tuple[slice, ...], inputs: Array, cells: Array
    ) -> OffRuns | None:
        """From runs at ``inputs`` (N, d) that gave ``cells`` (N, L). None: too few of them are at hand."""
        at = (inputs - emulator.centre) / emulator.width
        good = np.isfinite(at).all(axis=1) & np.isfinite(cells).all(axis=1)
        at, f = at[good], cells[good] / units
        if len(at) == 0:
            return None
        of_run = emulator.learnt_from(inputs[good])
        learnt = np.flatnonzero(of_run >= 0)
        if len(learnt) < FEWEST:
            return None
        whiten = _whitening(emulator.x[learnt])
        made = cls(emulator.x[learnt], f[of_run[learnt]], whiten, units, parts, np.empty(0), np.empty(0))
        found = [*_without_balls(emulator, made, learnt)]
        others: Indices = np.setdiff1d(np.arange(len(at)), of_run)
        if len(others):  # runs too far from the data to be learnt from
            mean = emulator.scores(at[others] * emulator.width + emulator.centre)[0]
            whole = emulator.band_of(mean, np.broadcast_to(_scatter(emulator), mean.shape))
            for k, middle, high in zip(others, *whole[1:], strict=True):
                found.append(made._judged(middle, (high - middle) / units, made.f, made.x, at[k], f[k]))
        if len(found) < FEWEST:
            return None
        far, error = np.array(sorted(found)).T
        return cls(made.x, made.f, whiten, units, parts, far, error)

    def _judged(self, middle: Array, reach: Array, f: Array, x: Array, at: Array, true: Array) -> tuple[float, float]:
        """Distance of a prediction (L,) at inputs (d,) from the runs f at x, and its error beyond ``reach`` in parts of it."""
        far, shape = self._away(middle / self.units, at, f, x)
        beyond = np.maximum(np.abs(middle / self.units - true) - reach, 0.0)
        return far, float(np.quantile(beyond / np.maximum(shape, SMALLEST), HIGH - 0.05))

    def _away(self, middle: Array, at: Array, f: Array, x: Array) -> tuple[float, Array]:
        """Of cells (L,) predicted at inputs (d,): distance from the most alike of the nearest runs, and its size in each cell:
        half of its own, half of all of its output, for a difference that changes its sign is nowhere certain."""
        near = np.argsort((((x - at) @ self.whiten) ** 2).sum(axis=1))[:NEIGHBOURS]
        square = (middle - f[near]) ** 2
        best = square[int(square.mean(axis=1).argmin())]
        shape = np.concatenate([0.5 * best[p] + 0.5 * best[p].mean() for p in self.parts])
        return max(float(np.sqrt(best.mean())), SMALLEST), np.sqrt(shape)

    def at(self, at: Array, middle: Array) -> tuple[Array, bool]:
        """Half the least width (L,) of the band of a curve (L,) predicted at standardized inputs (d,), and whether the runs tell
        enough there."""
        far, shape = self._away(middle / self.units, at, self.f, self.x)
        nearest = np.argsort(np.abs(np.log(self.distance) - np.log(far)), kind="stable")
        beside = np.quantile(self.error[nearest[:ALIKE]], OF_RUNS)
        below = self.distance <= far  # a curve farther from the runs is not known better
        rolling = [np.quantile(self.error[below][-ALIKE:], OF_RUNS)] if below.sum() >= FEWEST else []
        part = float(max([beside, *rolling]))
        return part * shape * self.units, part < NOT_KNOWN or part * far < MATTERS


def _scatter(emulator: LightEmulator) -> Array:
    """Variance (K,) of the scores of a run about the surface: that of a random program, which is no error of what is learnt."""
    sd = np.exp(emulator.theta[:, -1]) * emulator.size
    return np.asarray(np.where(sd > LEAST_SCATTER, sd, 0.0) ** 2)


def _whitening(x: Array) -> Array:
    values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(x.T)))
    return np.asarray(vectors / np.sqrt(np.maximum(values, LEAST_SPREAD * max(float(values.max()), 1e-300))))


def _without_balls(emulator: LightEmulator, made: OffRuns, learnt: Indices) -> list[tuple[float, float]]:
    """Distances and errors of runs predicted without those around them; ``learnt``: rows of the emulator that ``made`` has."""
    n = len(emulator.x)
    covariance = emulator.covariance_of_runs()
    precision = stable_inverse(covariance)
    scores = np.einsum("knm,km->nk", covariance, emulator.alpha)
    white = emulator.x @ made.whiten
    place = {int(row): k for k, row in enumerate(learnt)}
    centres = learnt[np.random.default_rng(0).permutation(len(learnt))[:CENTRES]]
    found = []
    for centre in centres.tolist():
        away = np.sqrt(((white - white[centre]) ** 2).sum(axis=1))
        for radius in RADII:
            out = np.flatnonzero(away <= radius)
            if len(out) > MOST_OUT * n or (radius and len(out) == 1):
                continue
            block = stable_inverse(precision[:, out][:, :, out])  # (K, r, r) covariance of those left out, given the others
            here = int(np.flatnonzero(out == centre)[0])
            mean = scores[centre] - np.einsum("kr,kr->k", block[:, here], emulator.alpha[:, out])
            _, middle, high = emulator.band_of((mean * emulator.size)[None], _scatter(emulator)[None])
            rest = np.setdiff1d(np.arange(len(learnt)), [place[r] for r in out.tolist() if r in place])
            own = place[centre]
            if len(rest) >= NEIGHBOURS:
                reach = (high[0] - middle[0]) / made.units
                found.append(made._judged(middle[0], reach, made.f[rest], made.x[rest], made.x[own], made.f[own]))
    return found
