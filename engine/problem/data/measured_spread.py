"""How far measured values are from each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

TINY, HUGE = 1e-150, 1e150  # sizes outside of which no square can be relied on


def spread(values: ArrayLike) -> float:
    """Standard deviation of the finite values (n,); where all are the same, their size; 1 where that says nothing."""
    given = np.asarray(values, dtype=float)
    y = given[np.isfinite(given) & (np.abs(given) < HUGE)]
    found = (float(y.std()), float(np.abs(y).max())) if len(y) else ()
    return next((s for s in found if s > TINY), 1.0)
