"""Noise shaping: artificial noise that grows as the log density falls (seed 001 sec 3.5, B.3, eq S17)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

SLOPE = 0.05
SMALLEST_VARIANCE = 1e-3
MEDIUM_VARIANCE = 1.0


def shaping_variance(y: Tensor, dimension: int, threshold: float | None = None, slope: float = SLOPE) -> Tensor:
    """Variance (n,) to add to each observation's own noise variance, for log densities y (n,).

    Below ``threshold`` (10 D) under the maximum it grows from 1e-3 to 1, beyond that its standard deviation grows
    linearly, so that very low points bend the surrogate less without being lost.
    """
    theta = 10.0 * dimension if threshold is None else threshold
    delta = y.max() - y
    rho = (delta / theta).clamp_max(1.0)
    base = torch.exp((1.0 - rho) * math.log(SMALLEST_VARIANCE) + rho * math.log(MEDIUM_VARIANCE))
    return base + (slope * (delta - theta).clamp_min(0.0)) ** 2
