"""Recorded runs as a check of an emulator: each is predicted by one that was made without it and an eighth of the others.

Runs are no draws from the posterior. Each posterior draw is checked by the runs nearest to it: a run counts by how many draws it
is near to, and less if it lies lower than the posterior does. Parameters of the noise alone need no runs: their values are the
draw's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from ...loop_interface import LoopSettings, OutputCells
from ...numerics.linear_algebra import stable_factors, stable_inverse
from ...numerics.randomness import generator
from ...sampling.population_monte_carlo import PosteriorDraws
from ...sampling.proposal import regularized
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame
from ...surrogate.outputs.log_joint import EmulatedLogJoint
from .outputs import OutputsLearner
from .outputs_memory import MOST_INFLATED, WINDOW, OutputsMemory

Array = NDArray[np.float64]

FOLDS = 8  # an eighth of the runs is left out at a time: the others are hardly fewer than there are
SEARCHED = 60  # values up to which each has hyperparameters of its own; an eighth of more hardly moves them, and it takes seconds
DRAWS = 400  # posterior draws that are checked
NEIGHBOURS = 3  # runs by which each of them is
TAIL_FROM, TAIL_TO = 2.0, 9.0  # nats below the top between which a run tells of the tails
TYPICAL = 2.0  # nats, and half a nat per parameter, below the top: a run that lies lower counts less
LESS_SURE, SURE = 1.5, 0.3  # a draw's sd may be so many times that of the run it is checked by, or so many nats
FARTHEST = 50.0  # nats: a larger residual says no more
SMALLEST_SHARE = 1e-12  # of the weights, of a run that says anything
MOST_LACKING = 30.0  # ... of a tail


@dataclass(frozen=True)
class HeldOut:
    """``correction`` of log Z and its standard error ``se``; ``effective``: number of runs it comes from; ``excess``: mass that
    the tails lack, ``tails``: runs that told of them; ``rms`` of the residuals over the posterior; ``unchecked``: share of the
    posterior known less well than the run nearest to it."""

    correction: float
    se: float
    effective: float
    excess: float
    tails: int
    rms: float
    unchecked: float


class Folds:
    """Emulators of the runs, each made without a part of them."""

    def __init__(self, settings: LoopSettings, box: BoxFrame, known: Evaluations, memory: OutputsMemory) -> None:
        assert settings.cells is not None
        assert known.outputs is not None
        self.cells: OutputCells = settings.cells
        self.box, self.known, self.scatters = box, known, memory.scatters
        self.whole: EmulatedLogJoint | None = None  # of all runs
        self.rows = np.flatnonzero(np.isfinite(known.outputs).all(axis=1))
        self.fold = _dealt(known.y[self.rows], generator(settings.seed, "held out"))
        self.joints = [self._without(settings, memory, k) for k in range(FOLDS)]

    def _without(self, settings: LoopSettings, memory: OutputsMemory, k: int) -> EmulatedLogJoint:
        kept = np.flatnonzero(self.fold != k)
        taken_in = [int(i) for i in np.flatnonzero(np.isin(kept, memory.taken_in))]
        theta = None if memory.theta is None else memory.theta.copy()
        own = replace(memory, errors=[], taken_in=taken_in, theta=theta)
        learner = OutputsLearner(settings, self.box, own, "outputs")
        left = rows_of(self.known, np.setdiff1d(np.arange(len(self.known.y)), self.rows[self.fold == k]))
        if len(left.y) <= SEARCHED:
            learner.fit(left)
        return learner.surrogate(left)

    def errors(self, draws: PosteriorDraws, rng: np.random.Generator) -> list[tuple[float, float]]:
        """Mean squared standardized error of each run's scores, and how much it counts: those nearest to the posterior."""
        nearest = self._nearest(draws.points[draws.resample(DRAWS, rng)])
        share = np.bincount(nearest.ravel(), minlength=len(self.rows)) / nearest.size
        chosen = np.argsort(-share)[:WINDOW]
        chosen = chosen[share[chosen] > 0.0]
        return [(self._error(int(i)), float(share[i] / share.max())) for i in chosen]

    def _error(self, i: int) -> float:
        emulator, row = self.joints[self.fold[i]].emulator, self.rows[i]
        assert self.known.outputs is not None
        with torch.no_grad():
            x = self.joints[self.fold[i]].inputs(self.known.points[row][None])
            mean, variance = emulator.predict(x)
            scores = emulator.components.scores(torch.as_tensor(self.known.outputs[row], device=mean.device)[None])
            found = float(((scores - mean) ** 2 / (variance / emulator.inflation + emulator.nugget(x))).mean())
        return min(found, MOST_INFLATED**2) if np.isfinite(found) else MOST_INFLATED**2

    def check(self, joint: EmulatedLogJoint, draws: PosteriorDraws, rng: np.random.Generator) -> HeldOut:
        """``joint``: the emulator of all runs, from which the posterior ``draws`` are."""
        inflation, self.whole = joint.emulator.inflation, joint
        self.joints = [replace(one, emulator=replace(one.emulator, inflation=inflation)) for one in self.joints]
        points = draws.points[draws.resample(DRAWS, rng)]
        near = self._nearest(points)
        order = near.T.ravel()  # nearest ones first
        residual, sd, mean = self._residuals(self._with_noise_of(np.tile(points, (near.shape[1], 1)), order), order)
        level = mean + np.maximum(residual, 0.0) - joint.top + TYPICAL + 0.5 * points.shape[1]
        weight = np.exp(np.minimum(level, 0.0))
        covered = float(weight.reshape(-1, DRAWS).max(axis=0).mean())
        correction, se, effective = _weighted(residual, order, weight)
        unsure = np.sqrt(joint.variance(points)) > np.maximum(LESS_SURE * sd[:DRAWS], SURE)
        excess, tails = self._tails(joint.top)
        rms = float(np.sqrt(weight @ np.square(residual) / weight.sum()))
        return HeldOut(correction, se, covered * effective, excess, tails, rms, float(unsure.mean()))

    def _nearest(self, points: Array) -> NDArray[np.intp]:
        """Which of ``rows`` (m, NEIGHBOURS) are nearest to draws (m, D), as the program sees them, in sds of the draws."""
        x = self.cells.into_inputs(self.box.back(points))
        runs = self.cells.into_inputs(self.box.back(self.known.points[self.rows]))
        white = stable_inverse(stable_factors(regularized(np.atleast_2d(np.cov(x.T)))))
        count = min(NEIGHBOURS, len(runs))
        found = cKDTree(runs @ white.T).query(x @ white.T, k=count)[1]
        return np.asarray(found, dtype=np.intp).reshape(len(points), count)

    def _with_noise_of(self, points: Array, nearest: NDArray[np.intp]) -> Array:
        """The points (m, D) of runs, with the noise's own parameters of draws."""
        found = points.copy()
        inputs = list(self.cells.inputs)
        found[:, inputs] = self.known.points[self.rows[nearest]][:, inputs]
        return found

    def _residuals(self, b: Array, which: NDArray[np.intp]) -> tuple[Array, Array, Array]:
        """Log joint as it is less as predicted without the run (m,), the sd stated (m,), and the prediction (m,). Of outputs that
        scatter it is as the surface of all runs has it: that of one run is mostly its own luck."""
        assert self.known.outputs is not None
        u = self.box.back(b)
        f, p = torch.as_tensor(self.known.outputs[self.rows[which]]), torch.as_tensor(self.cells.noise_values(u))
        true = self.cells.likelihood.log_density(f, p).numpy() + self.cells.log_prior(u)
        if self.scatters and self.whole is not None:
            true = self.whole.mean(b) + self.whole.top
        mean, sd = np.empty(len(b)), np.empty(len(b))
        for k, joint in enumerate(self.joints):
            mine = self.fold[which] == k
            if mine.any():
                value, variance = joint.predict(b[mine])
                mean[mine], sd[mine] = value + joint.top, np.sqrt(variance)
        return np.clip(true - mean, -FARTHEST, FARTHEST), sd, mean

    def _tails(self, top: float) -> tuple[float, int]:
        """Mass that the tails lack, by the runs that lie in them or were predicted to; how many."""
        residual, _, mean = self._residuals(self.known.points[self.rows], np.arange(len(self.rows)))
        drop = top - mean
        there = (drop > TAIL_FROM) & (drop - np.maximum(residual, 0.0) < TAIL_TO)
        if not there.any():
            return 0.0, 0
        lacking = np.exp(-drop[there]) * np.expm1(np.minimum(residual[there], MOST_LACKING))  # see ``probes.tail_excess``
        return float(max(0.0, self.known.points.shape[1] * lacking.mean())), int(there.sum())


