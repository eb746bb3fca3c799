"""Affine scaling of the targets (seed 000 sec 6.1.1.2): scaled = (y - shift) / scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from torch import Tensor


@dataclass(frozen=True)
class OutputScaling:
    shift: float = 0.0
    scale: float = 1.0

    @classmethod
    def of(cls, y: Tensor, heuristic: Literal["zeromax", "normalize", "none"]) -> OutputScaling:
        """zeromax subtracts the maximum; normalize centres and divides by the unbiased standard deviation."""
        if heuristic == "none":
            return cls()
        if heuristic == "zeromax":
            return cls(float(y.max()), 1.0)
        sd = float(y.std()) if y.shape[0] > 1 else 0.0
        # One target, or equal ones, have no spread to divide by.
        return cls(float(y.mean()), sd if sd > 0.0 and math.isfinite(sd) else 1.0)

    def scaled(self, y: Tensor) -> Tensor:
        return (y - self.shift) / self.scale

    def value(self, scaled: Tensor) -> Tensor:
        return scaled * self.scale + self.shift

    def covariance(self, scaled: Tensor) -> Tensor:
        return scaled * (self.scale * self.scale)
