"""Intervals of one parameter that hold a share of its posterior: equal-tailed, and the shortest; modes that are real.

Every number, plot, table and file takes its intervals from here (through ``StoredPosterior.intervals``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.numbers.shown_digits import spoken

Array = NDArray[np.float64]
Interval = tuple[float, float]
Kind = Literal["equal_tailed", "shortest"]

LEAST_PIECE = 0.01  # mass of the smallest piece, and of the smallest mode, that is listed
LEAST_GAP = 0.005  # mass of the smallest gap between two pieces
DIP = 0.5  # of the lower of two peaks: a valley above that is no gap to a reader
SURE = 3.0  # standard errors by which the valley must lie below the peaks: ripples of draws do not
STARTS = 1001  # left ends tried for the shortest interval
FLAT = 1e-4  # widths that differ by less are equal


def in_words(kind: Kind, level: float) -> str:
    """What the interval is, in one sentence."""
    if kind == "equal_tailed":
        tail = f"{spoken(50 * (1 - level), 3)} %"
        return f"A {100 * level:.0f} % interval has {tail} of the posterior probability below it and {tail} above (equal tails)."
    return (
        f"The shortest range that holds {100 * level:.0f} % of the posterior probability; in several parts only where the "
        "posterior has separate modes."
    )


def modes_words(name: str, count: int, parameters: int = 1) -> str:
    """``name``: of so many ``parameters``, joined."""
    verb = "has" if parameters == 1 else "have"
    return f"{name} {verb} {({2: 'two', 3: 'three', 4: 'four'}).get(count, count)} separate modes."


@dataclass(frozen=True)
class Curve:
    """A density on increasing points in the user's units: ends of cells (n + 1,), their mass (n,), height (n,) = mass per
    length, and the height's standard error (n,) by the number of draws; zero for a mixture."""

    ends: Array
    mass: Array
    height: Array
    error: Array


def equal_tailed(quantile: Callable[[Array], Array], level: float) -> Interval:
    """Between the quantiles (1 - level) / 2 and (1 + level) / 2."""
    low, high = quantile(np.array([0.5 * (1.0 - level), 0.5 * (1.0 + level)]))
    return float(low), float(high)


