"""Residuals that remember their neighbour: stationary first-order autoregression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.whitened import autoregressive
from .gaussian import LOG_2PI

Array = NDArray[np.float64]


def log_density(residuals: Array, rows: NDArray[np.intp], sd: float, rho: float) -> float:
    """Exact Gaussian log density of one series of residuals r (n,) with covariance sd^2 rho^|i - j|; see ``autoregressive``."""
    z, spread = autoregressive(residuals, rows, sd, rho)
    return float(-0.5 * np.dot(z, z) - np.sum(np.log(spread)) - 0.5 * LOG_2PI * z.size)
