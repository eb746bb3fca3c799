"""The covariance of the log odds of success: a constant, straight parts and a smooth one with a length for each parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CONSTANT = 8.0  # prior sd of the log odds everywhere: whether runs fail is hardly known before any was made
LENGTH, LENGTH_SPREAD = 0.6, 1.2  # prior of the log lengths beside log sqrt D, in units where the plausible box is 4 wide
SMOOTH, SMOOTH_SPREAD = 2.3, 0.8  # prior of the log sd of the smooth part: borders are sharp
LINEAR, LINEAR_SPREAD = 0.5, 1.0  # ... of the straight part
LOWEST, HIGHEST = -3.0, 5.0  # of any of them


@dataclass(frozen=True)
class SuccessKernel:
    """Squared exponential with lengths (D,), its sd ``smooth``; straight parts with sd ``linear``."""

    lengths: Array
    smooth: float
    linear: float

    @classmethod
    def of(cls, theta: Array) -> SuccessKernel:
        """theta (D + 2,): log lengths, log smooth, log linear."""
        return cls(np.exp(theta[:-2]), float(np.exp(theta[-2])), float(np.exp(theta[-1])))

    def __call__(self, x: Array, y: Array) -> Array:
        """(n, m) between x (n, D) and y (m, D)."""
        return np.asarray(CONSTANT**2 + self.linear**2 * (x @ y.T) + self._smooth(x, y))

    def columns(self, x: Array) -> Callable[[int], Array]:
        """Column i (n,) of the covariance of x (n, D), one at a time."""
        a = x / self.lengths
        half = 0.5 * np.square(a).sum(1)

        def column(i: int) -> Array:
            smooth = np.exp(np.minimum(a @ a[i] - half - half[i], 0.0))
            return np.asarray(CONSTANT**2 + self.linear**2 * (x @ x[i]) + self.smooth**2 * smooth)

        return column

    def _smooth(self, x: Array, y: Array) -> Array:
        a, b = x / self.lengths, y / self.lengths
        gap = np.square(a).sum(1)[:, None] + np.square(b).sum(1)[None, :] - 2.0 * (a @ b.T)
        return np.asarray(self.smooth**2 * np.exp(-0.5 * np.maximum(gap, 0.0)))

    def diagonal(self, x: Array) -> Array:
        """(n,) variances at x (n, D)."""
        return np.asarray(CONSTANT**2 + self.smooth**2 + self.linear**2 * np.square(x).sum(1))

    def gradients(self, x: Array, weight: Array) -> Array:
        """(D + 2,): sum over weight (n, n) times the derivatives of the covariance of x (n, D) in theta."""
        smooth = weight * self._smooth(x, x)
        total, straight = smooth.sum(1), weight @ x
        lengths = 2.0 * (total @ np.square(x) - np.einsum("ij,ij->j", x, smooth @ x)) / np.square(self.lengths)
        return np.array([*lengths, 2.0 * smooth.sum(), 2.0 * self.linear**2 * float(np.einsum("ij,ij->", x, straight))])


def prior(dimension: int) -> tuple[Array, Array]:
    """Mean and sd (D + 2,) of theta."""
    mean = np.append(np.full(dimension, LENGTH + 0.5 * np.log(dimension / 2.0)), [SMOOTH, LINEAR])
    return mean, np.append(np.full(dimension, LENGTH_SPREAD), [SMOOTH_SPREAD, LINEAR_SPREAD])


def log_prior(theta: Array) -> tuple[float, Array]:
    """Of theta (D + 2,), without its constant, and the gradient (D + 2,)."""
    mean, spread = prior(len(theta) - 2)
    away = (theta - mean) / spread
    return -0.5 * float(away @ away), -away / spread
