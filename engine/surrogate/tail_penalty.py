"""What is held against a surrogate's mean where the surrogate is unsure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TRUSTED_SD = 2.0  # surrogate sd beyond which its mean is held against it (RECIPE 5)
SLOPE = 2.0  # nats per unit of sd beyond
STEEPENING = 1.0  # ... and per squared unit


def tail_penalty(sd: Array, trusted: float = TRUSTED_SD, slope: float = SLOPE, steepening: float = STEEPENING) -> Array:
    """Nats taken off a surrogate mean whose sd is ``sd`` (n,): e (slope + steepening e), e = max(0, sd - trusted)."""
    beyond = np.maximum(0.0, sd - trusted)
    return np.asarray(beyond * (slope + steepening * beyond))
