"""Which summaries are made of others: exact linear relations that make a covariance singular."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

ROUNDING = 1e-12  # share of a variance left over by the others at or below which there is nothing of its own in it
NO_PART = 1e-5  # of the largest coefficient: below it a summary has no part in a relation


@dataclass(frozen=True)
class Dependence:
    """Number ``whole`` is a linear combination of the numbers ``parts``, none of which can be spared."""

    whole: int
    parts: tuple[int, ...]

    def words(self, names: Sequence[str]) -> str:
        """``names`` (k,): of all numbers. A clause."""
        who = [_bare(names[i]) for i in (self.whole, *self.parts)]
        if len(self.parts) == 1:
            return f"{who[0]} and {who[1]} say the same"
        return f"{who[0]} is made of {', '.join(who[1:-1])} and {who[-1]}"


def dependences(correlation: Array) -> list[Dependence]:
    """Every relation that has to be broken, one after another without the ``whole`` of those before; (k, k) of unit diagonal.

    A pivoted Cholesky factor parts the numbers into independent ones and the rest; the first of the rest is solved for.
    """
    left = list(range(len(correlation)))
    found: list[Dependence] = []
    while len(left) > 1:
        relation = _first(correlation[np.ix_(left, left)])
        if relation is None:
            break
        numbers, weights = relation
        whole = int(numbers[_stands_for_all(weights)])
        found.append(Dependence(left[whole], tuple(left[i] for i in sorted(numbers) if i != whole)))
        left.remove(left[whole])
    return found


def _first(correlation: Array) -> tuple[NDArray[np.intp], Array] | None:
    """Numbers (n,) and their weights (n,) with sum weights x number = constant; None: all are independent."""
    _, pivots, rank, _ = scipy.linalg.lapack.dpstrf(correlation, tol=ROUNDING, lower=1)
    order = np.asarray(pivots, dtype=np.intp) - 1
    if rank >= len(order):
        return None
    base, one = order[:rank], order[rank]
    solved = scipy.linalg.cho_solve((stable_cholesky(correlation[np.ix_(base, base)]), True), correlation[base, one])
    weights = np.append(solved, -1.0)
    numbers = np.append(base, one)
    part = np.abs(weights) > NO_PART * np.abs(weights).max()
    return numbers[part], weights[part]


def _stands_for_all(weights: Array) -> int:
    """The place of the total: the one against all others by its sign, as a sum is; else the one of the largest weight."""
    negative = weights < 0.0
    alone = negative if negative.sum() == 1 else ~negative if (~negative).sum() == 1 else None
    if alone is not None and len(weights) > 2:
        return int(np.argmax(alone))
    return int(np.argmax(np.abs(weights)))


def _bare(name: str) -> str:
    """Of a summary that is one value its output's name alone."""
    return name.removeprefix("value of ")
