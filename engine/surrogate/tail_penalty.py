"""What is held against a surrogate's mean where the surrogate is unsure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

TRUSTED_SD = 2.0  # surrogate sd beyond which its mean is held against it (RECIPE 5)


def tail_penalty(sd: Array) -> Array:
    """Nats taken off a surrogate mean whose sd is ``sd`` (n,): e (2 + e), e = max(0, sd - 2) (RECIPE 5, and a square)."""
    beyond = np.maximum(0.0, sd - TRUSTED_SD)
    return np.asarray(beyond * (2.0 + beyond))
