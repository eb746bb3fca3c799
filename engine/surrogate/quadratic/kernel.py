"""The kernel of the default loop: a full quadratic, an SE-ARD part, additive and radial sines, all with amplitudes of their own.

In the box frame b, with s = SE coordinates (b, or b whitened by the posterior) and t = log(1 + r^2 / D), r the whitened radius:

    k = 30^2 + s1^2 sum b_i b_i' + s2^2 / 2 sum (b_i^2 - 1)(b_i'^2 - 1) + s3^2 sum_{i<j} b_i b_j b_i' b_j'
      + sf^2 exp(-|(s - s') / l|^2 / 2) + sum_m w_m(a, la) sum_i phi_m(b_i) phi_m(b_i') + sum_m v_m(ar, lr) psi_m(t) psi_m(t')

RECIPE 4 and "Two more kernel blocks". The sines are the Hilbert-space basis of an SE process on an interval, weighted by its
spectral density. Where the data ask for it (marginal likelihood), exp(-q / 2) of the SE part is replaced by Matern 5/2: densities
with walls and plateaus mislead the smooth kernel (RECIPE found the same of product Matern on bananas).
Hyperparameters (all logarithms), in order: l (D), sf, s1, s2, s3, a, la, ar, lr.

``Frames.axes``: b_i is multiplied by r_i = sqrt(D) / l_i in the linear part and the products, r_i^2 multiplies the
squares, r_i the sines: one relevance for each parameter in every block (automatic relevance determination, Neal 1996).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...numerics.arrays import Values, empty, library, like, not_negative
from ...numerics.radial import Profile, radial_profile
from ..frames import Whitening

Array = NDArray[np.float64]

CONSTANT_VARIANCE = 30.0**2
SQRT_2 = float(np.sqrt(2.0))
AXIS_HALF_WIDTH, AXIS_SINES = 6.0, 12
RADIAL_CENTRE, RADIAL_HALF_WIDTH, RADIAL_SINES = 1.5, 3.5, 8  # t from -2 to 5
RADIAL_REACH = 3.0  # of t beyond the centre: radii up to 15.6 sqrt D; half a length short of the end, where every sine is 0
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


def relevance_of(log_lengths: Array) -> Array:
    """(D,) of parameters with these lengths (D,): 1 at the prior mean of a length."""
    return np.asarray(np.exp(0.5 * np.log(len(log_lengths)) - log_lengths))


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

    b: Values
    s: Values
    axis: Values
    radial: Values

    def rows(self, which: slice) -> Coordinates:
        return Coordinates(self.b[which], self.s[which], self.axis[which], self.radial[which])

    @property
    def squares(self) -> Values:
        return (self.b * self.b - 1.0) / SQRT_2


@dataclass(frozen=True)
class Bowl:
    """The mean function -1/2 sum_i k_i (b_i - c_i)^2: ``curvature`` k (D,), ``centre`` c (D,), box frame."""

    curvature: Array
    centre: Array

    @classmethod
    def unit(cls, dimension: int) -> Bowl:
        return cls(np.ones(dimension), np.zeros(dimension))

    def at(self, b: Array) -> Array:
        """(n,) at b (n, D)."""
        return np.asarray(-0.5 * np.square(b - self.centre) @ self.curvature)


@dataclass(frozen=True)
class Frames:
    """Which coordinates the kernel uses: ``se`` None means the box frame; ``radial`` is the posterior's whitening.

    ``profile``: of the part that depends on distance alone (the "SE part"). ``axes``: the mean function of the surrogate whose
    lengths tell how much each parameter matters in every block; None: all parameters alike, and the mean is -|b|^2 / 2.
    """

    se: Whitening | None
    radial: Whitening
    profile: Profile = "smooth"
    axes: Bowl | None = None

    def coordinates(self, b: Values) -> Coordinates:
        s = b if self.se is None else self.se.into(b)
        return Coordinates(b, s, axis_sines(b), radial_sines(self.radial.into(b)))

    def places(self, b: Values) -> Coordinates:
        """... without their sines, which take most of the memory and are in the features."""
        none = empty(b, 0, 0)
        return Coordinates(b, b if self.se is None else self.se.into(b), none, none)


def axis_sines(b: Values) -> Values:
    """(n, 12, D): sin(w_m (b_i + 6)), zero outside [-6, 6] where all of them vanish. By the recurrence of sin(m x)."""
    return _harmonics(axis_angle(b), AXIS_SINES)


def radial_sines(z: Values) -> Values:
    """(n, 8) from whitened coordinates z (n, D)."""
    return _harmonics(radial_angle(z), RADIAL_SINES)[:, :, 0]


def _harmonics(x: Values, count: int) -> Values:
    """sin(m x) for m = 1..count, by sin((m + 1) x) = 2 cos x sin(m x) - sin((m - 1) x): (n, count, D)."""
    out = empty(x, x.shape[0], count, x.shape[1])
    twice = 2.0 * library(x).cos(x)
    out[:, 0] = library(x).sin(x)
    previous = library(x).zeros_like(x)
    for m in range(1, count):
        out[:, m] = twice * out[:, m - 1] - previous
        previous = out[:, m - 1]
    return out


def sine_series(x: Values, coefficients: Values) -> Values:
    """sum_m c_m sin(m x), elementwise by Clenshaw's recurrence; x (n, D), coefficients (M, D) -> (n, D)."""
    twice = 2.0 * library(x).cos(x)
    later, now = library(x).zeros_like(x), library(x).zeros_like(x) + coefficients[-1]
    for m in range(len(coefficients) - 2, -1, -1):
        later *= -1.0
        later += twice * now
        later += coefficients[m]
        later, now = now, later
    now *= library(x).sin(x)
    return now


