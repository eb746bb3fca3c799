"""Slice sampling along random directions: a Markov chain without step sizes to tune, one value of the density at a time.

R. M. Neal, Slice sampling, Annals of Statistics 31 (2003) 705: stepping out (figure 3) and shrinkage (figure 5).
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_factors

Array = NDArray[np.float64]

WIDTH = 2.5  # of the first interval, in assumed standard deviations along the direction
STEPS_OUT = 6  # at most, both ends together
SHRINKS = 60  # at most; the chain then stays where it is
LEAST_STEP = 1e-6  # in the same units: the chain stays as well, rather than ask again for the value where it is


def sweep(
    x: Array, f: float, covariance: Array, rng: np.random.Generator
) -> Generator[Array, float, tuple[Array, float]]:
    """D one-dimensional updates along orthogonal directions (in units of ``covariance``) of random orientation.

    Yields points (D,), is sent their log density (minus infinity: none), returns the new state and its value. ``f`` is the log
    density at ``x`` (D,). The directions do not depend on ``x``, so the density is left invariant.
    """
    root = stable_factors(covariance)
    orthogonal, upper = np.linalg.qr(rng.standard_normal((len(x), len(x))))
    directions = root @ (orthogonal * np.sign(np.diag(upper)))
    for direction in directions.T:
        x, f = yield from _along(x, f, direction, rng)
    return x, f


def _along(
    x: Array, f: float, direction: Array, rng: np.random.Generator
) -> Generator[Array, float, tuple[Array, float]]:
    level = f - rng.exponential()
    low = -WIDTH * rng.random()
    high = low + WIDTH
    below = int(STEPS_OUT * rng.random())
    for _ in range(below):
        if (yield x + low * direction) <= level:
            break
        low -= WIDTH
    for _ in range(STEPS_OUT - 1 - below):
        if (yield x + high * direction) <= level:
            break
        high += WIDTH
    for _ in range(SHRINKS):
        t = low + (high - low) * rng.random()
        if abs(t) < LEAST_STEP:
            break
        value = yield x + t * direction
        if value > level:
            return x + t * direction, value
        if t < 0.0:
            low = t
        else:
            high = t
    return x, f
