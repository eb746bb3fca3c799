"""The space of the free parameters: prior, transforms and plausible box together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import definition as d
from . import priors
from .distributions import Distribution
from .errors import ProblemError
from .numbers.shown_digits import spoken
from .scalar_transforms import (
    Identity,
    LogFromAbove,
    LogFromBelow,
    Logit,
    LogScaled,
    Probit,
    Transform,
    between,
    for_parameter,
)

__all__ = [
    "Identity",
    "LogFromAbove",
    "LogFromBelow",
    "LogScaled",
    "Logit",
    "ParameterSpace",
    "Probit",
    "Transform",
    "between",
]

Array = NDArray[np.float64]

_EDGE = 1e-3  # a plausible end on a bound is moved to this prior quantile (without a prior: share of the range)


class ParameterSpace:
    """D free parameters, in order. u: inference space, theta: the user's units; arrays (n, D) or (D,).

    Bounds are the intersection of the prior's support and the hard bounds; a prior that the hard bounds cut is
    renormalized on what is left. Raises ProblemError for priors and bounds that contradict each other.
    """

    def __init__(self, parameters: Sequence[d.Parameter]) -> None:
        free = tuple(p for p in parameters if p.fixed is None)
        if not free:
            raise ProblemError("No parameter is free: all are fixed.", "parameters", "Set at least one free.")
        self.parameters = free
        self.names = tuple(p.name for p in free)
        self._fixed = {p.name: float(p.fixed) for p in parameters if p.fixed is not None}
        self._order = tuple(p.name for p in parameters)
        found = tuple(priors.of_parameter(p) for p in free)
        self.distributions: tuple[Distribution | None, ...] = found
        self.transforms = tuple(_transform(p, q) for p, q in zip(free, found, strict=True))
        boxes = [_box(p, q, t) for p, q, t in zip(free, found, self.transforms, strict=True)]
        self._box = np.array([b[0] for b in boxes]), np.array([b[1] for b in boxes])

    @classmethod
    def from_bounds(
        cls,
        names: Sequence[str],
        lower: ArrayLike,
        upper: ArrayLike,
        plausible_lower: ArrayLike,
        plausible_upper: ArrayLike,
    ) -> ParameterSpace:
        """A space without priors (flat in the user's units); infinities are open bounds. All arrays (D,).

        ``log_prior`` is 0 inside the bounds; ``sample_prior`` draws uniformly from the plausible box.
        """
        D = len(names)
        arrays = [np.broadcast_to(np.asarray(a, dtype=float), (D,)) for a in (lower, upper, plausible_lower, plausible_upper)]
        if D == 0:
            raise ProblemError("No parameter is free.", "parameters")
        if len(set(names)) < D:
            raise ProblemError("Two parameters have the same name.", "names")
        space = cls.__new__(cls)
        space.parameters = ()
        space.names = space._order = tuple(names)
        space._fixed = {}
        space.distributions = (None,) * D
        transforms, ends = [], []
        for i, name in enumerate(names):
            low, high, a, b = (float(array[i]) for array in arrays)
            try:
                transform = between(low, high)
            except ProblemError as error:
                raise ProblemError(error.what, f"parameter {name}", error.suggestion) from error
            if not (low <= a < b <= high and math.isfinite(a) and math.isfinite(b)):
                raise ProblemError(
                    f"The plausible range {spoken(a)} to {spoken(b)} must be finite, in order, and inside the bounds "
                    f"{spoken(low)} to {spoken(high)}.",
                    f"parameter {name}",
                )
            room = _EDGE * (high - low)
            a, b = _off_the_bounds(a, b, transform, low + room, high - room)
            transforms.append(transform)
            ends.append(_in_inference(transform, a, b))
        space.transforms = tuple(transforms)
        space._box = np.array([e[0] for e in ends]), np.array([e[1] for e in ends])
        return space

    @property
    def dimension(self) -> int:
        return len(self.names)

    @property
    def lower(self) -> Array:
        """Lower bounds (D,), user's units; -inf where open."""
        return np.array([t.lower for t in self.transforms])

    @property
    def upper(self) -> Array:
        """Upper bounds (D,), user's units; inf where open."""
        return np.array([t.upper for t in self.transforms])

    def to_user(self, u: ArrayLike) -> Array:
        """theta of u, strictly inside the bounds; same shape."""
        points = self._points(u)
        return np.stack([t.to_user(points[..., i]) for i, t in enumerate(self.transforms)], axis=-1)

    def to_inference(self, theta: ArrayLike) -> Array:
        """u of theta; same shape. A value on a bound counts as just inside; one outside raises ProblemError."""
        points = self._points(theta)
        columns = []
        for i, t in enumerate(self.transforms):
            x = points[..., i]
            if not np.all((x >= t.lower) & (x <= t.upper)):
                bad = np.ravel(x)[~((np.ravel(x) >= t.lower) & (np.ravel(x) <= t.upper))][0]
                raise ProblemError(
                    f"The value {spoken(bad)} lies outside the bounds {spoken(t.lower)} to "
                    f"{spoken(t.upper)}.", f"parameter {self.names[i]}"
                )
            columns.append(t.to_inference(x))
        return np.stack(columns, axis=-1)

    def log_jacobian(self, u: ArrayLike) -> Array:
        """log |d theta / d u|: (n,) for (n, D), a scalar for (D,)."""
        points = self._points(u)
        total: Array = np.zeros(())
        for i, t in enumerate(self.transforms):
            total = total + t.log_jacobian(points[..., i])
        return total

    def log_prior(self, theta: ArrayLike) -> Array:
        """Log prior density in the user's units, -inf outside the bounds: (n,) for (n, D), a scalar for (D,)."""
        points = self._points(theta)
        total = np.zeros(points.shape[:-1])
        for i, distribution in enumerate(self.distributions):
            x = points[..., i]
            if distribution is None:
                t = self.transforms[i]
                total = total + np.where((x >= t.lower) & (x <= t.upper), 0.0, -np.inf)
            else:
                total = total + distribution.log_density(x)
        return total

    def log_prior_in_inference(self, u: ArrayLike) -> Array:
        """Log prior density of u (prior plus log-Jacobian): (n,) for (n, D), a scalar for (D,). The fast path."""
        points = self._points(u)
        total: Array = np.zeros(())
        with np.errstate(over="ignore", divide="ignore"):  # minus infinity is the right answer far out
            for i, (t, distribution) in enumerate(zip(self.transforms, self.distributions, strict=True)):
                x = points[..., i]
                total = total + t.log_jacobian(x)
                if distribution is not None:
                    total = total + distribution.log_density_inside(t.to_user(x))
        return total

    def sample_prior(self, n: int, rng: np.random.Generator) -> Array:
        """n independent draws from the prior, (n, D), user's units, strictly inside the bounds."""
        theta = np.empty((n, self.dimension))
        for i, (t, distribution) in enumerate(zip(self.transforms, self.distributions, strict=True)):
            if distribution is None:
                low, high = t.to_user(self._box[0][i]), t.to_user(self._box[1][i])
                theta[:, i] = low + (high - low) * rng.random(n)
            else:
                theta[:, i] = np.minimum(np.maximum(distribution.sample(n, rng), t.first), t.last)
        return theta

    def plausible_box(self) -> tuple[Array, Array]:
        """Where the search starts: lower and upper corner, each (D,), in inference space."""
        return self._box[0].copy(), self._box[1].copy()

    def values(self, u: ArrayLike) -> dict[str, float]:
        """All parameters by name at the point u (D,), fixed ones included, user's units, in order of declaration."""
        theta = self.to_user(u)
        free = dict(zip(self.names, (float(x) for x in theta), strict=True))
        return {name: self._fixed[name] if name in self._fixed else free[name] for name in self._order}

    def point(self, values: Mapping[str, float]) -> Array:
        """theta (D,) of the free parameters out of ``values`` by name; the inverse of ``values``."""
        missing = [name for name in self.names if name not in values]
        if missing:
            raise ProblemError(f"No value is given for {', '.join(missing)}.")
        return np.array([float(values[name]) for name in self.names])

    def _points(self, array: ArrayLike) -> Array:
        points = np.asarray(array, dtype=float)
        if points.ndim not in (1, 2) or points.shape[-1] != self.dimension:
            raise ValueError(f"expected shape (n, {self.dimension}) or ({self.dimension},), got {points.shape}")
        return points


def _transform(parameter: d.Parameter, distribution: Distribution) -> Transform:
    try:
        return for_parameter(parameter, distribution.lower, distribution.upper)
    except ProblemError as error:
        raise ProblemError(error.what, f"parameter {parameter.name}", error.suggestion) from error


def _box(parameter: d.Parameter, distribution: Distribution, transform: Transform) -> tuple[float, float]:
    """The plausible range in inference space: the user's, else the central mass of the prior."""
    low, high = priors.plausible_range(parameter)
    if parameter.plausible is not None:
        if not (transform.lower <= low < high <= transform.upper and math.isfinite(low) and math.isfinite(high)):
            raise ProblemError(
                f"The plausible range {spoken(low)} to {spoken(high)} must be finite, in order, and inside "
                f"{spoken(transform.lower)} to {spoken(transform.upper)}, where prior and bounds allow values.",
                f"parameter {parameter.name}",
            )
        edges = (float(distribution.quantile(p)) for p in (_EDGE, 1.0 - _EDGE))
        low, high = _off_the_bounds(low, high, transform, *edges)
    return _in_inference(transform, low, high)


def _off_the_bounds(low: float, high: float, transform: Transform, first: float, last: float) -> tuple[float, float]:
    """A plausible end on a bound, infinitely far away in inference space, is moved inside: to first or last, or less."""
    width = high - low
    if low == transform.lower:
        low = min(first, low + 0.1 * width)
    if high == transform.upper:
        high = max(last, high - 0.1 * width)
    return low, high


def _in_inference(transform: Transform, low: float, high: float) -> tuple[float, float]:
    a, b = float(transform.to_inference(np.asarray(low))), float(transform.to_inference(np.asarray(high)))
    if not a < b:
        raise ProblemError(f"The plausible range {spoken(low)} to {spoken(high)} has no width.", "", "Widen it.")
    return a, b
