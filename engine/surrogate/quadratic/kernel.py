"""The kernel of the default loop: a full quadratic, an SE-ARD part, additive and radial sines, all with amplitudes of their own.

In the box frame b, with s = SE coordinates (b, or b whitened by the posterior) and t = log(1 + r^2 / D), r the whitened radius:

    k = 30^2 + s1^2 sum b_i b_i' + s2^2 / 2 sum (b_i^2 - 1)(b_i'^2 - 1) + s3^2 sum_{i<j} b_i b_j b_i' b_j'
      + sf^2 exp(-|(s - s') / l|^2 / 2) + sum_m w_m(a, la) sum_i phi_m(b_i) phi_m(b_i') + sum_m v_m(ar, lr) psi_m(t) psi_m(t')

RECIPE 4 and "Two more kernel blocks". The sines are the Hilbert-space basis of an SE process on an interval, weighted by its
spectral density. Where the data ask for it (marginal likelihood), exp(-q / 2) of the SE part is replaced by Matern 5/2: densities
with walls and plateaus mislead the smooth kernel (RECIPE found the same of product Matern on bananas).
Hyperparameters (all logarithms), in order: l (D), sf, s1, s2, s3, a, la, ar, lr.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.radial import Profile, radial_profile
from ..frames import Whitening

Array = NDArray[np.float64]

CONSTANT_VARIANCE = 30.0**2
AXIS_HALF_WIDTH, AXIS_SINES = 6.0, 12
RADIAL_CENTRE, RADIAL_HALF_WIDTH, RADIAL_SINES = 1.5, 3.5, 8  # t from -2 to 5: radii up to 20 sqrt D
AXIS_FREQUENCIES: Array = np.arange(1, AXIS_SINES + 1, dtype=float) * np.pi / (2 * AXIS_HALF_WIDTH)
RADIAL_FREQUENCIES: Array = np.arange(1, RADIAL_SINES + 1, dtype=float) * np.pi / (2 * RADIAL_HALF_WIDTH)


def prior_of(dimension: int) -> tuple[Array, Array]:
    """Means and standard deviations (D + 8,) of the log hyperparameters (RECIPE 4; 1 instead of 2 for the radial amplitude).

    A Gaussian is a function of its own whitened radius: with a wide prior the radial block explains the first values alone, and
    the quadratic is learnt late (tests/benchmarks/README.md).
    """
    mean = np.concatenate([np.full(dimension, 0.5 * np.log(dimension)), [0.5, -0.7, -0.7, -0.7, -1.0, 0.4, -1.0, 0.0]])
    sd = np.concatenate([np.ones(dimension), [2.0, 3.0, 3.0, 3.0, 2.0, 0.7, 1.0, 0.7]])
    return mean, sd


def box_of(dimension: int) -> list[tuple[float, float]]:
    """Search limits of the log hyperparameters."""
    length = (np.log(0.05), np.log(100.0))
    return [length] * dimension + [(-7.0, 8.0)] * 4 + [(-7.0, 6.0), (-1.0, 3.0), (-7.0, 6.0), (-1.5, 2.5)]


def axis_weights(log_a: float, log_l: float) -> tuple[Array, Array]:
    """Spectral weights (12,) and their derivative with respect to the log length."""
    return _weights(log_a, log_l, AXIS_FREQUENCIES, AXIS_HALF_WIDTH)


def radial_weights(log_a: float, log_l: float) -> tuple[Array, Array]:
    return _weights(log_a, log_l, RADIAL_FREQUENCIES, RADIAL_HALF_WIDTH)


def _weights(log_a: float, log_l: float, frequencies: Array, half_width: float) -> tuple[Array, Array]:
    q = np.square(np.exp(log_l) * frequencies)
    w = np.exp(2 * log_a + log_l - 0.5 * q) * np.sqrt(2 * np.pi) / half_width
    return w, w * (1.0 - q)


@dataclass(frozen=True)
class Coordinates:
    """What the kernel needs to know of points: b, s (n, D), squares (n, D), axis sines (n, 12, D), radial sines (n, 8)."""

    b: Array
    s: Array
    axis: Array
    radial: Array

    def rows(self, which: slice) -> Coordinates:
        return Coordinates(self.b[which], self.s[which], self.axis[which], self.radial[which])

    @property
    def squares(self) -> Array:
        return np.asarray((np.square(self.b) - 1.0) / np.sqrt(2.0))


@dataclass(frozen=True)
class Frames:
    """Which coordinates the kernel uses: ``se`` None means the box frame; ``radial`` is the posterior's whitening.

    ``profile``: of the part that depends on distance alone (the "SE part").
    """

    se: Whitening | None
    radial: Whitening
    profile: Profile = "smooth"

    def coordinates(self, b: Array) -> Coordinates:
        s = b if self.se is None else self.se.into(b)
        return Coordinates(b, s, axis_sines(b), radial_sines(self.radial.into(b)))

    def places(self, b: Array) -> Coordinates:
        """... without their sines, which take most of the memory and are in the features."""
        none = np.empty((0, 0))
        return Coordinates(b, b if self.se is None else self.se.into(b), none, none)


def axis_sines(b: Array) -> Array:
    """(n, 12, D): sin(w_m (b_i + 6)), zero outside [-6, 6] where all of them vanish. By the recurrence of sin(m x)."""
    return _harmonics(axis_angle(b), AXIS_SINES)


def radial_sines(z: Array) -> Array:
    """(n, 8) from whitened coordinates z (n, D)."""
    return _harmonics(radial_angle(z), RADIAL_SINES)[:, :, 0]


def _harmonics(x: Array, count: int) -> Array:
    """sin(m x) for m = 1..count, by sin((m + 1) x) = 2 cos x sin(m x) - sin((m - 1) x): (n, count, D)."""
    out = np.empty((x.shape[0], count, x.shape[1]))
    twice = 2.0 * np.cos(x)
    out[:, 0] = np.sin(x)
    previous = np.zeros_like(x)
    for m in range(1, count):
        out[:, m] = twice * out[:, m - 1] - previous
        previous = out[:, m - 1]
    return out


def sine_series(x: Array, coefficients: Array) -> Array:
    """sum_m c_m sin(m x), elementwise by Clenshaw's recurrence; x (n, D), coefficients (M, D) -> (n, D)."""
    twice = 2.0 * np.cos(x)
    later, now = np.zeros_like(x), np.broadcast_to(coefficients[-1], x.shape).copy()
    for c in coefficients[-2::-1]:
        later *= -1.0
        later += twice * now
        later += c
        later, now = now, later
    now *= np.sin(x)
    return now


