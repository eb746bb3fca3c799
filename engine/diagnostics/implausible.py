"""How implausible a value is, given what a surrogate that has not seen it predicts, and how right it was before.

The errors of predictions, in units of the stated sds, are normal with a scale of their own: a Gaussian scale mixture with a gamma
prior on the precision, whose predictive is Student's t (seed 004 section 2.3.3). Of several parts at once, as the scores of
outputs are, it is Fisher's F.
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
SAME, ROUGH = 1e-3, 0.05  # share of the distance from the prediction, and nats, within which a value came again


def log10_chance(error: float, errors: ArrayLike, parts: int = 1) -> float:
    """log10 of the chance of a mean squared standardized error as large as ``error``, of so many ``parts``.

    ``errors`` (n,): those of other predictions, whose scale it shares.
    """
    known = np.minimum(np.asarray(errors, dtype=float), LARGEST**2)
    dof = PRIOR_ERRORS + known.size
    scale = max((PRIOR_ERRORS + float(known.sum())) / dof, 1.0)
    if not math.isfinite(error):
        return LEAST_CHANCE
    return max(float(stats.f.logsf(error / scale, parts, parts * dof)) / math.log(10.0), LEAST_CHANCE)


def came_again(value: float, other: float, predicted: float) -> bool:
    """Whether a run beside another gave the same log density but for the slope between them."""
    return abs(value - other) <= max(ROUGH, SAME * abs(other - predicted))


def settled(values: Sequence[float | None], plausible: bool, predicted: float) -> tuple[bool, int | None]:
    """(decided, which of ``values`` is believed) after the newest of some runs at one place, the first the one in doubt.

    None: no value came. ``plausible``: the newest is as predicted. What came twice is so, whatever is predicted; the earliest of
    those alike is believed.
    """
    newest = values[-1]
    if newest is None:
        return False, None
    for k, value in enumerate(values[:-1]):
        if value is not None and came_again(newest, value, predicted):
            return True, k
    return (True, len(values) - 1) if plausible else (False, None)
