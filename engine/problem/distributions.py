"""One-dimensional distributions in closed form: what the priors are made of.

scipy.stats costs some 50 microseconds a call; the inference loop evaluates priors thousands of times at single points,
so densities are written out (numpy only) and scipy.special gives the distribution functions. The tests
hold every one against scipy.stats. All methods are vectorized and take user's units.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ProblemError

Array = NDArray[np.float64]

LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
HUGE = 1e150  # its square is still finite


_NO_DIGITS = 1e-9  # a difference of probabilities smaller than this share of them is computed another way


def f64(x: ArrayLike) -> Array:
    """x as float64 (the special functions are typed more loosely)."""
    return np.asarray(x, dtype=float)


def _at(function: Callable[[Array], Array], x: float) -> float:
    with np.errstate(over="ignore", divide="ignore"):
        return float(function(np.asarray(x)))


class Distribution:
    """A density on [lower, upper]. ``cdf``, ``sf`` map x to [0, 1]; ``ppf``, ``isf`` are their inverses."""

    lower: float = -math.inf
    upper: float = math.inf

    def log_density_inside(self, x: Array) -> Array:
        """Log density at x strictly inside the support; not checked (the fast path)."""
        raise NotImplementedError

    def cdf(self, x: Array) -> Array:
        raise NotImplementedError

    def sf(self, x: Array) -> Array:
        raise NotImplementedError

    def ppf(self, p: Array) -> Array:
        raise NotImplementedError

    def isf(self, p: Array) -> Array:
        raise NotImplementedError

    def log_density(self, x: ArrayLike) -> Array:
        """Log density at x (any shape); -inf outside the support, NaN at NaN."""
        values = np.asarray(x, dtype=float)
        inside = (values >= self.lower) & (values <= self.upper)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            density = self.log_density_inside(np.where(inside, values, self.median()))
        density = np.where(np.isnan(density), -np.inf, density)  # inf - inf at a closed edge where the density vanishes
        outside = np.where(np.isnan(values), np.nan, -np.inf)
        return np.asarray(np.where(inside, density, outside))

    def median(self) -> float:
        return _at(self.ppf, 0.5)

    def quantile(self, p: ArrayLike) -> Array:
        """The value below which a share p (in [0, 1]) of the mass lies."""
        with np.errstate(over="ignore", divide="ignore"):
            return np.asarray(self.ppf(np.asarray(p, dtype=float)))

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """n independent draws, (n,)."""
        return self.quantile(np.clip(rng.random(n), 2.0**-60, 1.0 - 2.0**-53))

    def mass(self, low: float, high: float) -> float:
        """Probability of [low, high], accurate in either tail and for narrow intervals."""
        low, high = max(low, self.lower), min(high, self.upper)
        if not low < high:
            return 0.0
        below, above = _at(self.cdf, low), _at(self.sf, high)
        if below < 0.5 and above < 0.5:
            found = 1.0 - below - above
            largest = 1.0
        elif below >= 0.5:
            largest = _at(self.sf, low)
            found = largest - above
        else:
            largest = _at(self.cdf, high)
            found = largest - below
        if found <= _NO_DIGITS * largest and math.isfinite(high - low):  # the difference has lost its digits
            return self._mass_by_quadrature(low, high)
        return min(max(found, 0.0), 1.0)

    def _mass_by_quadrature(self, low: float, high: float) -> float:
        nodes, weights = np.polynomial.legendre.leggauss(24)
        half = 0.5 * (high - low)
        return float(half * np.sum(weights * np.exp(self.log_density(low + half * (nodes + 1.0)))))


class UniformDistribution(Distribution):
    def __init__(self, low: float, high: float) -> None:
        self.lower, self.upper = low, high
        self._width = high - low
        self._log_width = math.log(self._width)

    def log_density_inside(self, x: Array) -> Array:
        return 0.0 * x - self._log_width

    def cdf(self, x: Array) -> Array:
        return (x - self.lower) / self._width

    def sf(self, x: Array) -> Array:
        return (self.upper - x) / self._width

    def ppf(self, p: Array) -> Array:
        return self.lower + p * self._width

    def isf(self, p: Array) -> Array:
        return self.upper - p * self._width


class LogUniformDistribution(Distribution):
    def __init__(self, low: float, high: float) -> None:
        self.lower, self.upper = low, high
        self._log_low, self._log_high = math.log(low), math.log(high)
        self._span = self._log_high - self._log_low
        self._constant = -math.log(self._span)

    def log_density_inside(self, x: Array) -> Array:
        return self._constant - np.log(x)

    def cdf(self, x: Array) -> Array:
        return (np.log(x) - self._log_low) / self._span

    def sf(self, x: Array) -> Array:
        return (self._log_high - np.log(x)) / self._span

    def ppf(self, p: Array) -> Array:
        return np.clip(np.exp(self._log_low + p * self._span), self.lower, self.upper)

    def isf(self, p: Array) -> Array:
        return np.clip(np.exp(self._log_high - p * self._span), self.lower, self.upper)


class TruncatedDistribution(Distribution):
    """``base`` cut to [low, high] and renormalized: its log density minus the log of the mass left."""

    def __init__(self, base: Distribution, low: float, high: float) -> None:
        self.base = base
        self.lower, self.upper = max(low, base.lower), min(high, base.upper)
        self._mass = base.mass(self.lower, self.upper)
        if self._mass <= 0.0:
            raise ProblemError("The prior has no mass inside the bounds.", "", "Widen the bounds or move the prior.")
        self._log_mass = math.log(self._mass)
        self._below = _at(base.cdf, self.lower)
        self._above = _at(base.sf, self.upper)
        # narrower than the distribution function can resolve: there the density is flat to that accuracy
        tail = min(_at(base.sf, self.lower), _at(base.cdf, self.upper))
        self._flat = self._mass <= _NO_DIGITS * tail and math.isfinite(self.upper - self.lower)

    def log_density_inside(self, x: Array) -> Array:
        return self.base.log_density_inside(x) - self._log_mass

    def cdf(self, x: Array) -> Array:
        x = np.clip(x, self.lower, self.upper)
        if self._flat:
            return (x - self.lower) / (self.upper - self.lower)
        if self._below < 0.5:
            return (self.base.cdf(x) - self._below) / self._mass
        return (_at(self.base.sf, self.lower) - self.base.sf(x)) / self._mass

    def sf(self, x: Array) -> Array:
        x = np.clip(x, self.lower, self.upper)
        if self._flat:
            return (self.upper - x) / (self.upper - self.lower)
        if self._above < 0.5:
            return (self.base.sf(x) - self._above) / self._mass
        return (_at(self.base.cdf, self.upper) - self.base.cdf(x)) / self._mass

    def ppf(self, p: Array) -> Array:
        return self._invert(p, 1.0 - p)

    def isf(self, p: Array) -> Array:
        return self._invert(1.0 - p, p)

    def _invert(self, p: Array, q: Array) -> Array:
        """The value with mass p to its left and q = 1 - p to its right, taken from the tail that has the digits."""
        if self._flat:
            return np.where(
                p < 0.5, self.lower + p * (self.upper - self.lower), self.upper - q * (self.upper - self.lower)
            )
        left, right = self._below + p * self._mass, self._above + q * self._mass
        with np.errstate(over="ignore", invalid="ignore"):
            found = np.where(
                left < 0.5, self.base.ppf(np.minimum(left, 0.5)), self.base.isf(np.minimum(right, 0.5))
            )
        return np.clip(found, self.lower, self.upper)


def cut(base: Distribution, low: float, high: float) -> Distribution:
    """``base`` restricted to [low, high] and renormalized. Raises ProblemError if nothing is left."""
    lower, upper = max(low, base.lower), min(high, base.upper)
    if not lower < upper:
        raise ProblemError("Nothing of the prior lies inside the bounds.", "", "Widen the bounds or move the prior.")
    if lower == base.lower and upper == base.upper:
        return base
    if isinstance(base, UniformDistribution):
        return UniformDistribution(lower, upper)
    if isinstance(base, LogUniformDistribution):
        return LogUniformDistribution(lower, upper)
    if isinstance(base, TruncatedDistribution):
        return TruncatedDistribution(base.base, lower, upper)
    return TruncatedDistribution(base, lower, upper)
