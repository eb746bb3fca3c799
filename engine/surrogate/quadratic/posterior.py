"""The Gaussian process posterior of the default loop, in the box frame: f = -|b|^2 / 2 + GP, in units of y - ymax."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ...machine.devices import Device, Place, card_for, computing_on, moved
from ...numerics.arrays import Values, empty, is_tensor, library, solve_lower
from ...numerics.linear_algebra import stable_cholesky
from ...numerics.parts import AT_ONCE, in_parts
from ..tail_penalty import tail_penalty
from .kernel import (
    CONSTANT_VARIANCE,
    Coordinates,
    Frames,
    Kernel,
    axis_angle,
    axis_weights,
    radial_angle,
    radial_weights,
    sine_series,
)

Array = NDArray[np.float64]

MEAN_WORK, VARIANCE_WORK = (23_000, 115), (40_000, 330)  # what a point, and each datum for it, take besides the variance's n^2:
# in multiply-adds, by the measured seconds of numpy (tests/benchmarks/README.md), 1.2 to 1.5 times as quick as torch here
AT_ONCE_THERE = 16_384  # points on a graphics card: 131 MB for each matrix with 1,000 data
SMALLEST_VARIANCE = 1e-12
_MOVED = ("b", "features", "factor", "alpha", "_linear", "_quadratic", "_axis", "_radial")


@dataclass(frozen=True)
class Conditioned:
    """Points (m, D) as the surrogate sees them: what covariances between sets of points are made of."""

    coordinates: Coordinates  # without sines, which are in the features
    features: Values
    explained: Values  # (n, m): L^-1 k(data, points)
    variance: Values  # (m,) posterior
    room: Values  # (n and more, m): where ``explained`` lies, and its rows for data to come will


@dataclass
class QuadraticSurrogate:
    """A Gaussian process conditioned on n points; hyperparameters fixed.

    b: (n, D) box frame; y: (n,) shaped log joint minus its largest value; noise: (n,) variances. ``wanted``: where many points at
    once are predicted. What takes or gives ``Values`` works on arrays where the surrogate is, see ``on``; the rest is numpy.
    """

    kernel: Kernel
    b: Array
    y: Array
    noise: Array
    wanted: Device = "cpu"
    coordinates: Coordinates = field(init=False)
    features: Array = field(init=False)
    factor: Array = field(init=False)  # lower Cholesky factor of K + noise
    alpha: Array = field(init=False)  # (K + noise)^-1 (y - mean)
    _there: dict[Place, Self] = field(init=False, repr=False, default_factory=dict)  # this one on other devices

    def __post_init__(self) -> None:
        self.coordinates = self.kernel.frames.coordinates(self.b)
        self.features = self.kernel.features(self.coordinates)
        k = self.kernel.matrix(self.coordinates, self.features, self.coordinates, self.features)
        k[np.diag_indices_from(k)] += self.noise
        self.factor = stable_cholesky(k)
        bowl = self.frames.axes
        above = self.y + 0.5 * np.square(self.b).sum(1) if bowl is None else self.y - bowl.at(self.b)
        self.alpha = linalg.cho_solve((self.factor, True), above, check_finite=False)
        d = self.kernel.dimension
        _, s1, s2, s3, a, la, ar, lr = self.kernel.theta[d:]
        c = self.coordinates
        # posterior mean of the blocks that are linear in features: explicit coefficients make the mean cheap
        self._linear = np.exp(2 * s1) * (self.alpha @ c.b)
        quadratic = (c.b * self.alpha[:, None]).T @ c.b * (0.5 * np.exp(2 * s3))
        squares = np.exp(2 * s2) / np.sqrt(2.0) * (self.alpha @ c.squares)
        self._axis = np.einsum("n,nmd->md", self.alpha, c.axis) * axis_weights(a, la)[0][:, None]
        r = self.kernel.relevance
        if r is not None:
            self._linear *= r**2
            quadratic *= np.outer(r**2, r**2)
            squares *= r**4
            self._axis *= r**2
        np.fill_diagonal(quadratic, squares - 0.5 * (1.0 if bowl is None else bowl.curvature))
        self._quadratic = quadratic
        self._constant = CONSTANT_VARIANCE * float(self.alpha.sum()) - float(squares.sum())
        if bowl is not None:
            self._linear += bowl.curvature * bowl.centre
            self._constant -= 0.5 * float(bowl.curvature @ np.square(bowl.centre))
        self._radial = (self.alpha @ c.radial * radial_weights(ar, lr)[0])[:, None]

    @property
    def variance_is_free(self) -> bool:
        return False

    @property
    def dimension(self) -> int:
        return self.kernel.dimension

    @property
    def frames(self) -> Frames:
        return self.kernel.frames

    def place_for(self, points: int, variance: bool = False) -> Place:
        """Where the mean, or the variance, of so many points is computed sooner, or is wanted to be."""
        n = len(self.y)
        own, by_datum = VARIANCE_WORK if variance else MEAN_WORK
        work = points * (own + n * (by_datum + n * variance))
        return card_for(self.wanted, points, work, moved=8 * (points * self.dimension + self.features.size + n * n))

    def on(self, place: Place) -> Self:
        """The same with all its arrays as tensors there; None: itself."""
        if place is None:
            return self
        if place not in self._there:
            there, c = copy(self), self.coordinates
            for name in _MOVED:
                setattr(there, name, moved(np.ascontiguousarray(getattr(self, name)), place))
            there.coordinates = Coordinates(*(moved(x, place) for x in (c.b, c.s, c.axis, c.radial)))
            self._there[place] = there
        return self._there[place]

    def in_parts(self, b: Array, place: Place, prepared: Callable[[Self], Callable[[Values], Values]]) -> Array:
        """A function of points, for b (m, D) some at a time: (m,). ``prepared`` makes it from the surrogate at ``place``."""
        if place is None:
            of = prepared(self)
            return np.concatenate([of(b[part]) for part in in_parts(len(b))])
        with computing_on(place):
            of, points = prepared(self.on(place)), moved(b, place)
            found = library(points).cat([of(points[part]) for part in in_parts(len(b), AT_ONCE_THERE)])
            return np.asarray(found.cpu().numpy(), dtype=float)

    def distance_covariance(self, one: Values, other: Values, out: Values | None = None) -> Values:
        """(n, m) between points (n, D) and (m, D): the part of the kernel that depends on distance, dear to compute."""
        found = empty(one, len(one), len(other)) if out is None else out
        se = self.frames.se
        known = one if se is None else se.into(one)
        for part in in_parts(len(other), AT_ONCE_THERE if is_tensor(one) else AT_ONCE):
            found[:, part] = self.kernel.se(known, other[part] if se is None else se.into(other[part]))
        return found

    def mean(self, b: Array) -> Array:
        """Posterior mean (m,) at b (m, D)."""
        return self.in_parts(b, self.place_for(len(b)), lambda s: lambda x: s.mean_given(x, s.distance_covariance(s.b, x)))

    def mean_given(self, b: Values, rows: Values) -> Values:
        """... with the ``distance_covariance`` (n, m) of the data and b known."""
        value = self.alpha @ rows
        slope = b @ self._quadratic
        slope += self._linear
        value += library(b).einsum("nd,nd->n", slope, b)
        value += self._constant
        value += sine_series(axis_angle(b), self._axis).sum(1)
        value += sine_series(radial_angle(self.frames.radial.into(b)), self._radial)[:, 0]
        return value

    def predict(self, b: Array) -> tuple[Array, Array]:
        """Posterior mean and variance (m,) at b (m, D)."""
        return self.mean(b), self.variance(b)

    def trusted(self, b: Array) -> Array:
        """The mean (m,) less what its sd takes off: see ``tail_penalty``."""
        mean, variance = self.predict(b)
        return mean - tail_penalty(np.sqrt(np.maximum(variance, 0.0)))

    def upper(self, b: Array, mean: Array, sd: Array, sds: float) -> Array:
        """Mean and so many sds (m,)."""
        return mean + sds * sd

    def variance(self, b: Array) -> Array:
        """Posterior variance (m,) at b (m, D)."""
        return self.in_parts(b, self.place_for(len(b), variance=True), lambda s: lambda x: s._explained(x)[2])

    def conditioned(self, b: Values, more: int = 0) -> Conditioned:
        """Points b (m, D), made ready for ``covariance``, and for ``conditioned_further`` with so many ``more`` data."""
        n = len(self.y)
        features, variance = empty(b, len(b), self.features.shape[1]), empty(b, len(b))
        room = empty(b, len(b), n + more).T  # a point's numbers lie together
        for part in in_parts(len(b), AT_ONCE_THERE if is_tensor(b) else AT_ONCE):
            features[part], room[:n, part], variance[part] = self._explained(b[part])
        return Conditioned(self.frames.places(b), features, room[:n], variance, room)

    def _explained(self, b: Values) -> tuple[Values, Values, Values]:
        """Features, explained and variance of a part of the points."""
        c = self.frames.coordinates(b)
        f = self.kernel.features(c)
        v = solve_lower(self.factor, self.kernel.matrix(self.coordinates, self.features, c, f))
        return f, v, (self.kernel.diagonal(c, f) - _squares(v)).clip(SMALLEST_VARIANCE)

    def continues(self, factor: Array) -> bool:
        """Whether ``factor`` (m, m) is that of this surrogate's first m data, so that what it explained holds."""
        m = len(factor)
        return m <= len(self.y) and bool(np.allclose(self.factor[:m, :m], factor, rtol=1e-9, atol=1e-9))

    def conditioned_further(self, known: Conditioned) -> Conditioned:
        """``conditioned`` from what it was with the first data only: one row of the factor for each that came since.

        ``known`` is used up: the new rows go into its room.
        """
        explained, variance, room = known.explained, known.variance, known.room
        first, n = len(explained), len(self.y)
        if first == n:
            return known
        c = self.coordinates.rows(slice(first, None))
        k = self.kernel.matrix(c, self.features[first:], known.coordinates, known.features)
        k -= self.factor[first:, :first] @ explained
        v = solve_lower(self.factor[first:, first:], k)
        variance = (variance - _squares(v)).clip(SMALLEST_VARIANCE)
        if len(room) < n:
            room = empty(variance, len(variance), n).T
            room[:first] = explained
        room[first:n] = v
        return Conditioned(known.coordinates, known.features, room[:n], variance, room)

    def covariance(self, one: Conditioned, other: Conditioned) -> Values:
        """Posterior covariance (m, t) of f between two sets of points."""
        prior = self.kernel.matrix(one.coordinates, one.features, other.coordinates, other.features)
        return prior - one.explained.T @ other.explained

    def mean_functional_variance(self, b: Array, weights: Array) -> float:
        """Variance of sum_j w_j f(b_j) for points b (m, D), weights (m,): first order, the variance of log Z."""
        c = self.frames.coordinates(b)
        f = self.kernel.features(c)
        prior = float(weights @ self.kernel.matrix(c, f, c, f) @ weights)
        cross = self.kernel.matrix(self.coordinates, self.features, c, f) @ weights
        v = linalg.solve_triangular(self.factor, cross, lower=True, check_finite=False)
        return max(prior - float(v @ v), 0.0)

    def joint_covariance(self, b: Array) -> Array:
        """Posterior covariance (m, m) of f at b (m, D)."""
        c = self.frames.coordinates(b)
        f = self.kernel.features(c)
        k = self.kernel.matrix(self.coordinates, self.features, c, f)
        v = linalg.solve_triangular(self.factor, k, lower=True, check_finite=False)
        return np.asarray(self.kernel.matrix(c, f, c, f) - v.T @ v)

    def leave_one_out(self) -> tuple[Array, Array]:
        """Residual y_i - m_(-i) and predictive variance (noise included) of every point, hyperparameters fixed."""
        inverse = linalg.cho_solve((self.factor, True), np.eye(len(self.y)), check_finite=False)
        diagonal = np.diag(inverse)
        return self.alpha / diagonal, 1.0 / diagonal

    def with_pending(self, b: Array) -> Self:
        """Conditioned on pending points (m, D), whose values are taken as the current mean: only variances change."""
        if len(b) == 0:
            return self
        noise = np.full(len(b), float(np.quantile(self.noise, 0.25)))  # not that of places far below the top
        return replace(
            self,
            b=np.concatenate([self.b, b]),
            y=np.concatenate([self.y, self.mean(b)]),
            noise=np.concatenate([self.noise, noise]),
        )


def _squares(v: Values) -> Values:
    """Sums over the rows of v (n, m) squared: (m,)."""
    return library(v).einsum("nm,nm->m", v, v)
