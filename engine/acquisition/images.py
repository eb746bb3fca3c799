"""Where a mode would stand again if the program did not tell some of its parameters, or which way they are counted, apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ALIKE = 1e-6  # of the width of a range: ends nearer than that are the same


def images(points: Array, lower: Array, upper: Array) -> Array:
    """What points (n, D) become by every exchange of two coordinates that share their range, alone or with another one turned
    about the middle of its range, and by turning one or two: (m, D). ``lower``, ``upper`` (D,): the plausible box.

    Two layers that change places have their share of the whole turned; signs are turned where a range has its middle at 0.
    """
    d, width = len(lower), upper - lower
    same = [
        (i, j)
        for i, j in combinations(range(d), 2)
        if max(abs(lower[i] - lower[j]), abs(upper[i] - upper[j])) <= ALIKE * width[i]
    ]
    found = []
    for pair in same:
        exchanged = _exchanged(points, *pair)
        found += [exchanged, *(_turned(exchanged, [k], lower + upper) for k in range(d) if k not in pair)]
    found += [_turned(points, list(some), lower + upper) for k in (1, 2) for some in combinations(range(d), k)]
    return np.concatenate(found)


def _exchanged(points: Array, i: int, j: int) -> Array:
    turned = points.copy()
    turned[:, [i, j]] = points[:, [j, i]]
    return turned


def _turned(points: Array, some: list[int], ends: Array) -> Array:
    """``ends`` (D,): lower and upper limit together."""
    turned = points.copy()
    turned[:, some] = ends[some] - points[:, some]
    return turned
