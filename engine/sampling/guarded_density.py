"""The log density an answer is made from, over the draws of a proposal: the surrogate's mean as far as it can be trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..feasibility.classifier import FAILS_BELOW, Feasibility
from ..surrogate.frames import BoxFrame
from ..surrogate.log_joint import LogJoint
from ..surrogate.tail_penalty import tail_penalty
from .trusted_density import TrustedDensity

Array = NDArray[np.float64]

NEGLIGIBLE = 14.0  # nats below the heaviest draw: the guard's sd is only computed where the weight is not negligible
GUARD_ROUNDS = 4  # of points within NEGLIGIBLE of the heaviest one
UNSURE = 1.5  # GP sd below which no neighbour is expected above 2


@dataclass(frozen=True)
class Hull:
    """Region in which the surrogate is trusted: plausible box and all good points, plus .75 of its widths (RECIPE 5).

    Good points count only within two widths of the box and the best point: a flat target must not be followed for ever.
    """

    lower: Array
    upper: Array

    @classmethod
    def of(cls, b: Array, drop: Array) -> Hull:
        """b (n, D) box frame, drop (n,) = ymax - y."""
        d = b.shape[1]
        best = b[int(np.argmin(drop))]
        low, high = np.minimum(-2.0, best), np.maximum(2.0, best)
        reach = 2.0 * (high - low)
        good = np.clip(b[drop < 5.0 + 3.0 * d], low - reach, high + reach)
        low, high = np.minimum(low, good.min(0)), np.maximum(high, good.max(0))
        width = high - low
        return cls(low - 0.75 * width, high + 0.75 * width)

    def contains(self, b: Array) -> NDArray[np.bool_]:
        return np.asarray(np.all((b >= self.lower) & (b <= self.upper), axis=1))


@dataclass(frozen=True)
class GuardedDensity:
    """Guarded surrogate mean: less where it is unsure, nothing outside the hull or where runs are impossible; box frame.

    ``ceiling``: nats above every place evaluated that are not believed where runs fail. ``most``: at points (n, D), of the mean
    (n,) that is believed, where something else is known of it.
    """

    surrogate: LogJoint
    hull: Hull
    possible: Feasibility
    ceiling: float = np.inf
    most: Callable[[Array], Array] | None = None

    def __call__(self, points: Array, log_q: Array) -> Array:
        """(n,) at points (n, D) drawn with log density ``log_q`` (n,)."""
        if self.surrogate.variance_is_free:
            return np.where(self.hull.contains(points), self.believed(points, self.surrogate.trusted(points)), -np.inf)
        return self.given(points, log_q, self.surrogate.mean(points), lambda which: self.sd(points[which]))

    def given(self, points: Array, log_q: Array, mean: Array, sd: Callable[[NDArray[np.intp]], Array]) -> Array:
        """... with the surrogate's mean (n,) known, and its sd by indices."""
        value = np.where(self.hull.contains(points), self.believed(points, mean), -np.inf)
        return guarded(value, log_q, sd)

    def sd(self, points: Array) -> Array:
        return np.asarray(np.sqrt(self.surrogate.variance(points)))

    def believed(self, points: Array, mean: Array) -> Array:
        """The mean (n,) with what is known of where runs fail."""
        value = mean + self.possible.log_possible(points)
        above = np.flatnonzero(value > self.ceiling)
        value[above[self.possible.log_runs(points[above]) < FAILS_BELOW]] = -np.inf
        return value if self.most is None else np.minimum(value, self.most(points))

    def trusted(self, box: BoxFrame, top: float, correction: Callable[[Array], Array] | None = None) -> TrustedDensity:
        """The same at any points u of inference space; ``correction``: points (n, D) in the box frame -> nats (n,)."""
        believed = self.believed if correction is None else lambda b, mean: self.believed(b, mean) + correction(b)
        return TrustedDensity(box, self.surrogate, self.hull, believed, top)


def guarded(value: Array, log_q: Array, sd_of: Callable[[NDArray[np.intp]], Array]) -> Array:
    """``tail_penalty`` where the weight is not negligible.

    Without the square a far region with a large mean and a larger sd takes over the posterior of a heavy-tailed target.

    ``sd_of`` takes indices. The heaviest points and every eighth are looked at first; the rest only if any of those is unsure
    (a thinner selection misses the unsure ones of heavy-tailed targets). A surrogate that explodes far away has more layers than
    rounds: whatever still outweighs the points looked at is looked at in the end.
    """
    checked = np.zeros(len(value), dtype=bool)
    for turn in range(GUARD_ROUNDS + 2):
        weight = value - log_q
        layered = turn < GUARD_ROUNDS or not checked.any()
        level = weight.max() if layered else weight[checked].max()
        todo = np.flatnonzero((weight > level - NEGLIGIBLE) & ~checked & np.isfinite(value))
        if len(todo) == 0:
            break
        if len(todo) > 400 and layered:
            heavy = todo[np.argpartition(-weight[todo], 100)[:100]]
            first = np.union1d(heavy, todo[::8])
            if sd_of(first).max() < UNSURE:
                break
        value[todo] -= tail_penalty(sd_of(todo))
        checked[todo] = True
    return value
