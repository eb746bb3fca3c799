"""Gaussian noise with a full covariance matrix."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..numerics.whitened import correlated
from .errors import LikelihoodError
from .gaussian import LOG_2PI

Array = NDArray[np.float64]


def log_density(residuals: Array, covariance: Array) -> float:
    """log N(residuals; 0, covariance); (n,) and (n, n). Raises LikelihoodError if the matrix is not positive definite."""
    try:
        z, scale = correlated(residuals, covariance)
    except np.linalg.LinAlgError as error:
        raise LikelihoodError("The covariance matrix of the noise is not positive definite.") from error
    return float(-0.5 * np.dot(z, z) - np.sum(np.log(scale)) - 0.5 * LOG_2PI * z.size)