def rows_of(known: Evaluations, rows: NDArray[np.intp]) -> Evaluations:
    """Some of the values; all else as it is."""
    outputs = None if known.outputs is None else known.outputs[rows]
    return replace(
        known, points=known.points[rows], y=known.y[rows], sd=known.sd[rows], index=known.index[rows], outputs=outputs
    )


def _dealt(y: Array, rng: np.random.Generator) -> NDArray[np.intp]:
    """The fold of each value (n,): of every FOLDS values that follow each other in height, one in each."""
    fold, order = np.empty(len(y), dtype=np.intp), np.argsort(-y)
    for first in range(0, len(y), FOLDS):
        block = order[first : first + FOLDS]
        fold[block] = rng.permutation(FOLDS)[: len(block)]
    return fold


def _weighted(residual: Array, group: NDArray[np.intp], weight: Array) -> tuple[float, float, float]:
    """log mean exp(residual), its standard error, and the effective number of groups (runs) it comes from."""
    total = np.asarray(np.bincount(group, weight), dtype=float)
    used = np.flatnonzero(total > SMALLEST_SHARE * total.sum())
    ratio, share = np.bincount(group, weight * np.exp(residual))[used] / total[used], total[used] / total.sum()
    mean, effective = float(share @ ratio), float(1.0 / np.square(share).sum())
    spread = float(np.sqrt(share @ np.square(np.log(ratio) - share @ np.log(ratio))))
    return float(np.log(mean)), spread / float(np.sqrt(max(effective - 1.0, 1e-9))), effective
