"""How far measured values are from each other, and the covariance of their errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..rows.comparison import ComparisonError

Array = NDArray[np.float64]

TINY, HUGE = 1e-150, 1e150  # sizes outside of which no square can be relied on


def spread(values: ArrayLike) -> float:
    """Standard deviation of the finite values (n,); where all are the same, their size; 1 where that says nothing."""
    given = np.asarray(values, dtype=float)
    y = given[np.isfinite(given) & (np.abs(given) < HUGE)]
    found = (float(y.std()), float(np.abs(y).max())) if len(y) else ()
    return next((s for s in found if s > TINY), 1.0)


def measured_covariance(matrix: Sequence[Sequence[float]], present: NDArray[np.bool_]) -> Array:
    """Of the measured values alone (L, L). ``present`` (n,): which rows have one; the matrix is of all n or of those L alone.

    Raises ComparisonError.
    """
    full = np.array(matrix, dtype=float)
    if len(full) == int(present.sum()):
        return full
    if full.shape != (present.size, present.size):
        raise ComparisonError(f"The covariance matrix has {len(full)} rows, but {present.size} data values are compared.")
    return np.asarray(full[np.ix_(present, present)])


def covariance_factor(covariance: Array) -> Array:
    """Lower Cholesky factor (L, L). Raises ComparisonError if the matrix is not positive definite."""
    try:
        return np.asarray(np.linalg.cholesky(covariance))
    except np.linalg.LinAlgError as error:
        raise ComparisonError("The covariance matrix of the noise is not positive definite.") from error
