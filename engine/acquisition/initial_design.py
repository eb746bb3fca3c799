"""The first points: the user's guesses, then scrambled Sobol points in the plausible box (RECIPE 2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from ..loop_interface import LoopSettings, Tell
from ..numerics.randomness import generator
from ..surrogate.evaluations import outcome_of
from .whole_tables import whole_point

Array = NDArray[np.float64]

REACH = 1.0 / np.sqrt(3.0)  # half sides of the plausible box that a simplex reaches, rms over the axes: as far as even points
WIDE_EVERY = 4  # runs, of which one is a wide draw once something has worked
OUTWARDS = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2)  # half sides of the plausible box, one after the other, around what worked


def design_point(index: int, count: int, lower: Array, upper: Array, start: Array | None, seed: int) -> Array:
    """Point ``index`` (D,) in inference space; the first are ``start``, one (D,) or several (k, D), if given."""
    given = np.empty((0, len(lower))) if start is None else np.atleast_2d(np.asarray(start, dtype=float))
    if index < len(given):
        return np.array(given[index])
    d = len(lower)
    power = int(np.ceil(np.log2(count + 1)))
    points = qmc.Sobol(d, scramble=True, rng=generator(seed, "design")).random_base2(power)
    return np.asarray(lower + (upper - lower) * points[index % len(points)], dtype=float)


def simplex_point(index: int, lower: Array, upper: Array, start: Array | None, seed: int) -> Array:
    """Point ``index`` (D,) of as few as tell every slope of what is linear, and tell them best: the D + 1 corners of a regular
    simplex, turned at random. The user's guesses ``start`` come first, each in place of the corner nearest to it."""
    given = np.empty((0, len(lower))) if start is None else np.atleast_2d(np.asarray(start, dtype=float))
    if index < len(given):
        return np.array(given[index])
    half, corners = (upper - lower) / 2, _simplex(len(lower), generator(seed, "simplex"))
    for place in (given - (lower + upper) / 2) / half:
        corners = np.delete(corners, int(np.square(corners - place).sum(1).argmin()), axis=0) if len(corners) else corners
    rest = index - len(given)
    if rest < len(corners):
        return np.asarray((lower + upper) / 2 + half * corners[rest])
    return design_point(index, index + 1, lower, upper, start, seed)


def _simplex(d: int, rng: np.random.Generator) -> Array:
    """Corners (D + 1, D) about 0, within [-1, 1]."""
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    flat = np.linalg.qr(np.concatenate([np.ones((d + 1, 1)), np.eye(d + 1)[:, :d]], axis=1))[0][:, 1:]  # about 0, all alike
    return np.asarray(np.clip(REACH * np.sqrt(d + 1.0) * flat @ turn.T, -1.0, 1.0))


def far_point(index: int, lower: Array, upper: Array, seed: int) -> Array:
    """When the design gave nothing usable: ever wider draws around the plausible box, then back again."""
    rng = generator(seed, "wide design", index)
    widening = (1.0, 2.0, 4.0, 0.5)[index % 4]
    return np.asarray((lower + upper) / 2 + (upper - lower) / 2 * widening * rng.uniform(-1, 1, len(lower)))


def scarce(told: Sequence[Tell], dimension: int) -> bool:
    """Whether too few runs worked, fewer than a third, for a surrogate to lead to more."""
    worked = sum(outcome_of(t) == "ok" for t in told)
    return worked < dimension + 2 and 3 * worked < len(told)


def search_point(index: int, settings: LoopSettings, told: Sequence[Tell]) -> Array:
    """When too few runs worked: towards where tables are whole that others gave a part of; or outwards from the last that did,
    with a wide draw now and then for what may work elsewhere; or else from the user's guesses, in turn with wide draws."""
    s = settings
    if (whole := whole_point(index, s, told)) is not None:
        return whole
    lower, upper = np.asarray(s.plausible_lower, float), np.asarray(s.plausible_upper, float)
    worked = [np.asarray(t.u, float) for t in told if outcome_of(t) == "ok"]
    given = [] if s.start is None else list(np.atleast_2d(np.asarray(s.start, float)))
    if not (worked or given) or index % (WIDE_EVERY if worked else 2) == (WIDE_EVERY if worked else 2) - 1:
        return far_point(index, lower, upper, s.seed)
    anchor = worked[-1] if worked else given[index // (2 * len(OUTWARDS)) % len(given)]  # each in turn, as far as it goes
    reach = OUTWARDS[(index if worked else index // 2) % len(OUTWARDS)] * (upper - lower) / 2
    return np.asarray(anchor + reach * generator(s.seed, "outwards", index).uniform(-1, 1, len(lower)))
