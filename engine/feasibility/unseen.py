"""What runs say by themselves, whatever a map says, of the share of the posterior where they give no value.

Each run stands for the posterior draws nearest to it; runs that stand for shares w count as 1 / sum w^2 draws (Kish 1965).
How often regions escape so many draws: tests/benchmarks/README.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.spatial import cKDTree

Array = NDArray[np.float64]

LEAST_PROBABILITY = 0.05  # that the share where runs give no value is smaller than said


@dataclass(frozen=True)
class Nearest:
    """Of the posterior's draws (m, D) with weights (m,), summing to one: which of ``runs`` is nearest (m,), and how far it is."""

    points: Array
    weights: Array
    runs: int
    nearest: NDArray[np.intp]
    distance: Array

    @classmethod
    def of(cls, points: Array, weights: Array, runs: Array) -> Nearest:
        """``runs`` (n, D), n at least 1; coordinates in which the posterior is about as wide everywhere."""
        distance, nearest = cKDTree(runs).query(points)
        return cls(points, weights, len(runs), np.asarray(nearest, dtype=np.intp), np.asarray(distance))

    def with_run(self, place: Array) -> Nearest:
        """And one more run, at ``place`` (D,)."""
        away = np.linalg.norm(self.points - place, axis=1)
        nearer = away < self.distance
        nearest = np.where(nearer, self.runs, self.nearest)
        return replace(self, runs=self.runs + 1, nearest=nearest, distance=np.where(nearer, away, self.distance))

    @property
    def masses(self) -> Array:
        """The share (n,) of the posterior that each run stands for."""
        return np.asarray(np.bincount(self.nearest, weights=self.weights, minlength=self.runs), dtype=float)

    @property
    def draws(self) -> float:
        """As how many draws from the posterior the runs count."""
        return 1.0 / float(np.square(self.masses).sum())

    def share_without_value(self, lost: Array) -> tuple[float, float]:
        """Of the posterior, by runs that gave none with probability ``lost`` (n,): the lower end of what may be, and the mean
        (Jeffreys' interval)."""
        count = self.draws
        failed = count * float(self.masses @ lost)
        a, b = failed + 0.5, count - failed + 0.5
        return float(special.betaincinv(a, b, LEAST_PROBABILITY)), a / (a + b)
