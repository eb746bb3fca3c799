"""Independent Gaussian noise with known standard deviation."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LOG_2PI = math.log(2.0 * math.pi)


def log_density(data: Array, prediction: Array, sd: Array | float) -> float:
    """log N(data; prediction, diag(sd^2)); arrays (n,), sd (n,) or one number."""
    z = (data - prediction) / sd
    return float(-0.5 * np.dot(z, z) - np.sum(np.log(np.broadcast_to(sd, z.shape))) - 0.5 * LOG_2PI * z.size)


def from_sum_of_squares(total: float, sd: float, count: int) -> float:
    """log L = -S / (2 sd^2) - n log(sd sqrt(2 pi)) for ``count`` residuals of which only the sum of squares is known."""
    return -0.5 * total / sd**2 - count * (math.log(sd) + 0.5 * LOG_2PI)
