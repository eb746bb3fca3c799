"""Residuals that remember their neighbour: stationary first-order autoregression."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .gaussian import LOG_2PI

Array = NDArray[np.float64]


def log_density(residuals: Array, rows: NDArray[np.intp], sd: float, rho: float) -> float:
    """Exact Gaussian log density of one series of residuals r (n,) with covariance sd^2 rho^|i - j|.

    ``rows`` (n,): positions of the residuals in the series, increasing; missing rows in between are integrated out, since
    r_j given r_i is N(rho^k r_i, sd^2 (1 - rho^(2k))) with k = j - i.
    """
    if residuals.size == 0:
        return 0.0
    gaps = np.diff(rows)
    memory = rho**gaps
    expected = np.concatenate(([0.0], memory * residuals[:-1]))
    left = np.concatenate(([1.0], -np.expm1(2.0 * gaps * math.log(abs(rho))) if rho else np.ones(gaps.size)))
    spread = sd * np.sqrt(left)
    z = (residuals - expected) / spread
    return float(-0.5 * np.dot(z, z) - np.sum(np.log(spread)) - 0.5 * LOG_2PI * z.size)
