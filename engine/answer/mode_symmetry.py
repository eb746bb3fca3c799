"""Whether two modes of a posterior are one answer written twice: images of each other by an exchange of parameters (label
switching) or a change of their signs. Pure functions of means, covariances and masses in the user's units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Moments = tuple[str, float, float, Array, Array]  # name, mass, its sd, mean (D,), covariance (D, D) of a mode

MEAN_SHIFT = 0.5  # sds that the image's mean may lie off: what an answer's noise moves it by
SD_RATIO = 1.5  # of the larger to the smaller of two sds
CORRELATION = 0.35  # by which two correlations may differ
MASS_SHARE = 0.1  # of both masses together by which they may differ beyond two of their sds
MOST = 6  # parameters of which every order and sign is tried: 720 and 64


@dataclass(frozen=True)
class SameAnswer:
    """Mode ``second`` is mode ``first`` with ``exchanged`` cycles of parameters, or with ``signs`` of parameters changed."""

    first: str
    second: str
    exchanged: tuple[tuple[int, ...], ...] = ()
    signs: tuple[int, ...] = ()

    def words(self, titles: Sequence[str]) -> str:
        """``titles``: of all parameters."""
        start = f"Modes {self.first} and {self.second} are the same answer with"
        if self.signs:
            which = _listed([titles[i] for i in self.signs])
            return f"{start} the sign{'s' if len(self.signs) > 1 else ''} of {which} changed."
        pairs = [f"{titles[c[0]]} and {titles[c[1]]}" for c in self.exchanged if len(c) == 2]
        if len(pairs) == len(self.exchanged):
            return f"{start} {', and '.join(pairs)} exchanged."
        moved = sorted(i for cycle in self.exchanged for i in cycle)
        return f"{start} {_listed([titles[i] for i in moved])} in another order."


def same_answers(modes: Sequence[Moments]) -> tuple[SameAnswer, ...]:
    """Of each mode the first one before it that it is an image of."""
    found = []
    for n, mode in enumerate(modes):
        images = (same for other in modes[:n] if (same := same_answer(other, mode)) is not None)
        if (first := next(images, None)) is not None:
            found.append(first)
    return tuple(found)


def same_answer(first: Moments, second: Moments) -> SameAnswer | None:
    """The exchange of fewest parameters, or else the change of fewest signs, that takes one mode to the other."""
    a, p, sd_p, mean, cov = first
    b, q, sd_q, at, other = second
    if abs(p - q) > MASS_SHARE * (p + q) + 2.0 * float(np.hypot(sd_p, sd_q)):
        return None
    width = np.sqrt(np.maximum(np.diagonal(other), 1e-300))
    moved = tuple(int(i) for i in np.flatnonzero(np.abs(mean - at) > MEAN_SHIFT * width))
    if not moved:
        return None
    d = len(mean)
    for order in _orders(d, moved):
        if _alike(mean[order], cov[np.ix_(order, order)], at, other, width):
            return SameAnswer(a, b, exchanged=_cycles(order))
    for signs in _signs(d, moved):
        flip = np.ones(d)
        flip[list(signs)] = -1.0
        if _alike(flip * mean, cov * np.outer(flip, flip), at, other, width):
            return SameAnswer(a, b, signs=signs)
    return None


def _alike(mean: Array, cov: Array, at: Array, other: Array, width: Array) -> bool:
    if (np.abs(mean - at) > MEAN_SHIFT * width).any():
        return False
    sd = np.sqrt(np.maximum(np.diagonal(cov), 1e-300))
    if (np.abs(np.log(sd / width)) > np.log(SD_RATIO)).any():
        return False
    return bool((np.abs(cov / np.outer(sd, sd) - other / np.outer(width, width)) <= CORRELATION).all())


def _orders(d: int, moved: tuple[int, ...]) -> Iterator[list[int]]:
    """Orders of the d parameters in which all the ``moved`` ones change their place, those that move fewest first."""
    free = tuple(range(d)) if d <= MOST else moved
    if len(free) > MOST:
        return
    some = [p for p in permutations(free) if all(i != j for i, j in zip(free, p, strict=True) if i in moved)]
    for order in sorted(some, key=lambda p: sum(i != j for i, j in zip(free, p, strict=True))):
        whole = list(range(d))
        for i, j in zip(free, order, strict=True):
            whole[i] = j
        yield whole


def _signs(d: int, moved: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Sets of parameters that hold the ``moved`` ones, the smallest first: one around 0 may change its sign unseen."""
    others = [i for i in range(d) if i not in moved] if d <= MOST else []
    for count in range(len(others) + 1):
        for more in combinations(others, count):
            yield tuple(sorted((*moved, *more)))


def _cycles(order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    found, seen = [], set()
    for start, to in enumerate(order):
        if to == start or start in seen:
            continue
        cycle = [start]
        while (nxt := order[cycle[-1]]) != start:
            cycle.append(nxt)
        seen.update(cycle)
        found.append(tuple(cycle))
    return tuple(found)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
