"""Posterior draws that are kept, and weighted anew, from one evaluation to the next while the hyperparameters stay.

A new value then costs one row of covariances; drawing again costs all of them, and a search of the proposal besides.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..machine.devices import Place, computing_on, moved
from ..numerics.arrays import Values, empty, to_numpy
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

    def first(self, count: int) -> PlainDraws:
        """The first ``count`` of them, as evenly spread as all: they are of a low-discrepancy sequence."""
        return self if count >= len(self.points) else PlainDraws(self.points[:count], self.log_q[:count], self.proposal)

    def weighed_by(self, guarded: GuardedDensity) -> Array | None:
        """The density (m,) at the points."""
        return guarded(self.points, self.log_q)


@dataclass
class KeptDraws:
    """Points (m, D) drawn from ``proposal`` with log density ``log_q`` (m,), box frame, and what ties them to the data."""

    points: Array
    log_q: Array
    proposal: Proposal
    b: Array  # (n, D) the data of the rows
    rows: Values = field(repr=False)  # (n, m) covariances that depend on distance, and below them room for data to come
    place: Place = None  # where they are, and what is computed of them
    conditioned: Conditioned | None = field(default=None, repr=False)
    factor: Array | None = field(default=None, repr=False)  # of the data ``conditioned`` knows of

    @classmethod
    def of(cls, points: Array, log_q: Array, proposal: Proposal, surrogate: QuadraticSurrogate) -> KeptDraws:
        """Where the surrogate's variance at all of them is computed sooner."""
        n, place = len(surrogate.b), surrogate.place_for(len(points), variance=True)
        with computing_on(place):
            there, at = surrogate.on(place), moved(points, place)
            rows = empty(at, n + _more(n), len(points))
            there.distance_covariance(there.b, at, out=rows[:n])
        return cls(points, log_q, proposal, surrogate.b, rows, place)

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
        with computing_on(self.place):
            there, at = surrogate.on(self.place), moved(self.points, self.place)
            if n > len(self.rows):
                room = empty(self.rows, n + _more(n), len(self.points))
                room[:known] = self.rows[:known]
                self.rows = room
            there.distance_covariance(there.b[known:], at, out=self.rows[known:n])
            self.b = surrogate.b
            return np.asarray(to_numpy(there.mean_given(at, self.rows[:n])), dtype=float)

    def sd(self, surrogate: QuadraticSurrogate, which: NDArray[np.intp]) -> Array:
        """The surrogate's sd at the points ``which``."""
        if self.conditioned is None and FEW * len(which) < len(self.points):
            return np.asarray(np.sqrt(surrogate.variance(self.points[which])))
        with computing_on(self.place):
            there = surrogate.on(self.place)
            if self.conditioned is not None and self.factor is not None and surrogate.continues(self.factor):
                self.conditioned = there.conditioned_further(self.conditioned)
            else:
                self.conditioned = None  # before there is another
                self.conditioned = there.conditioned(moved(self.points, self.place), more=_more(len(surrogate.b)))
            self.factor = surrogate.factor
            return np.asarray(np.sqrt(to_numpy(self.conditioned.variance)[which]))


def _more(n: int) -> int:
    """Rows to leave room for, with n data."""
    return n // ROOM + 1
