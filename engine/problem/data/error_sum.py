"""A size and a percentage of the measured value, taken together as one error: added, or in quadrature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..definition.noise_models import Together

Array = NDArray[np.float64]


def taken_together(size: Array | float, share: Array, together: Together) -> Array:
    """The error of each value (n,), of a size (n,) or one for all and a share (n,) in the same unit."""
    return np.asarray(np.hypot(size, share) if together == "quadrature" else size + share, dtype=float)
