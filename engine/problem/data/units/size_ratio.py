"""How many times larger what was measured is than what is predicted, as most of the values tell it. Pure."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LARGE = 0.25  # of the largest on its side from which a value tells a size: before a front and behind it both are near zero
SPREAD = 5.0  # times that the middle half of the ratios may differ: more, and what is apart is no unit


def powers_of_large(measured: Array, predicted: Array) -> Array:
    """Powers of ten between ``measured`` and ``predicted`` (m,), none of them 0, where both are far from zero."""
    a, b = np.abs(measured), np.abs(predicted)
    if not len(a):
        return a
    large = (a >= LARGE * a.max()) & (b >= LARGE * b.max())
    found: Array = np.log10(a[large] / b[large])
    return found


def common_power(measured: Array, predicted: Array) -> float | None:
    """The middle one of them; None: the two curves are too unlike for one to be told."""
    powers = powers_of_large(measured, predicted)
    if 2 * len(powers) < len(measured) or not len(powers):
        return None
    low, high = np.percentile(powers, (25.0, 75.0))
    return float(np.median(powers)) if high - low <= math.log10(SPREAD) else None
