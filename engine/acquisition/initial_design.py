"""The first points: the user's guesses, then scrambled Sobol points in the plausible box (RECIPE 2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from ..numerics.randomness import generator

Array = NDArray[np.float64]


def design_point(index: int, count: int, lower: Array, upper: Array, start: Array | None, seed: int) -> Array:
    """Point ``index`` (D,) in inference space; the first are ``start``, one (D,) or several (k, D), if given."""
    given = np.empty((0, len(lower))) if start is None else np.atleast_2d(np.asarray(start, dtype=float))
    if index < len(given):
        return np.array(given[index])
    d = len(lower)
    power = int(np.ceil(np.log2(count + 1)))
    points = qmc.Sobol(d, scramble=True, rng=generator(seed, "design")).random_base2(power)
    return np.asarray(lower + (upper - lower) * points[index % len(points)], dtype=float)


def far_point(index: int, lower: Array, upper: Array, seed: int) -> Array:
    """When the design gave nothing usable: ever wider draws around the plausible box, then back again."""
    rng = generator(seed, "wide design", index)
    widening = (1.0, 2.0, 4.0, 0.5)[index % 4]
    return np.asarray((lower + upper) / 2 + (upper - lower) / 2 * widening * rng.uniform(-1, 1, len(lower)))
