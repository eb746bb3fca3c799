"""How much of the posterior lies where runs fail, as it is told."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

INTERVAL = (0.05, 0.95)  # of the mass where runs fail
SDS_IN_INTERVAL = 3.29  # of a normal
INTERVAL_SDS = 0.5 * SDS_IN_INTERVAL
LARGEST = 0.999  # share of the posterior whose log odds are told
LIKELY_PLACE = 0.5  # of the draws from the posterior that failed, how many their places must explain to say anything


@dataclass(frozen=True)
class Share:
    """Of the posterior: expected, and the ends of its 90 % interval."""

    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    reasons: tuple[tuple[str, float], ...] = ()  # why runs would fail there, of the mean; the largest first

    @property
    def spread(self) -> float:
        """What it adds to the sd of the log evidence: nothing is known of the density there."""
        return float(np.hypot(self.mean, (self.high - self.low) / SDS_IN_INTERVAL))

    def widened(self, sd: float) -> Share:
        """With the sd of the log odds of lying there from not knowing how high the density is where runs fail."""
        if not 0.0 < self.mean < 1.0 or self.high <= 0.0:
            return self
        middle, low, high = special.logit([self.mean, self.low, min(self.high, LARGEST)])
        low, high = (middle + sign * np.hypot(end - middle, INTERVAL_SDS * sd) for sign, end in ((-1.0, low), (1.0, high)))
        return replace(self, low=float(special.expit(low)), high=float(special.expit(high)))

    def with_draws(self, failed: float, count: float) -> Share:
        """As draws from the posterior have it, of which ``failed`` of ``count`` failed for their places, where that cannot be so
        few: a map takes the only run that hit a thin region for all there is of it (Jeffreys' interval)."""
        a, b = failed + 0.5, count - failed + 0.5
        low, high = special.betaincinv(a, b, INTERVAL)
        if failed < LIKELY_PLACE or self.high >= low:
            return self
        return replace(self, mean=a / (a + b), high=float(high))