def axis_angle(b: Values) -> Values:
    return (b.clip(-AXIS_HALF_WIDTH, AXIS_HALF_WIDTH) + AXIS_HALF_WIDTH) * float(AXIS_FREQUENCIES[0])


def radial_angle(z: Values) -> Values:
    """(n, 1) from whitened coordinates z (n, D). Beyond RADIAL_REACH the block stays what it is there: at the end of the sines it
    would be 0 for certain, and a density that falls by this block would be as high again as at its top."""
    t = library(z).log1p(library(z).einsum("nd,nd->n", z, z) / z.shape[1]) - 1.0
    from_centre = (t - RADIAL_CENTRE).clip(max=RADIAL_REACH)
    return ((from_centre + RADIAL_HALF_WIDTH) * float(RADIAL_FREQUENCIES[0]))[:, None]


@dataclass(frozen=True)
class Kernel:
    """The kernel at given log hyperparameters ``theta`` (D + 8,)."""

    theta: Array
    frames: Frames

    @property
    def dimension(self) -> int:
        return len(self.theta) - 8

    @property
    def relevance(self) -> Array | None:
        """(D,) of the parameters; None: all alike."""
        return None if self.frames.axes is None else relevance_of(self.theta[: self.dimension])

    def scaled(self, b: Values) -> Values:
        """Coordinates (n, D) of the products and of the linear part."""
        r = self.relevance
        return b if r is None else b * like(b, r)

    def features(self, c: Coordinates) -> Values:
        """Scaled features (n, 2 D + 12 D + 8) of every block but the constant, the products and the SE part."""
        d = self.dimension
        s1, s2 = np.exp(self.theta[d + 1 : d + 3])
        a, la, ar, lr = self.theta[d + 4 :]
        n, squares, r = len(c.b), c.squares, self.relevance
        axis = c.axis * like(c.b, np.sqrt(axis_weights(a, la)[0]))[:, None]
        radial = c.radial * like(c.b, np.sqrt(radial_weights(ar, lr)[0]))
        if r is not None:
            squares, axis = squares * like(c.b, r * r), axis * like(c.b, r)
        blocks = [float(s1) * self.scaled(c.b), float(s2) * squares, axis.reshape(n, -1), radial]
        return library(c.b).concatenate(blocks, axis=1)

    def se(self, s1: Values, s2: Values) -> Values:
        d = self.dimension
        inverse = like(s1, np.exp(-self.theta[:d]))
        x, y = s1 * inverse, s2 * inverse
        distance = x @ y.T
        distance *= -2.0
        distance += library(x).einsum("nd,nd->n", x, x)[:, None]
        distance += library(x).einsum("nd,nd->n", y, y)[None, :]
        return self._amplitude(d) * radial_profile(not_negative(distance), self.frames.profile)[0]

    def matrix(self, c1: Coordinates, f1: Values, c2: Coordinates, f2: Values) -> Values:
        """k (n, m) between points with coordinates c and features f."""
        k = self.se(c1.s, c2.s)
        k += f1 @ f2.T
        b1, b2 = self.scaled(c1.b), self.scaled(c2.b)
        inner = b1 @ b2.T
        products = inner * inner
        products -= (b1 * b1) @ (b2 * b2).T
        products *= 0.5 * self._amplitude(self.dimension + 3)
        k += products
        k += CONSTANT_VARIANCE
        return k

    def diagonal(self, c: Coordinates, f: Values) -> Values:
        """k(x, x) (n,)."""
        b = self.scaled(c.b)
        squares = b * b
        sums, fourth = squares.sum(1), (squares * squares).sum(1)
        products = 0.5 * (sums * sums - fourth) * self._amplitude(self.dimension + 3)
        own = library(f).einsum("nf,nf->n", f, f)
        return own + products + CONSTANT_VARIANCE + self._amplitude(self.dimension)

    def _amplitude(self, which: int) -> float:
        """Variance that a logarithm of a standard deviation in ``theta`` stands for."""
        return float(np.exp(2 * self.theta[which]))
