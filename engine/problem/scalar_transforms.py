"""User's units <-> inference space, one parameter at a time.

Inference space is unbounded. Two-sided bounds go through a scaled probit (logit on request), so that a uniform prior
becomes a standard normal; one-sided bounds through a logarithm; scale-like priors on a positive interval through the
probit of the logarithm. The log-Jacobian log |d theta / d u| is part of the target density (DESIGN section 6).

``to_user`` is strictly inside the bounds and ``log_jacobian`` finite for every finite u, however far out.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from . import definition as d
from .errors import ProblemError
from .numbers.shown_digits import spoken

Array = NDArray[np.float64]

_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
_SMALLEST = 1e-300  # next to a bound at zero: still an ordinary number for the user's program
_LARGEST = 1e300
_FARTHEST = 1e100  # |u| beyond it is treated as it; its square is finite


def _inside(lower: float, upper: float) -> tuple[float, float]:
    """The numbers next to the bounds that are strictly inside."""
    first = float(np.nextafter(lower, upper)) if math.isfinite(lower) else -_LARGEST
    last = float(np.nextafter(upper, lower)) if math.isfinite(upper) else _LARGEST
    if lower == 0.0 and upper > 1e6 * _SMALLEST:
        first = _SMALLEST
    if upper == 0.0 and lower < -1e6 * _SMALLEST:
        last = -_SMALLEST
    if not first < last:
        raise ProblemError(f"No number lies between the bounds {lower!r} and {upper!r}.", "", "Fix the parameter instead.")
    return first, last


class Transform:
    """A monotone increasing map from the real line onto (lower, upper). Arguments have any shape."""

    name = ""

    def __init__(self, lower: float = -math.inf, upper: float = math.inf) -> None:
        self.lower, self.upper = lower, upper
        self.first, self.last = _inside(lower, upper)  # every theta lies in [first, last]

    def to_user(self, u: Array) -> Array:
        return np.minimum(np.maximum(self._forward(u), self.first), self.last)

    def to_inference(self, theta: Array) -> Array:
        """A value on a bound (or rounded onto it) counts as the nearest one inside; outside is the caller's affair."""
        return self._backward(np.minimum(np.maximum(theta, self.first), self.last))

    def log_jacobian(self, u: Array) -> Array:
        """log d theta / d u."""
        raise NotImplementedError

    def _forward(self, u: Array) -> Array:
        raise NotImplementedError

    def _backward(self, theta: Array) -> Array:
        raise NotImplementedError


class Identity(Transform):
    """No bound: theta = u."""

    name = "identity"

    def _forward(self, u: Array) -> Array:
        return u

    def _backward(self, theta: Array) -> Array:
        return theta

    def log_jacobian(self, u: Array) -> Array:
        return 0.0 * u


class LogFromBelow(Transform):
    """A lower bound: theta = lower + exp(u)."""

    name = "log"

    def _forward(self, u: Array) -> Array:
        return self.lower + np.exp(np.minimum(u, 690.0))

    def _backward(self, theta: Array) -> Array:
        return np.log(theta - self.lower)

    def log_jacobian(self, u: Array) -> Array:
        return 1.0 * u


class LogFromAbove(Transform):
    """An upper bound: theta = upper - exp(-u)."""

    name = "log"

    def _forward(self, u: Array) -> Array:
        return self.upper - np.exp(np.minimum(-u, 690.0))

    def _backward(self, theta: Array) -> Array:
        return -np.log(self.upper - theta)

    def log_jacobian(self, u: Array) -> Array:
        return -1.0 * u


