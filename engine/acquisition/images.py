"""Where a mode would stand again if the program did not tell some of its parameters, or their signs, apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ALIKE = 1e-6  # of the width of a range: ends nearer than that are the same


def images(points: Array, lower: Array, upper: Array) -> Array:
    """What points (n, D) become by every exchange of two coordinates that share their range, and by every change of sign of one
    or two coordinates whose ranges are symmetric about 0: (m, D). ``lower``, ``upper`` (D,): the plausible box."""
    width = upper - lower
    same = [
        (i, j)
        for i, j in combinations(range(len(lower)), 2)
        if max(abs(lower[i] - lower[j]), abs(upper[i] - upper[j])) <= ALIKE * width[i]
    ]
    signed = [i for i in range(len(lower)) if abs(lower[i] + upper[i]) <= ALIKE * width[i]]
    found = [_exchanged(points, i, j) for i, j in same]
    found += [_turned(points, list(some)) for k in (1, 2) for some in combinations(signed, k)]
    return np.concatenate(found) if found else np.empty((0, len(lower)))


def _exchanged(points: Array, i: int, j: int) -> Array:
    turned = points.copy()
    turned[:, [i, j]] = points[:, [j, i]]
    return turned


def _turned(points: Array, some: list[int]) -> Array:
    turned = points.copy()
    turned[:, some] *= -1.0
    return turned
