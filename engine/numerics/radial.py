"""Correlation as a function of distance: squared exponential or Matern 5/2."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Profile = Literal["smooth", "rough"]  # squared exponential, or Matern 5/2


def radial_profile(q: Array, profile: Profile) -> tuple[Array, Array]:
    """Correlation at squared scaled distance q, and -2 times its derivative with respect to q."""
    if profile == "smooth":
        k = np.exp(-0.5 * q)
        return k, k
    r = np.sqrt(5.0 * q)
    e = np.exp(-r)
    return (1.0 + r + np.square(r) / 3.0) * e, 5.0 / 3.0 * (1.0 + r) * e