def shortest_connected(
    curve: Curve, quantile: Callable[[Array], Array], level: float, lower: float, upper: float
) -> Interval:
    """The narrowest [q(p), q(p + level)]; from a finite bound ``lower`` or up to ``upper`` where that is narrower.

    Where many are as narrow (a flat density), the one in the middle. ``curve`` finds p, ``quantile`` gives the ends.
    """
    spare = 1.0 - level
    p = np.linspace(0.0, spare, STARTS)
    cdf = np.concatenate([[0.0], np.cumsum(curve.mass)])
    low, high = (np.interp(at * cdf[-1], cdf, curve.ends) for at in (p, p + level))
    width = high - low
    narrow = np.flatnonzero(width <= width.min() * (1.0 + FLAT))
    start = float(p[narrow[len(narrow) // 2]])
    inside = float(np.clip(start, 1e-3 * spare, (1.0 - 1e-3) * spare))
    a, b = (float(v) for v in quantile(np.array([inside, inside + level])))
    step = spare / (STARTS - 1)
    return (lower if np.isfinite(lower) and start < step else a), (upper if np.isfinite(upper) and start > spare - step else b)


def modes(curve: Curve) -> list[slice]:
    """Cells of each real mode, from left to right: peaks with a valley between them that is deep for the eye and by the numbers.

    Two neighbours are one mode while the valley is above DIP of the lower peak, or within SURE standard errors of it, or either
    holds less than LEAST_PIECE; the least convincing valley is filled first.
    """
    h, error = curve.height, curve.error
    rising = np.concatenate([[True], np.diff(h) > 0])
    peaks = [int(i) for i in np.flatnonzero(rising & np.concatenate([np.diff(h) <= 0, [True]]))]
    valleys = [a + int(np.argmin(h[a : b + 1])) for a, b in pairwise(peaks)]
    total = np.concatenate([[0.0], np.cumsum(curve.mass)])
    while valleys:
        edges = [0, *valleys, len(h)]
        held = [(total[b] - total[a]) / total[-1] for a, b in pairwise(edges)]
        doubt = [_doubt(h, error, peaks[k : k + 2], v, min(held[k : k + 2])) for k, v in enumerate(valleys)]
        worst = int(np.argmax(doubt))
        if doubt[worst] <= 1.0:
            break
        _join(h, peaks, valleys, worst)
    edges = [0, *valleys, len(h)]
    return [slice(a, b) for a, b in pairwise(edges)]


def _join(h: Array, peaks: list[int], valleys: list[int], k: int) -> None:
    """Peak k and the next become one, the higher; of the valleys on both sides of the other the deeper is kept."""
    right = bool(h[peaks[k]] >= h[peaks[k + 1]])
    beyond = k + 1 if right else k - 1
    if 0 <= beyond < len(valleys) and h[valleys[k]] < h[valleys[beyond]]:
        valleys[beyond] = valleys[k]
    del valleys[k], peaks[k + right]


def _doubt(h: Array, error: Array, peaks: list[int], valley: int, held: float) -> float:
    """Above 1: no real valley; the larger, the less."""
    lower = min(peaks, key=lambda i: h[i])
    if not h[lower] > 0.0:
        return np.inf
    depth = h[lower] - h[valley]
    noise = SURE * float(np.hypot(error[lower], error[valley]))
    shallow, unsure = float(h[valley] / (DIP * h[lower])), float(noise / depth) if depth > 0 else np.inf
    return max(shallow, unsure, LEAST_PIECE / max(held, 1e-300))


def region(curve: Curve, parts: list[slice], level: float) -> list[Interval]:
    """The highest-density region with one connected piece at most in each of the modes ``parts``, the shortest that holds what
    the region has there. Shallow dips are filled to find that share; a filled dip is added in part, so that ``level`` is held.
    """
    filled = curve.height.copy()
    for part in parts:
        h = curve.height[part]
        filled[part] = np.minimum(np.maximum.accumulate(h), np.maximum.accumulate(h[::-1])[::-1])
    order = np.argsort(-filled, kind="stable")
    held = np.cumsum(curve.mass[order])
    last = filled[order[min(int(np.searchsorted(held, level * held[-1])), len(order) - 1)]]
    above = [float(curve.mass[part][filled[part] > last].sum()) for part in parts]
    at = [float(curve.mass[part][filled[part] == last].sum()) for part in parts]
    share = min(max((level * held[-1] - sum(above)) / max(sum(at), 1e-300), 0.0), 1.0)
    wanted = [a + share * b for a, b in zip(above, at, strict=True)]
    least = min(LEAST_PIECE * held[-1], max(wanted))
    return _joined(curve, [(part, mass) for part, mass in zip(parts, wanted, strict=True) if mass >= least])


def _joined(curve: Curve, wanted: list[tuple[slice, float]]) -> list[Interval]:
    """The shortest interval in each part that holds its mass. Those that nearly touch, at a level that holds nearly all of the
    valley between them, are one: the shortest that holds what they do."""
    cdf = np.concatenate([[0.0], np.cumsum(curve.mass)])
    kept: list[tuple[slice, float, Interval]] = []
    for part, mass in wanted:
        piece = _narrowest(curve, part, mass)
        kept.append((part, mass, piece))
        while len(kept) > 1:
            (before, held, (_, high)), (after, more, (low, _)) = kept[-2:]
            if float(np.diff(np.interp([high, low], curve.ends, cdf))[0]) >= LEAST_GAP * cdf[-1]:
                break
            both = slice(before.start, after.stop)
            kept[-2:] = [(both, held + more, _narrowest(curve, both, held + more))]
    return [piece for _, _, piece in kept]


def _narrowest(curve: Curve, part: slice, mass: float) -> Interval:
    """The shortest interval that begins at a cell of ``part``, ends in it, and holds ``mass``."""
    ends = curve.ends[part.start : part.stop + 1]
    cdf = np.concatenate([[0.0], np.cumsum(curve.mass[part])])
    starts = cdf + mass <= cdf[-1] * (1.0 + 1e-12)
    high = np.interp(cdf[starts] + mass, cdf, ends)
    best = int(np.argmin(high - ends[starts]))
    return float(ends[starts][best]), float(high[best])
