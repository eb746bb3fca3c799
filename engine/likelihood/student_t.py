"""Independent Student-t noise: robust against outliers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_density(data: Array, prediction: Array, scale: Array | float, dof: float) -> float:
    """Sum over points of log T(data; prediction, scale^2, dof); arrays (n,), scale (n,) or one number."""
    from scipy.special import betaln

    z = (data - prediction) / scale
    # log(1 + z^2 / dof) without overflow for outliers however far
    tail = 2.0 * np.log(np.hypot(1.0, z / math.sqrt(dof))) if np.max(np.abs(z), initial=0.0) > 1e100 else np.log1p(z * z / dof)
    constant = -float(betaln(0.5, 0.5 * dof)) - 0.5 * math.log(dof)
    return float(z.size * constant - np.sum(np.log(np.broadcast_to(scale, z.shape))) - 0.5 * (dof + 1.0) * np.sum(tail))
