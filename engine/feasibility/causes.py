"""Failures have one of two causes: their place, or chance anywhere, with a probability of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

CHANCE = (1.0, 19.0)  # Beta prior of failing by chance: mean .05, most likely never
CERTAIN = 20.0  # log odds where nothing fails for its place
Beta = tuple[float, float]


def chance_of(good: Flags, by_chance: Array) -> Beta:
    """Beta posterior of failing by chance, from those that did (n,) and those that could have, ``good`` (n,)."""
    return CHANCE[0] + float(by_chance.sum()), CHANCE[1] + float(good.sum())


def by_chance(good: Flags, log_odds: Array, before: Array) -> Array:
    """The probability (n,) of each failure that it was by chance, at log odds (n,) of success; ``before``: the same last time."""
    beta = chance_of(good, before)
    log_chance = special.digamma(beta[0]) - special.digamma(sum(beta))
    return np.where(good, 0.0, special.expit(log_odds + log_chance))


def log_evidence(good: Flags, r: Array, chance: Beta | None) -> float:
    """What causes r (n,) add to the log evidence, the chance integrated."""
    if chance is None:
        return 0.0
    entropy = float((special.entr(r) + special.entr(1.0 - r))[~good].sum())
    return entropy + float(special.betaln(*chance) - special.betaln(*CHANCE))


@dataclass(frozen=True)
class AllByChance:
    """No place is worse than another, as ``success_process.SuccessProcess``: outcomes ``good`` (n,)."""

    good: Flags

    @property
    def chance(self) -> Beta:
        return chance_of(self.good, (~self.good).astype(float))

    @property
    def evidence(self) -> float:
        """Its logarithm."""
        return float(special.betaln(*self.chance) - special.betaln(*CHANCE))

    def log_allowed(self, x: Array) -> Array:
        return np.zeros(len(x))

    def log_success(self, x: Array) -> Array:
        return np.full(len(x), np.log(self.chance[1] / sum(self.chance)))

    def mean_log_odds(self, x: Array) -> Array:
        return np.full(len(x), CERTAIN)

    def functions(self, x: Array, count: int, rng: np.random.Generator) -> Array:
        return np.full((count, len(x)), CERTAIN)

    @property
    def failed_by_chance(self) -> Array:
        return np.ones(int((~self.good).sum()))
