"""Where to look for another mode: evenly spread places, which rule out as many hypothetical modes as greedily chosen ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..numerics.unseen_modes import even_places

Array = NDArray[np.float64]

WIDTH, MASS = 0.05, 0.1  # of the modes hunted: sd as a share of the plausible ranges, and share of the posterior
GOAL = 0.1  # share of them that may stay unseen
PLACES, SEED = 1024, 1  # as those whose gain is foretold (session/unseen.py)


def fewest_looks(dimension: int) -> int:
    """Before a first certification: 8, 10, 12, 14 at D = 5 to 8, about a sixth of the evaluations that one mode takes."""
    return 2 * (dimension - 1)


def most_looks(dimension: int) -> int:
    """... where more than GOAL of the modes hunted would not have shown yet."""
    return 4 * dimension


def place_to_hunt(dimension: int, looked: int, possible: Callable[[Array], NDArray[np.bool_]]) -> Array:
    """The next place (D,) in the unit cube after ``looked`` looks; possible: (n, D) -> (n,), where runs may have a density."""
    places = even_places(dimension, PLACES, SEED)
    allowed = places[possible(places)]
    return np.array((allowed if len(allowed) else places)[looked % max(len(allowed), 1)], dtype=float)
