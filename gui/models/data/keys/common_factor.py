"""The one factor by which the places of an output are those of a data column. Pure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.rows.key_scale import SAME
from bayescope.engine.problem.data.rows.pairing import tolerance
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.gui.models.data.keys.part_keys import match_of

Array = NDArray[np.float64]
FEWEST = 3  # different keys that one factor brings together: of two, any factor brings one
MOST_KEYS = 2_000  # of an output or a column, while the window waits: each may be the partner of the largest
MOST_DIGITS = 9  # of a factor: computed numbers have more


def common_factor(keys: Array, places: Array) -> float | None:
    """The one factor by which the ``places`` (m,) of an output are to be multiplied so that all ``keys`` (n,) are among them.

    None: there is none but 1, there are several, or the keys are too few or no numbers. Of two of different sign the positive
    one is taken.
    """
    usable = np.isfinite(keys) & (keys < FIRST_LABEL)
    wanted, found = np.unique(keys), np.unique(places[np.isfinite(places) & (places < FIRST_LABEL)])
    if not usable.all() or not FEWEST <= len(wanted) <= len(found) <= MOST_KEYS:
        return None
    largest = wanted[np.argmax(np.abs(wanted))]
    with np.errstate(divide="ignore", over="ignore"):
        tried = largest / found[found != 0.0]
    fits = _fitting(tried[np.isfinite(tried) & (tried != 0.0)], wanted, found)
    one = [float(f) for f in fits if f > 0.0] or [float(f) for f in fits]
    if len(one) != 1 or np.isclose(one[0], 1.0, rtol=SAME):
        return None
    most = max(2.0 * _apart(wanted, found, one[0]), SAME * abs(float(largest)))  # twice what rounding leaves
    return next((f for f in _plainer(one[0]) if _apart(wanted, found, f) <= most), one[0])


def _plainer(factor: float) -> Iterator[float]:
    """It and its inverse with few digits first: 0.25, 1 / 60."""
    for digits in range(1, MOST_DIGITS + 1):
        yield float(f"{factor:.{digits}g}")
        yield 1.0 / float(f"{1.0 / factor:.{digits}g}")


def _apart(wanted: Array, places: Array, factor: float) -> float:
    """How far the furthest of the keys (n,) is from the nearest of the ordered places (m,) times the factor."""
    return float(_nearest(np.array(factor), wanted, places).max())


def _nearest(factors: Array, keys: Array | float, places: Array) -> Array:
    """How far keys are from the nearest of the ordered places (m,) times factors; one of the two may be many."""
    at = np.clip(np.searchsorted(places, keys / factors), 1, len(places) - 1)
    return np.minimum(np.abs(factors * places[at] - keys), np.abs(factors * places[at - 1] - keys))


def _fitting(factors: Array, wanted: Array, places: Array) -> Array:
    """Those of the factors (k,) by which each of the keys (n,) is among the ordered places (m,); few are left after few keys."""
    for key, near in zip(wanted, tolerance(match_of(), wanted), strict=True):
        factors = factors[_nearest(factors, key, places) <= near]
    return factors
