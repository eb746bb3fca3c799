"""Counts with the prediction as their mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_density(counts: Array, mean: Array) -> float:
    """Sum of log Poisson(counts; mean); arrays (n,), mean >= 0 (0 allows the count 0 only)."""
    from scipy.special import gammaln, xlogy

    return float(np.sum(xlogy(counts, mean) - mean - gammaln(counts + 1.0)))
