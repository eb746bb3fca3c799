"""Importance weights: normalized, their effective number, the log evidence they estimate; from logarithms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BLOCKS = 16  # of draws, by whose means the chance of their mean is told: within a fifth


def normalized(log_weights: Array) -> tuple[Array, float]:
    """Weights summing to one, and their effective number of draws; alike, and 0, where nothing has any weight."""
    top = log_weights.max()
    if not np.isfinite(top):
        return np.full(len(log_weights), 1.0 / len(log_weights)), 0.0
    w = np.exp(log_weights - top)
    w /= w.sum()
    return w, 1.0 / float(np.square(w).sum())


def log_mean(log_weights: Array) -> float:
    """log of the mean weight: of draws of a normalized density, the log evidence."""
    top = float(log_weights.max())
    return top + float(np.log(np.mean(np.exp(log_weights - top)))) if np.isfinite(top) else -np.inf


def sd_of_log_mean(log_weights: Array) -> float:
    """Of draws in the order of a low-discrepancy sequence: by the spread of BLOCKS blocks of them, each of them even too. That
    all together are more even does not count: it is rather too large than too small."""
    top = float(log_weights.max())
    if not np.isfinite(top) or len(log_weights) < 2 * BLOCKS:
        return np.inf
    means = np.array([part.mean() for part in np.array_split(np.exp(log_weights - top), BLOCKS)])
    return float(np.std(means, ddof=1) / (np.sqrt(BLOCKS) * means.mean()))


def systematic(weights: Array, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Indices (count,) drawn in proportion to weights (n,) summing to one."""
    positions = (np.arange(count) + rng.random()) / count
    return np.minimum(np.searchsorted(np.cumsum(weights), positions), len(weights) - 1)


@dataclass(frozen=True)
class WeightedPoints:
    """points (n, D) with log weights (n,): log density less log proposal. ``ess``: effective share of the draws."""

    points: Array
    log_weights: Array

    @cached_property
    def weights(self) -> Array:
        return normalized(self.log_weights)[0]

    @cached_property
    def ess(self) -> float:
        return normalized(self.log_weights)[1] / len(self.log_weights)

    @cached_property
    def log_z(self) -> float:
        return log_mean(self.log_weights)

    @property
    def log_z_sd(self) -> float:
        """Of the sampling alone; infinite where nothing has any weight. By the delta method."""
        n = len(self.log_weights)
        return float(np.std(n * self.weights) / np.sqrt(n)) if self.ess > 0.0 else np.inf
