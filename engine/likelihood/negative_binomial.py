"""Overdispersed counts: variance mean + mean^2 / size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_density(counts: Array, mean: Array, size: float) -> float:
    """Sum of log NegativeBinomial(counts; mean, size); arrays (n,), mean >= 0, size > 0; size to infinity is Poisson."""
    from scipy.special import betaln, xlogy

    # log Gamma(k + size) / (Gamma(size) k!) = -log(k + size) - log B(size, k + 1), free of cancellation
    choose = -betaln(size, counts + 1.0) - np.log(counts + size)
    return float(np.sum(choose - size * np.log1p(mean / size) + xlogy(counts, mean) - counts * np.log(size + mean)))
