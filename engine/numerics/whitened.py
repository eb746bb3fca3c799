"""Residuals with memory or correlations as independent ones of standard deviation 1."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def autoregressive(residuals: Array, rows: NDArray[np.intp], sd: float, rho: float) -> tuple[Array, Array]:
    """Of one series r (n,) with covariance sd^2 rho^|i - j|: innovations over their sd (n,), and that sd (n,).

    ``rows`` (n,): positions of the residuals in the series, increasing; missing rows in between are integrated out, since
    r_j given r_i is N(rho^k r_i, sd^2 (1 - rho^(2k))) with k = j - i.
    """
    if residuals.size == 0:
        return np.empty(0), np.empty(0)
    gaps = np.diff(rows)
    memory = rho**gaps
    expected = np.concatenate(([0.0], memory * residuals[:-1]))
    left = np.concatenate(([1.0], -np.expm1(2.0 * gaps * math.log(abs(rho))) if rho else np.ones(gaps.size)))
    spread = sd * np.sqrt(left)
    return (residuals - expected) / spread, spread


def in_units(units: Array, residuals: Array) -> Array:
    """Residuals (..., L) as independent ones: over their sds ``units`` (L,), or by their covariance's lower factor (L, L)."""
    if units.ndim == 1:
        return np.asarray(residuals / units)
    from scipy.linalg import solve_triangular

    return np.asarray(solve_triangular(units, residuals.T, lower=True, check_finite=False).T)


def correlated(residuals: Array, covariance: Array) -> tuple[Array, Array]:
    """L^-1 r (n,) and the diagonal (n,) of the lower Cholesky factor L. Raises LinAlgError if it is not positive definite."""
    factor: Array = np.linalg.cholesky(np.asarray(covariance, dtype=np.float64))
    return in_units(factor, residuals), np.diag(factor)
