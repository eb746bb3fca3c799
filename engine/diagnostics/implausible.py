"""How implausible a value is, given what a surrogate that has not seen it predicts, and how right it was before.

The errors of predictions, in units of the stated sds, are normal with a scale of their own: a Gaussian scale mixture with a gamma
prior on the precision, whose predictive is Student's t (seed 004 section 2.3.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

LEVEL = -6.0  # log10 of the chance below which a value is taken for a lie until it came again
PRIOR_ERRORS = 4.0  # so many errors of the size stated are assumed beforehand
LARGEST = 25.0  # sds: a larger error tells no more of the scale
LEAST_CHANCE = -99.0  # log10: below, it is rounding
SAME, ROUGH = 0.01, 0.05  # share of the distance from the prediction, and nats, within which a value came again


def log10_chance(error: float, errors: ArrayLike) -> float:
    """log10 of the chance of a squared standardized error as large as ``error``.

    ``errors`` (n,): those of other predictions, whose scale it shares. A mean over several scores counts as one: they are wrong
    together.
    """
    known = np.minimum(np.asarray(errors, dtype=float), LARGEST**2)
    dof = PRIOR_ERRORS + known.size
    scale = max((PRIOR_ERRORS + float(known.sum())) / dof, 1.0)
    if not math.isfinite(error):
        return LEAST_CHANCE
    return max(float(stats.f.logsf(error / scale, 1, dof)) / math.log(10.0), LEAST_CHANCE)


def came_again(value: float, other: float, predicted: float, slope: float = 0.0) -> bool:
    """Whether a run beside another gave the same log density but for ``slope``, by which it is predicted to change between them:
    what is predicted wrongly has a slope that is wrong too, by no more than itself."""
    return abs(value - other - slope) <= max(ROUGH, SAME * abs(other - predicted), abs(slope))


def settled(alike: Sequence[bool], plausible: bool) -> tuple[bool, int | None]:
    """(decided, which run is believed) after the newest of some runs at one place, the first the one in doubt.

    ``alike``: whether the newest gave the same as each before it; ``plausible``: it is as predicted. What came twice is so,
    whatever is predicted; the earliest of those alike is believed.
    """
    if any(alike):
        return True, list(alike).index(True)
    return (True, len(alike)) if plausible else (False, None)
