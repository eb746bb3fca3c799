"""Where a mode would stand again if the program did not tell some of its parameters, or which way they are counted, apart."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

ALIKE = 1e-6  # of the width of a range: ends nearer than that are the same
MOST_EXCHANGES = 40  # ways to exchange coordinates that are looked at, the simplest: of eight that share a range there are 763


@dataclass(frozen=True)
class Image:
    """Exchanges ``pairs`` of coordinates, and turns others about the middle of their range: made twice, it is undone."""

    pairs: tuple[tuple[int, int], ...]
    turned: tuple[int, ...]

    def of(self, points: Array, lower: Array, upper: Array) -> Array:
        """What points (n, D) become: (n, D). ``lower``, ``upper`` (D,): the plausible box."""
        found = points.copy()
        for i, j in self.pairs:
            found[:, [i, j]] = points[:, [j, i]]
        some = list(self.turned)
        found[:, some] = (lower + upper)[some] - points[:, some]
        return found


def possible_images(lower: Array, upper: Array, seen: Collection[int] | None = None) -> list[Image]:
    """Every exchange of coordinates that share their range, two by two, alone or with another one turned, and one or two turned.

    Two parts of several parameters each that change places exchange them all; two layers have their share of the whole turned;
    signs are turned where a range has its middle at 0. ``lower``, ``upper`` (D,): the plausible box. ``seen``: coordinates that
    the program sees, all without; what the others change is known without a run.
    """
    d, width = len(lower), upper - lower
    moved = [k for k in range(d) if seen is None or k in seen]
    same = [
        (i, j)
        for i, j in combinations(moved, 2)
        if max(abs(lower[i] - lower[j]), abs(upper[i] - upper[j])) <= ALIKE * width[i]
    ]
    found = []
    for pairs in islice(_disjoint(same), MOST_EXCHANGES):
        rest = [k for k in moved if all(k not in pair for pair in pairs)]
        found += [Image(pairs, ()), *(Image(pairs, (k,)) for k in rest)]
    return found + [Image((), some) for k in (1, 2) for some in combinations(moved, k)]


def _disjoint(pairs: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Choices of pairs that have nothing in common, the fewest first."""
    chosen: list[tuple[tuple[int, int], ...]] = [(pair,) for pair in pairs]
    while chosen:
        yield from chosen
        chosen = [
            (*some, pair) for some in chosen for pair in pairs if pair > some[-1] and not {*pair} & {k for p in some for k in p}
        ]
