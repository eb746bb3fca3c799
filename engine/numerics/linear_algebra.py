"""Linear algebra that never fails on finite matrices: covariances that are singular but for rounding, or by it."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

Array = NDArray[np.float64]


def stable_cholesky(k: Array) -> Array:
    """Lower factor of a covariance; jitter is raised tenfold until it succeeds, never an error (METHODS 1)."""
    jitter = 0.0
    scale = float(np.mean(np.diag(k)))
    for power in range(-12, 3):
        try:
            return scipy.linalg.cholesky(k + jitter * np.eye(len(k)) if jitter else k, lower=True, check_finite=False)
        except scipy.linalg.LinAlgError:
            jitter = scale * 10.0**power
    return np.diag(np.sqrt(np.diag(k) + scale))


def stable_factors(covariances: Array) -> Array:
    """Lower factors (..., D, D) of covariances (..., D, D), those that need it by ``stable_cholesky``.

    Raises LinAlgError for entries that are not finite.
    """
    try:
        return np.asarray(np.linalg.cholesky(covariances), dtype=np.float64)
    except np.linalg.LinAlgError:
        _refuse_infinite(covariances)
        flat = np.asarray(covariances, dtype=float).reshape(-1, *np.shape(covariances)[-2:])
        return np.stack([stable_cholesky(0.5 * (c + c.T)) for c in flat]).reshape(np.shape(covariances))


def stable_inverse(matrices: Array) -> Array:
    """Inverses of matrices (..., D, D); of a singular one the pseudoinverse. Raises as above."""
    try:
        return np.asarray(np.linalg.inv(matrices), dtype=np.float64)
    except np.linalg.LinAlgError:
        _refuse_infinite(matrices)
        return np.asarray(np.linalg.pinv(matrices), dtype=np.float64)


def stable_solve(matrix: Array, right: Array) -> Array:
    """matrix^-1 right for matrix (D, D), right (D,) or (D, n), or many of them (..., D, D), (..., D, n); least squares where one
    is singular. Raises as above."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        _refuse_infinite(matrix)
        if np.ndim(matrix) > 2:
            return np.asarray(np.linalg.pinv(matrix) @ right, dtype=np.float64)
        return np.asarray(np.linalg.lstsq(matrix, right)[0], dtype=np.float64)


def _refuse_infinite(matrices: Array) -> None:
    if not np.all(np.isfinite(matrices)):
        raise np.linalg.LinAlgError("a matrix has infinite or undefined entries")
