"""Gaussian noise with a full covariance matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .errors import LikelihoodError
from .gaussian import LOG_2PI

Array = NDArray[np.float64]


def log_density(residuals: Array, covariance: Array) -> float:
    """log N(residuals; 0, covariance); (n,) and (n, n). Raises LikelihoodError if the matrix is not positive definite."""
    from scipy.linalg import solve_triangular

    try:
        factor = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError as error:
        raise LikelihoodError("The covariance matrix of the noise is not positive definite.") from error
    z = solve_triangular(factor, residuals, lower=True, check_finite=False)
    return float(-0.5 * np.dot(z, z) - np.sum(np.log(np.diag(factor))) - 0.5 * LOG_2PI * z.size)
