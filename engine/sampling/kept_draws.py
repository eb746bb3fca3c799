"""Posterior draws that are kept, and weighted anew, from one evaluation to the next while the hyperparameters stay.

A new value then costs one row of covariances; drawing again costs all of them, and a search of the proposal besides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..surrogate.quadratic.posterior import Conditioned, QuadraticSurrogate
from .guarded_density import GuardedDensity
from .proposal import Proposal

Array = NDArray[np.float64]

FEW = 4  # less than a fourth of the draws: their sd alone is computed, and nothing kept
ROOM = 20  # for a twentieth more data than there are, after which the hyperparameters are fitted again and all is drawn anew


@dataclass
class PlainDraws:
    """Points (m, D) drawn from ``proposal`` with log density ``log_q`` (m,), box frame; nothing else is kept of them."""

    points: Array
    log_q: Array
    proposal: Proposal

    def weighed_by(self, guarded: GuardedDensity) -> Array | None:
        """The density (m,) at the points."""
        return guarded(self.points, self.log_q)


@dataclass
class FollowedDraws:
    """Points (m, D) drawn from ``proposal`` with log density ``log_q`` (m,), box frame, and what ties them to the data."""

    points: Array
    log_q: Array
    proposal: Proposal
    b: Array  # (n, D) the data of the rows
    rows: Array = field(repr=False)  # (n, m) covariances that depend on distance, and below them room for data to come
    conditioned: Conditioned | None = field(default=None, repr=False)
    factor: Array | None = field(default=None, repr=False)  # of the data ``conditioned`` knows of

    @classmethod
    def of(cls, points: Array, log_q: Array, proposal: Proposal, surrogate: QuadraticSurrogate) -> FollowedDraws:
        n = len(surrogate.b)
        rows = np.empty((n + _more(n), len(points)))
        surrogate.distance_covariance(surrogate.b, points, out=rows[:n])
        return cls(points, log_q, proposal, surrogate.b, rows)

    def weighed_by(self, guarded: GuardedDensity) -> Array | None:
        """The density (m,) at the points; None if its surrogate is of other data."""
        known = guarded.surrogate
        mean = self.mean(known) if isinstance(known, QuadraticSurrogate) else None
        if mean is None or not isinstance(known, QuadraticSurrogate):
            return None
        return guarded.given(self.points, self.log_q, mean, lambda which: self.sd(known, which))

    def mean(self, surrogate: QuadraticSurrogate) -> Array | None:
        """The surrogate's mean (m,) at the points; None if its data are not the known ones and more."""
        known, n = len(self.b), len(surrogate.b)
        if n < known or not np.array_equal(surrogate.b[:known], self.b):
            return None
        if n > len(self.rows):
            self.rows = np.concatenate([self.rows[:known], np.empty((n + _more(n) - known, len(self.points)))])
        surrogate.distance_covariance(surrogate.b[known:], self.points, out=self.rows[known:n])
        self.b = surrogate.b
        return surrogate.mean_given(self.points, self.rows[:n])

    def sd(self, surrogate: QuadraticSurrogate, which: NDArray[np.intp]) -> Array:
        """The surrogate's sd at the points ``which``."""
        if self.conditioned is None and FEW * len(which) < len(self.points):
            return np.asarray(np.sqrt(surrogate.variance(self.points[which])))
        if self.conditioned is not None and self.factor is not None and surrogate.continues(self.factor):
            self.conditioned = surrogate.conditioned_further(self.conditioned)
        else:
            self.conditioned = None  # before there is another
            self.conditioned = surrogate.conditioned(self.points, more=_more(len(surrogate.b)))
        self.factor = surrogate.factor
        return np.asarray(np.sqrt(self.conditioned.variance[which]))


def _more(n: int) -> int:
    """Rows to leave room for, with n data."""
    return n // ROOM + 1