def axis_angle(b: Array) -> Array:
    return np.asarray((np.clip(b, -AXIS_HALF_WIDTH, AXIS_HALF_WIDTH) + AXIS_HALF_WIDTH) * AXIS_FREQUENCIES[0])


def radial_angle(z: Array) -> Array:
    """(n, 1) from whitened coordinates z (n, D)."""
    t = np.log1p(np.einsum("nd,nd->n", z, z) / z.shape[1]) - 1.0
    return np.asarray((np.minimum(t - RADIAL_CENTRE, RADIAL_HALF_WIDTH) + RADIAL_HALF_WIDTH) * RADIAL_FREQUENCIES[0])[
        :, None
    ]


@dataclass(frozen=True)
class Kernel:
    """The kernel at given log hyperparameters ``theta`` (D + 8,)."""

    theta: Array
    frames: Frames

    @property
    def dimension(self) -> int:
        return len(self.theta) - 8

    def features(self, c: Coordinates) -> Array:
        """Scaled features (n, 2 D + 12 D + 8) of every block but the constant, the products and the SE part."""
        d = self.dimension
        _, s1, s2, _, a, la, ar, lr = self.theta[d:]
        n = len(c.b)
        axis = c.axis * np.sqrt(axis_weights(a, la)[0])[:, None]
        radial = c.radial * np.sqrt(radial_weights(ar, lr)[0])
        return np.concatenate([np.exp(s1) * c.b, np.exp(s2) * c.squares, axis.reshape(n, -1), radial], axis=1)

    def se(self, s1: Array, s2: Array) -> Array:
        d = self.dimension
        inverse = np.exp(-self.theta[:d])
        x, y = s1 * inverse, s2 * inverse
        distance = x @ y.T
        distance *= -2.0
        distance += np.einsum("nd,nd->n", x, x)[:, None]
        distance += np.einsum("nd,nd->n", y, y)[None, :]
        np.maximum(distance, 0.0, out=distance)
        return np.asarray(np.exp(2 * self.theta[d]) * radial_profile(distance, self.frames.profile)[0])

    def matrix(self, c1: Coordinates, f1: Array, c2: Coordinates, f2: Array) -> Array:
        """k (n, m) between points with coordinates c and features f."""
        k = self.se(c1.s, c2.s)
        k += f1 @ f2.T
        inner = c1.b @ c2.b.T
        products = np.square(inner)
        products -= np.square(c1.b) @ np.square(c2.b).T
        products *= 0.5 * np.exp(2 * self.theta[self.dimension + 3])
        k += products
        k += CONSTANT_VARIANCE
        return k

    def diagonal(self, c: Coordinates, f: Array) -> Array:
        """k(x, x) (n,)."""
        squares = np.square(c.b)
        products = (
            0.5 * (np.square(squares.sum(1)) - np.square(squares).sum(1)) * np.exp(2 * self.theta[self.dimension + 3])
        )
        return np.asarray(
            np.einsum("nf,nf->n", f, f) + products + CONSTANT_VARIANCE + np.exp(2 * self.theta[self.dimension])
        )