class Probit(Transform):
    """Both bounds: theta = lower + (upper - lower) Phi(u); a uniform density becomes a standard normal one."""

    name = "probit"

    def __init__(self, lower: float, upper: float) -> None:
        super().__init__(lower, upper)
        from scipy.special import ndtr, ndtri

        self._ndtr, self._ndtri = ndtr, ndtri
        self._width = upper - lower
        self._constant = math.log(self._width) - _LOG_SQRT_2PI

    def _forward(self, u: Array) -> Array:
        # measured from the nearer bound, where the digits are
        share: Array = self._width * self._ndtr(-np.abs(u))
        return np.where(u < 0.0, self.lower + share, self.upper - share)

    def _backward(self, theta: Array) -> Array:
        left, right = theta - self.lower, self.upper - theta
        # the share left of the nearer bound; where it underflows, u stays at its outermost value, about 37
        near: Array = -self._ndtri(np.maximum(np.minimum(left, right) / self._width, _SMALLEST))
        return np.where(left < right, -near, near)

    def log_jacobian(self, u: Array) -> Array:
        near = np.minimum(np.abs(u), _FARTHEST)
        return self._constant - 0.5 * near * near


class Logit(Transform):
    """Both bounds: theta = lower + (upper - lower) / (1 + exp(-u)) (seed 000 eqs 7.10, 7.11)."""

    name = "logit"

    def __init__(self, lower: float, upper: float) -> None:
        super().__init__(lower, upper)
        self._width = upper - lower
        self._constant = math.log(self._width)

    def _forward(self, u: Array) -> Array:
        e = np.exp(-np.abs(u))
        share = self._width * (e / (1.0 + e))
        return np.where(u < 0.0, self.lower + share, self.upper - share)

    def _backward(self, theta: Array) -> Array:
        return np.log(theta - self.lower) - np.log(self.upper - theta)

    def log_jacobian(self, u: Array) -> Array:
        near = np.abs(u)
        return self._constant - near - 2.0 * np.log1p(np.exp(-near))


class LogScaled(Transform):
    """Both bounds positive: log theta = log lower + (log upper - log lower) F(u) with F the inner probit or logit."""

    def __init__(self, lower: float, upper: float, inner: Callable[[float, float], Transform] = Probit) -> None:
        super().__init__(lower, upper)
        self._inner = inner(math.log(lower), math.log(upper))
        self.name = f"log + {self._inner.name}"

    def _forward(self, u: Array) -> Array:
        return np.exp(self._inner.to_user(u))

    def _backward(self, theta: Array) -> Array:
        return self._inner.to_inference(np.log(theta))

    def log_jacobian(self, u: Array) -> Array:
        return self._inner.to_user(u) + self._inner.log_jacobian(u)


_SCALE_LIKE = (d.LogUniform, d.LogNormal, d.HalfCauchy, d.InverseGamma)


def between(lower: float, upper: float, kind: str = "automatic", logarithmic: bool = False) -> Transform:
    """The transform for these bounds (infinities: open). ``kind`` 'probit' or 'logit' matters for two-sided bounds only.

    ``logarithmic`` True asks for the log scale where both bounds are positive. Raises ProblemError for bounds without room.
    """
    low_open, high_open = math.isinf(lower), math.isinf(upper)
    if math.isnan(lower) or math.isnan(upper) or not lower < upper:
        raise ProblemError(f"The lower bound {spoken(lower)} is not below the upper bound {spoken(upper)}.")
    if low_open and high_open:
        return Identity()
    if high_open:
        return LogFromBelow(lower)
    if low_open:
        return LogFromAbove(upper=upper)
    if math.isinf(upper - lower):
        raise ProblemError(f"The bounds {spoken(lower)} and {spoken(upper)} are too far apart to compute with.")
    inner = Logit if kind == "logit" else Probit
    if logarithmic and lower > 0.0:
        return LogScaled(lower, upper, inner)
    return inner(lower, upper)


def for_parameter(parameter: d.Parameter, lower: float, upper: float) -> Transform:
    """The transform of a parameter whose prior and hard bounds leave (lower, upper)."""
    logarithmic = isinstance(parameter.prior, _SCALE_LIKE)
    return between(lower, upper, parameter.transform, logarithmic)
