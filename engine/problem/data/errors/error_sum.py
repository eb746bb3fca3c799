"""A size and a percentage of the measured value, taken together as one error: added, in quadrature, or the larger of the two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...definition.noise_models import Together

Array = NDArray[np.float64]


def taken_together(size: Array | float, share: Array, together: Together) -> Array:
    """The error of each value (n,), of a size (n,) or one for all and a share (n,) in the same unit."""
    if together == "larger":
        return np.asarray(np.maximum(size, share), dtype=float)
    return np.asarray(np.hypot(size, share) if together == "quadrature" else size + share, dtype=float)
