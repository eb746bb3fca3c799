"""Multiplicative noise: the logarithm of the measurement is Gaussian about the logarithm of the prediction."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import gaussian

Array = NDArray[np.float64]


def log_density(data: Array, prediction: Array, log_sd: float) -> float:
    """Density of the data themselves (with the factor 1 / data); arrays (n,), all positive; the prediction is the median."""
    logs = np.log(data)
    return gaussian.log_density(logs, np.log(prediction), log_sd) - float(np.sum(logs))
