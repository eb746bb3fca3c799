"""Plausible ranges that an answer suggests where those given were far off: the box frame's own measure, in one place."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..problem.transforms import ParameterSpace
from .digits import decimals_for
from .posterior import StoredPosterior

Array = NDArray[np.float64]

REACH = 3.0  # posterior sds on either side of the mean that a suggested range holds
TOO_WIDE = 0.04  # posterior sd, where the plausible range is [-2, 2]: 25 times wider than +- 2 sds


def misplaced(mean: Array, sd: Array) -> tuple[list[int], list[int]]:
    """Parameters whose posterior lies outside the plausible range, and whose range is far too wide.

    mean (D,) and sd (D,) in the box frame, where the plausible range is [-2, 2].
    """
    outside = [i for i in range(len(mean)) if abs(mean[i]) > 2.0 + sd[i]]
    return outside, [i for i in range(len(mean)) if sd[i] < TOO_WIDE]


def suggested_ranges(space: ParameterSpace, posterior: StoredPosterior) -> dict[str, tuple[float, float]]:
    """Name to (low, high) in the user's units, of the parameters whose range is misplaced; inside their bounds."""
    low, high = space.plausible_box()
    mean, sd = posterior.moments_in_inference()
    middle, quarter = 0.5 * (low + high), 0.25 * (high - low)
    outside, narrow = misplaced((mean - middle) / quarter, sd / quarter)
    found = {}
    for i in sorted({*outside, *narrow}):
        t = space.transforms[i]
        a, b = (float(v) for v in t.to_user(mean[i] + np.array([-REACH, REACH]) * sd[i]))
        step = 10.0 ** -decimals_for(b - a)
        a, b = math.floor(a / step) * step, math.ceil(b / step) * step
        found[space.names[i]] = (max(_short(a), float(t.first)), min(_short(b), float(t.last)))
    return {name: ends for name, ends in found.items() if ends[0] < ends[1]}


def _short(value: float) -> float:
    """Without the rounding of a product, so that it is written as it reads."""
    return float(f"{value:.12g}")
