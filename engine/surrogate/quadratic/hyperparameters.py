"""MAP hyperparameters with an analytic gradient, warm-started L-BFGS-B (RECIPE 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ...numerics.minimization import lowest
from ...numerics.radial import Profile, radial_profile
from ..frames import Whitening
from .kernel import (
    CONSTANT_VARIANCE,
    Bowl,
    Coordinates,
    Frames,
    Kernel,
    axis_weights,
    box_of,
    prior_of,
    radial_weights,
    relevance_of,
)
from .posterior import QuadraticSurrogate

Array = NDArray[np.float64]


class MapObjective:
    """Negative log posterior of the hyperparameters and its gradient; the Gram matrices of the blocks are kept.

    c: coordinates of the n points; y: (n,) shaped log joint minus ymax; noise: (n,) variances.
    """

    def __init__(self, c: Coordinates, y: Array, noise: Array, profile: Profile = "smooth") -> None:
        self.profile: Profile = profile
        n, d = c.b.shape
        self.n, self.d = n, d
        self.residual = y + 0.5 * np.square(c.b).sum(1)
        self.s, self.noise = c.s, noise
        self.half = 1.0 - np.tri(n, k=-1) - 0.5 * np.eye(n)  # upper triangle, its diagonal halved
        self.upper = np.flatnonzero(self.half)
        self.prior_mean, self.prior_sd = prior_of(d)
        self.noise_slope = np.zeros(n)
        self.added: Array | None = None  # (n, n) covariance of further blocks, for loops that have some
        self.outer: Array | None = None  # (n, n): sums with symmetric s as -2 d value / d covariance does, at the last call
        self._prepare(c)

    @property
    def limits(self) -> list[tuple[float, float]]:
        """Of the search."""
        return box_of(self.d)

    def _prepare(self, c: Coordinates) -> None:
        """What the blocks that do not depend on distance need to know of the points."""
        inner = c.b @ c.b.T
        squares = c.squares
        products = 0.5 * (np.square(inner) - np.square(c.b) @ np.square(c.b).T)
        # blocks in the order linear, squares, products, 12 axis sines, 8 radial sines; their upper triangles, one after the other
        sines, radii = c.axis.shape[1], c.radial.shape[1]
        self.grams = np.empty((3 + sines + radii, len(self.upper)))
        for k, gram in enumerate((inner, squares @ squares.T, products)):
            self.grams[k] = gram.ravel()[self.upper]
        for m in range(sines):
            self.grams[3 + m] = (c.axis[:, m] @ c.axis[:, m].T).ravel()[self.upper]
        for m in range(radii):
            self.grams[3 + sines + m] = np.outer(c.radial[:, m], c.radial[:, m]).ravel()[self.upper]

    def _add_blocks(self, k: Array, theta: Array) -> Callable[[Array], Array]:
        """Adds to ``k`` (n, n) the covariance of the blocks that do not depend on distance, its upper triangle at least.

        Gives what makes of ``outer`` the gradient (D + 8,) of the objective through them.
        """
        d = self.d
        s1, s2, s3 = np.exp(2 * theta[d + 1 : d + 4])
        axis, axis_slope = axis_weights(theta[d + 4], theta[d + 5])
        radial, radial_slope = radial_weights(theta[d + 6], theta[d + 7])
        weights = np.concatenate([[s1, s2, s3], axis, radial])
        k.ravel()[self.upper] += weights @ self.grams

        def gradient(a: Array) -> Array:
            block = self.grams @ a.ravel()[self.upper]
            found = np.zeros(d + 8)
            found[d + 1 : d + 4] = -block[:3] * weights[:3]
            found[d + 4] = -float(block[3:15] @ axis)
            found[d + 5] = -0.5 * float(block[3:15] @ axis_slope)
            found[d + 6] = -float(block[15:] @ radial)
            found[d + 7] = -0.5 * float(block[15:] @ radial_slope)
            return found

        return gradient

    def __call__(self, theta: Array) -> tuple[float, Array]:
        d, n = self.d, self.n
        length = np.exp(theta[:d])
        sf2 = np.exp(2 * theta[d])
        x = self.s / length
        norm = np.square(x).sum(1)
        se = norm[:, None] + norm[None, :] - 2.0 * (x @ x.T)
        np.maximum(se, 0.0, out=se)
        se, fall = radial_profile(se, self.profile)
        se = se * sf2
        fall = fall * sf2
        k = se + CONSTANT_VARIANCE  # from here on only the upper triangle counts, which is the lower one of LAPACK's order
        through_blocks = self._add_blocks(k, theta)
        if self.added is not None:
            k += self.added
        k[np.diag_indices(n)] += self.noise
        factor, info = linalg.lapack.dpotrf(k.T, lower=1, clean=1, overwrite_a=1)
        if info != 0:
            self.outer = None
            return 1e10, np.zeros_like(theta)
        alpha = linalg.lapack.dpotrs(factor, self.residual, lower=1)[0]
        value = 0.5 * float(self.residual @ alpha) + float(np.log(np.diag(factor)).sum())
        inverse = linalg.lapack.dpotri(factor, lower=1, overwrite_c=1)[0]
        a = 2.0 * self.half * (np.outer(alpha, alpha) - inverse.T)
        self.outer = a
        self.noise_slope = np.diag(a).copy()  # -2 d value / d noise variance of each point, for loops that infer the noise
        slope = a * fall
        quadratic = 0.5 * (slope.sum(0) + slope.sum(1)) @ np.square(x) - np.einsum("nd,nd->d", x, slope @ x)
        gradient = through_blocks(a)
        gradient[:d] -= quadratic
        gradient[d] = -float(np.vdot(a, se))
        z = (theta - self.prior_mean) / self.prior_sd
        value += 0.5 * float(z @ z)
        gradient += z / self.prior_sd
        tie = theta[d + 3] - theta[d + 2]  # log s3 - log s2 ~ N(0, 1)
        value += 0.5 * tie * tie
        gradient[d + 3] += tie
        gradient[d + 2] -= tie
        return value, gradient


LENGTHS_SD = 3.0  # of a logarithm, beforehand, where lengths are relevances: what does not matter is out of it altogether
LONGEST = 1e4  # ... and its length


class RelevanceObjective(MapObjective):
    """The same of ``Frames.axes``: lengths are relevances in every block, and the mean is ``bowl``."""

    def __init__(self, c: Coordinates, y: Array, noise: Array, profile: Profile, bowl: Bowl) -> None:
        super().__init__(c, y, noise, profile)
        self.residual = y - bowl.at(c.b)
        self.prior_sd[: self.d] = LENGTHS_SD

    def __call__(self, theta: Array) -> tuple[float, Array]:
        """With what the wider prior costs, so that it compares with ``MapObjective``."""
        value, gradient = super().__call__(theta)
        return value + self.d * float(np.log(LENGTHS_SD)), gradient

    @property
    def limits(self) -> list[tuple[float, float]]:
        return [(low, float(np.log(LONGEST))) if i < self.d else (low, high) for i, (low, high) in enumerate(box_of(self.d))]

    def _prepare(self, c: Coordinates) -> None:
        self.c = c

    def _add_blocks(self, k: Array, theta: Array) -> Callable[[Array], Array]:
        d, n, c = self.d, self.n, self.c
        s1, s2, s3 = np.exp(2 * theta[d + 1 : d + 4])
        axis, axis_slope = axis_weights(theta[d + 4], theta[d + 5])
        radial, radial_slope = radial_weights(theta[d + 6], theta[d + 7])
        r = relevance_of(theta[:d])
        b, squares, sines = c.b * r, c.squares * r**2, (c.axis * r).reshape(n, -1)
        inner, fourth = b @ b.T, np.square(b)
        k += s1 * inner
        k += s2 * (squares @ squares.T)
        k += (0.5 * s3) * (np.square(inner) - fourth @ fourth.T)
        k += (sines * np.repeat(axis, d)) @ sines.T
        k += (c.radial * radial) @ c.radial.T

        def gradient(a: Array) -> Array:
            linear, square = _sums(b, a), _sums(squares, a)  # -2 d value / d of each term's variance, by parameter
            product = _sums(b, a * inner) - _sums(fourth, a)
            sine, out = _sums(sines, a).reshape(-1, d), _sums(c.radial, a)
            found = np.zeros(d + 8)
            by_relevance = -s1 * linear - 2.0 * s2 * square - s3 * product - axis @ sine
            found[:d] = -by_relevance
            found[d + 1 : d + 4] = -s1 * linear.sum(), -s2 * square.sum(), -0.5 * s3 * product.sum()
            found[d + 4] = -float(axis @ sine.sum(1))
            found[d + 5] = -0.5 * float(axis_slope @ sine.sum(1))
            found[d + 6] = -float(radial @ out)
            found[d + 7] = -0.5 * float(radial_slope @ out)
            return found

        return gradient


def _sums(x: Array, a: Array) -> Array:
    """sum_nm a_nm x_nk x_mk (K,) of x (n, K)."""
    return np.asarray(np.einsum("nk,nk->k", x, a @ x))


@dataclass(frozen=True)
class MapFit:
    theta: Array
    value: float


def fit(objective: MapObjective, starts: list[Array], iterations: int = 40) -> MapFit:
    """The best of descents from ``starts``."""
    low, high = np.array(objective.limits).T
    found = lowest(objective, starts, low, high, iterations)
    return MapFit(found.x, found.value)


def fit_in(frames: Frames, b: Array, y: Array, noise: Array, starts: list[Array]) -> MapFit:
    """``fit`` of values at b (n, D) in ``frames``; the matrices of the objective are let go of with the answer."""
    c = frames.coordinates(b)
    if frames.axes is not None:
        return fit(RelevanceObjective(c, y, noise, frames.profile, frames.axes), starts)
    return fit(MapObjective(c, y, noise, frames.profile), starts)


def fitted_surrogate(b: Array, y: Array, noise: Array) -> QuadraticSurrogate:
    """Of values y (n,) at b (n, D), hyperparameters fitted from their prior means, all lengths in the box frame."""
    d = b.shape[1]
    frames = Frames(None, Whitening.none(d))
    theta = fit_in(frames, b, y, noise, [prior_of(d)[0]]).theta
    return QuadraticSurrogate(Kernel(theta, frames), b, y, noise)
