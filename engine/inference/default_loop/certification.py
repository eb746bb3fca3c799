"""Before anything says "converged": a few fresh evaluations at draws from the posterior (RECIPE, certification)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PAUSE_AFTER_REFUSAL = 5  # evaluations before the next attempt


def checks_wanted(dimension: int) -> int:
    """5 up to D = 4, 10 from D = 8."""
    return int(np.clip(dimension + 2, 5, 10)) if dimension > 4 else 5


def limit(dimension: int) -> float:
    return 0.15 if dimension <= 4 else 0.12 if dimension <= 6 else 0.10


@dataclass
class Certification:
    """One attempt. Points are draws from the posterior as it stood; ``residuals`` are y - mean of that surrogate."""

    points: Array  # (V, D) box frame
    asked: int = 0
    told: int = 0
    residuals: list[float] = field(default_factory=list)  # -inf where the density turned out to be zero

    @property
    def complete(self) -> bool:
        return self.told >= len(self.points)

    def verdict(self, dimension: int) -> tuple[bool, float, float]:
        """(accepted, l, se): l = log mean exp(r), an unbiased correction of Z; se = sd(r) / sqrt V."""
        if len(self.residuals) < max(3, (len(self.points) + 1) // 2):
            return False, float("nan"), float("nan")
        ratio = np.exp(np.minimum(np.array(self.residuals), 50.0))
        mean = float(ratio.mean())
        if mean <= 0.0:
            return False, float("-inf"), float("nan")
        correction = float(np.log(mean))
        finite = bool(np.all(ratio > 0.0))
        se = float(np.log(ratio).std(ddof=1) if finite else ratio.std(ddof=1) / mean) / np.sqrt(len(ratio))
        return abs(correction) + se < limit(dimension), correction, float(se)
