"""Failures have one of two causes: their place, or chance anywhere, with a probability of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

CHANCE = (1.0, 19.0)  # Beta prior of failing by chance: mean .05, most likely never
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


def all_by_chance(good: Flags) -> float:
    """log evidence of outcomes (n,) if no place were worse than another."""
    return float(special.betaln(*chance_of(good, (~good).astype(float))) - special.betaln(*CHANCE))
