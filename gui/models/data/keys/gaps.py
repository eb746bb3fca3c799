"""Measured keys between those of an output: all in one gap, or half way between two. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FEWEST = 3  # different keys: fewer may well lie between the same two
SAME = 1e-6  # of the step between keys: smaller differences are rounding


def in_one_gap(wanted: Array, places: Array) -> bool:
    """Whether several different ``wanted`` keys (n,) all lie between the same two of more ``places`` (m,), or nearest to the same
    one: those are places of something else, or in another unit."""
    wanted, places = np.unique(wanted[np.isfinite(wanted)]), np.unique(places[np.isfinite(places)])
    if len(wanted) < FEWEST or len(places) < FEWEST:
        return False
    first, last = np.searchsorted(places, [wanted[0], wanted[-1]], side="left")
    return bool(first == last and places[min(first, len(places) - 1)] > wanted[-1]) and first > 0


def has_tie(wanted: Array, places: Array) -> bool:
    """Whether a ``wanted`` key (n,) lies half way between two ``places`` (m,): neither is nearer."""
    wanted, places = wanted[np.isfinite(wanted)], np.unique(places[np.isfinite(places)])
    inside = wanted[(wanted > places[0]) & (wanted < places[-1])] if len(places) > 1 else wanted[:0]
    above = np.searchsorted(places, inside)
    before, after = inside - places[above - 1], places[above] - inside
    return bool(np.any(np.abs(before - after) <= SAME * (before + after)))
