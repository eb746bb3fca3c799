"""Failures by place alone, whatever the lengths of the map: few runs leave them open, and with them how far a region reaches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..numerics.success_kernel import SuccessKernel, log_prior
from .hyperparameters import MapFit
from .success_process import Begun, SuccessProcess

Array = NDArray[np.float64]

SHIFTS = (-0.9, 0.9)  # of all log lengths from the likeliest: three quarters of an sd of their prior
MOST_RUNS = 100  # up to which lengths are averaged: more runs leave them hardly open, and cost more
NEGLIGIBLE = 0.02  # weight below which lengths are left out


@dataclass(frozen=True)
class LengthAverage:
    """As ``success_process.SuccessProcess`` without chance: one for each choice of lengths, ``weights`` (k,) summing to one."""

    processes: tuple[SuccessProcess, ...]
    weights: Array

    @classmethod
    def of(cls, likeliest: Begun, fit: MapFit, good: Array, failed: Array) -> LengthAverage:
        """Around ``likeliest``, begun with ``fit`` from runs (n, D), (m, D)."""
        begun, thetas = [likeliest], [fit.theta]
        for shift in SHIFTS if len(good) + len(failed) <= MOST_RUNS else ():
            thetas.append(fit.theta + np.append(np.full(good.shape[1], shift), np.zeros(2)))
            begun.append(fit.begun(good, failed, False, SuccessKernel.of(thetas[-1])))
        logs = np.array([b.mode.evidence + log_prior(theta)[0] for b, theta in zip(begun, thetas, strict=True)])
        weights = special.softmax(logs)
        kept = [i for i, w in enumerate(weights) if w >= NEGLIGIBLE]
        return cls(tuple(begun[i].with_moments() for i in kept), weights[kept] / weights[kept].sum())

    @property
    def likeliest(self) -> SuccessProcess:
        return self.processes[int(np.argmax(self.weights))]

    @property
    def chance(self) -> None:
        return None

    @property
    def failed_by_chance(self) -> Array:
        """The probability (m,) of each failed run that it was by chance."""
        return np.asarray(sum(w * p.failed_by_chance for w, p in zip(self.weights, self.processes, strict=True)))

    def log_allowed(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) does not fail for its place."""
        logs = np.array([p.log_allowed(x) for p in self.processes])
        return np.asarray(special.logsumexp(logs, axis=0, b=self.weights[:, None]))

    def log_success(self, x: Array) -> Array:
        return self.log_allowed(x)

    def mean_log_odds(self, x: Array) -> Array:
        """(m,) at x (m, D)."""
        return np.asarray(sum(w * p.mean_log_odds(x) for w, p in zip(self.weights, self.processes, strict=True)))

    def functions(self, x: Array, count: int, rng: np.random.Generator) -> Array:
        """(count, m) draws of the log odds at x (m, D), jointly; of each choice of lengths in proportion to its weight."""
        counts = np.diff(np.round(np.append(0.0, np.cumsum(self.weights)) * count).astype(int))
        return np.concatenate([p.functions(x, int(c), rng) for p, c in zip(self.processes, counts, strict=True) if c])
