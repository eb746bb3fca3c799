"""One parameter's posterior: a one-dimensional Gaussian mixture in inference space, read in the user's units.

A mixture posterior gives its components directly; weighted draws become one through a kernel density estimate (every bin of
a fine histogram is a narrow component). Everything then is closed form: density, distribution function, quantiles.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..problem.transforms import Transform
from .boundary import locally_linear, reflected
from .intervals import Curve, Interval, Kind, equal_tailed, modes, region, shortest_connected

Array = NDArray[np.float64]

_BINS = 256
_TABLE = 769
_SMOOTHING = 0.02  # of the central 95 % range, as places on the axis
_TAIL = 5e-4  # share of the mass left outside a plotted curve, on each side
_HIGH = 0.25  # of the peak: a mixture whose density beside a bound is as high on average does not fall off there
_STRIP = 4.0  # widths from such a bound to which it is smoothed
_NEAR = 0.03  # of a plotted range: an end so near to a bound is drawn up to the bound
_OUTSIDE = 2e-5  # share of the mass left outside intervals and modes, on each side
_CELLS = 600  # of each kind in the curve that modes are read from


class Axis:
    """Weights, centers and standard deviations (K,) in inference space, and the transform to the user's units.

    Curves are drawn, and mended beside bounds, over places: the values themselves, or their logarithms where ``logarithmic``, as
    the prior is one of them. In the measure of the values a density that is flat over decades would be all slope.
    """

    def __init__(
        self, weights: Array, centers: Array, sds: Array, transform: Transform, logarithmic: bool = False
    ) -> None:
        self.logarithmic = logarithmic
        keep = weights > 0
        self.weights = weights[keep] / weights[keep].sum()
        self.centers = centers[keep]
        self.sds = np.maximum(sds[keep], 1e-12 * (1.0 + np.abs(self.centers)))
        self.transform = transform
        self.kernel_width = 0.0  # of the kernel density estimate, if it is one
        self.squares: Array = np.zeros(len(self.centers))  # ... sums of the squared weights of the draws in each bin

    @classmethod
    def of_draws(cls, draws: Array, weights: Array, transform: Transform, logarithmic: bool = False) -> Axis:
        """A variance-preserving kernel density estimate of draws (n,) with weights (n,) that sum to one."""
        draws, weights = merged(draws, weights)
        mean = float(weights @ draws)
        sd = float(np.sqrt(max(float(weights @ (draws - mean) ** 2), 1e-300)))
        h = bandwidth(draws, weights)
        shrink = 1.0 / np.sqrt(1.0 + (h / sd) ** 2)  # smoothing widens; pulling the draws together keeps the variance
        low, high = float(draws.min()), float(draws.max())
        if not high > low:
            return cls(np.ones(1), np.array([mean]), np.array([max(sd, 1e-9 * (1 + abs(mean)))]), transform, logarithmic)
        centers = np.linspace(low, high, _BINS)
        mass = linear_bins(draws, weights, low, high, _BINS)
        axis = cls(mass, mean + shrink * (centers - mean), np.full(_BINS, h * shrink), transform, logarithmic)
        axis.kernel_width = h
        axis.squares = linear_bins(draws, weights * weights, low, high, _BINS)[mass > 0]
        return axis

    def _place(self, theta: ArrayLike) -> Array:
        """Of values, in the user's units, any shape."""
        x = np.asarray(theta, dtype=float)
        with np.errstate(divide="ignore"):
            return np.log(x) if self.logarithmic else x

    def _value(self, place: Array) -> Array:
        return np.exp(place) if self.logarithmic else place

    def _slope(self, u: Array) -> Array:
        """How fast the place moves with u (m,)."""
        log_slope = self.transform.log_jacobian(u)
        return np.asarray(np.exp(log_slope - self._place(self.transform.to_user(u)) if self.logarithmic else log_slope))

    @cached_property
    def _bounds(self) -> Array:
        """Places of the lower and the upper bound; infinite where there is none, as zero is on a logarithmic axis."""
        return self._place(np.array([self.transform.lower, self.transform.upper], dtype=float))

    def density_in_inference(self, u: Array) -> Array:
        """Density of u, same shape as u (m,)."""
        z = (u[:, None] - self.centers) / self.sds
        return np.asarray(np.exp(-0.5 * z * z) @ (self.weights / (self.sds * np.sqrt(2 * np.pi))))

    def cdf_in_inference(self, u: Array) -> Array:
        from scipy.special import ndtr

        return np.asarray(ndtr((u[:, None] - self.centers) / self.sds) @ self.weights)

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """u and the distribution function there: even steps, and around every component when they are few."""
        low, high = float((self.centers - 8.0 * self.sds).min()), float((self.centers + 8.0 * self.sds).max())
        u = np.linspace(low, high, _TABLE)
        if len(self.centers) <= 64:
            steps = np.linspace(-4.0, 4.0, 9)
            u = np.unique(np.concatenate([u, (self.centers[:, None] + self.sds[:, None] * steps).ravel()]))
        return u, np.maximum.accumulate(self.cdf_in_inference(u))

    def _rough_quantile(self, p: Array) -> Array:
        """As ``quantile_in_inference``, to the accuracy of the table: for placing grid points."""
        u, cdf = self._table
        return np.interp(p, cdf, u)

    def quantile_in_inference(self, p: ArrayLike) -> Array:
        """u with distribution function ``p`` (m,), by bisection: monotone in p, exact to rounding."""
        p = np.atleast_1d(np.asarray(p, dtype=float))
        u, cdf = self._table
        right = np.clip(np.searchsorted(cdf, p), 1, len(u) - 1)
        low, high = u[right - 1], u[right]
        for _ in range(48):
            middle = 0.5 * (low + high)
            below = self.cdf_in_inference(middle) < p
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)

    def even_quantiles(self, n: int) -> Array:
        """u (n,) at the probabilities (k + 1/2) / n; of a kernel estimate to the accuracy of the table, which is far finer."""
        p = (np.arange(n) + 0.5) / n
        return self._rough_quantile(p) if self.kernel_width > 0 else self.quantile_in_inference(p)

    def quantile(self, p: ArrayLike) -> Array:
        """The same in the user's units (the transform is increasing)."""
        return self.transform.to_user(self.quantile_in_inference(p))

    def density(self, u: Array) -> Array:
        """Density per user's unit at the points u (m,): the mixture's, divided by the Jacobian; mended beside bounds.

        There the Jacobian blows the noise of a few draws up into spikes, and the tail of a Gaussian component, or the last draw,
        into a dip. Mass is kept.
        """
        found = self._density_of_places(u)
        return found / self.transform.to_user(u) if self.logarithmic else found

    def _density_of_places(self, u: Array) -> Array:
        plain = np.asarray(self.density_in_inference(u) / self._slope(u))
        if not np.isfinite(self._bounds).any():
            return plain
        place = self._place(self.transform.to_user(u))
        if self.kernel_width == 0:
            for bound, way, width in self._high_bounds:
                near = way * (place - bound) < _STRIP * width
                distance = way * (place[near] - bound)
                plain[near] = reflected(lambda x, b=bound, w=way: self._plain(b + w * x), distance, width)  # type: ignore[misc]
            return plain
        far = ~np.isfinite(self._bounds) & np.array([u < self._ends[0], u > self._ends[1]]).T  # beyond the curve on an open side
        return np.where(far.any(axis=1), plain, self._smoothed(u, place))

    def _plain(self, place: Array) -> Array:
        """The mixture's density at places (m,) inside the bounds."""
        u = self.transform.to_inference(self._value(place))
        return np.asarray(self.density_in_inference(u) / self._slope(u))

    @cached_property
    def _high_bounds(self) -> list[tuple[float, float, float]]:
        """Of a mixture: the bounds beside which the density is high, the way inwards, and the width it is smoothed by there."""
        q1, q3 = self._place(self.quantile([0.025, 0.975]))
        curve = self._curve
        top = float((curve.mass / np.diff(self._place(curve.ends))).max())
        width = max(_SMOOTHING * float(q3 - q1), 1e-300)
        found = []
        for bound, way in ((float(self._bounds[0]), 1.0), (float(self._bounds[1]), -1.0)):
            if np.isfinite(bound):
                inside = self.transform.to_inference(self._value(np.array([bound + way * width])))
                below = float(self.cdf_in_inference(inside)[0])
                if (below if way > 0 else 1.0 - below) > _HIGH * top * width:
                    found.append((bound, way, width))
        return found

    def _smoothed(self, u: Array, place: Array) -> Array:
        """A kernel estimate smoothed over places as well, as wide beside a bound as it is in the middle."""
        cells, mass, width = self._cells
        wide = self.kernel_width * self._slope(self._rough_quantile(np.array([0.5])))
        here = self.kernel_width * self._slope(u)
        widths = np.sqrt(np.maximum(width**2, wide**2 - here**2))
        return locally_linear(place, cells, mass, widths, float(self._bounds[0]), float(self._bounds[1]))

    @cached_property
    def _cells(self) -> tuple[Array, Array, float]:
        """Small cells of the posterior in the plotted range: places (c,), mass (c,); the width by which they are smoothed."""
        q1, q3 = self._place(self.quantile([0.025, 0.975]))
        width = _SMOOTHING * max(q3 - q1, 1e-300)
        first, last = self._place(self.transform.to_user(np.array(self._ends)))
        reach = self.transform.to_inference(self._value(np.array([first - 6.0 * width, last + 6.0 * width])))
        u = np.clip(self._table[0], *np.where(np.isfinite(self._bounds), (-np.inf, np.inf), reach))
        place = self._place(self.transform.to_user(u))
        # table points alone are too coarse where the place moves fast: split those steps to half a smoothing width
        steps = np.minimum(np.diff(place) / (0.5 * width), 50.0).astype(int) + 1
        extra = [np.linspace(a, b, n)[1:-1] for a, b, n in zip(place, place[1:], steps, strict=False)]
        u = np.sort(np.concatenate([u, self.transform.to_inference(self._value(np.concatenate(extra)))]))
        cdf = np.maximum.accumulate(self.cdf_in_inference(u))
        mass = np.diff(cdf)
        keep = mass > 1e-9
        return self._place(self.transform.to_user(0.5 * (u[1:] + u[:-1])))[keep], mass[keep], float(width)

    def grid(self, points: int) -> tuple[Array, Array]:
        """u and theta (points,) that show the curve well: half even in places, half even in mass and in u.

        A heavy tail is cut where it would press the rest of the curve together.
        """
        low, high = self._ends
        a, b = self._place(self.transform.to_user(np.array([low, high])))
        even = np.clip(self.transform.to_inference(self._value(np.linspace(a, b, points))), low, high)
        in_u = np.linspace(low, high, points)
        by_mass = np.clip(self._rough_quantile(np.linspace(_TAIL, 1 - _TAIL, points)), low, high)
        rank = np.linspace(0.0, 1.0, points)
        u = np.interp(rank, np.linspace(0.0, 1.0, 3 * points), np.sort(np.concatenate([even, in_u, by_mass])))
        return u, self.transform.to_user(u)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The range of a plotted curve, in inference space."""
        low, q1, median, q3, high = self._rough_quantile(np.array([_TAIL, 0.025, 0.5, 0.975, 1 - _TAIL]))
        a, m1, m, m3, b = self._place(self.transform.to_user(np.array([low, q1, median, q3, high])))
        a, b = max(a, m - 4.0 * (m - m1)), min(b, m + 4.0 * (m3 - m))
        lower, upper = float(self._bounds[0]), float(self._bounds[1])
        if 0.0 <= a - lower < _NEAR * (b - a):  # what lies there is part of the picture
            a = min(a, lower + 1e-5 * (b - a))
        if 0.0 <= upper - b < _NEAR * (b - a):
            b = max(b, upper - 1e-5 * (b - a))
        if not b > a:
            a, b = a - 1e-9 * (1 + abs(a)), b + 1e-9 * (1 + abs(b))
        low, high = self.transform.to_inference(self._value(np.array([a, b])))
        return float(low), float(high)

    def even_grid(self, points: int, logarithmic: bool = False) -> tuple[Array, Array]:
        """u and theta (points,): the middles of equal cells in the user's units over the same range as ``grid``.

        ``logarithmic``: of cells that are equal factors; theta must be positive.
        """
        first, last = self.transform.to_user(np.array(self._ends))
        shares = (np.arange(points) + 0.5) / points
        theta = first * (last / first) ** shares if logarithmic else first + shares * (last - first)
        return self.transform.to_inference(theta), theta

    def moment(self, power: int, nodes: int = 48) -> float:
        """E[theta^power] in the user's units, by Gauss-Hermite quadrature in every component."""
        z, w = np.polynomial.hermite_e.hermegauss(nodes)
        theta = self.transform.to_user(self.centers[:, None] + self.sds[:, None] * z)
        return float(np.sum(self.weights * (theta**power @ (w / w.sum()))))

    def intervals(self, level: float, kind: Kind) -> list[Interval]:
        """That hold ``level`` of the mass, in the user's units: one; of kind "shortest" one for each real mode."""
        if kind == "equal_tailed":
            return [equal_tailed(self.quantile, level)]
        if len(self.modes) > 1:
            return region(self._curve, self.modes, level)
        t = self.transform
        return [shortest_connected(self._curve, self.quantile, level, float(t.lower), float(t.upper))]

    @cached_property
    def modes(self) -> list[slice]:
        """Cells of ``_curve`` of each real mode."""
        return modes(self._curve)

    @cached_property
    def _curve(self) -> Curve:
        """Fine cells of nearly all the mass: even in the user's units, in mass, and in inference space."""
        low, high = self._rough_quantile(np.array([_OUTSIDE, 1.0 - _OUTSIDE]))
        inner = self._rough_quantile(np.linspace(_OUTSIDE, 1 - _OUTSIDE, _CELLS))
        first, last = self.transform.to_user(np.array([low, high]))
        even = self.transform.to_inference(np.linspace(first, last, _CELLS))
        u = np.unique(np.clip(np.concatenate([np.linspace(low, high, _CELLS), inner, even]), low, high))
        theta = self.transform.to_user(u)
        keep = np.concatenate([[True], np.diff(theta) > 0])
        u, theta = u[keep], theta[keep]
        mass = np.maximum(np.diff(self.cdf_in_inference(u)), 0.0)
        height = mass / np.diff(theta)
        middle = 0.5 * (u[1:] + u[:-1])
        relative = self._error_in_inference(middle) / np.maximum(self.density_in_inference(middle), 1e-300)
        return Curve(theta, mass, height, height * relative)

    def _error_in_inference(self, u: Array) -> Array:
        """Standard error of the kernel estimate at u (m,): sqrt(sum w_i^2 K^2); zero for a mixture."""
        if self.kernel_width == 0:
            return np.zeros(u.shape)
        z = (u[:, None] - self.centers) / self.sds
        kernel = np.exp(-0.5 * z * z) / (self.sds * np.sqrt(2 * np.pi))
        return np.asarray(np.sqrt(np.square(kernel) @ self.squares))


def linear_bins(draws: Array, weights: Array, low: float, high: float, bins: int) -> Array:
    """Mass (bins,) on an even grid from low to high, every draw shared by its two neighbours."""
    at = np.clip((draws - low) / (high - low) * (bins - 1), 0, bins - 1)
    left = np.minimum(at.astype(np.int64), bins - 2)
    share = at - left
    mass = np.bincount(left, weights * (1 - share), bins) + np.bincount(left + 1, weights * share, bins)
    return mass.astype(np.float64)


def merged(draws: Array, weights: Array) -> tuple[Array, Array]:
    """Draws (m,) and weights (m,) with those that repeat taken together: a chain that stands still draws nothing new."""
    found, which = np.unique(draws, return_inverse=True)
    if len(found) == len(draws):
        return draws, weights
    return found, np.bincount(which.ravel(), weights).astype(np.float64)


def effective_size(weights: Array) -> float:
    """Kish's effective number of draws; weights sum to one."""
    return float(1.0 / np.sum(weights**2))


def bandwidth(draws: Array, weights: Array) -> float:
    """Kernel width by Botev, Grotowski and Kroese 2010 (improved Sheather-Jones), Silverman's rule where it has no root.

    It follows several separated modes, where Silverman's rule smooths them together.
    """
    n = effective_size(weights)
    mean = float(np.sum(weights * draws))
    sd = float(np.sqrt(np.sum(weights * (draws - mean) ** 2)))
    order = np.argsort(draws)
    q1, q3 = np.interp([0.25, 0.75], np.cumsum(weights[order]), draws[order])
    spread = min(sd, (q3 - q1) / 1.349) if q3 > q1 else sd
    silverman = 0.9 * spread * n**-0.2
    low, high = float(draws.min()), float(draws.max())
    reach = high - low
    if n < 50 or reach <= 0:
        return max(float(silverman), 1e-12 * (1 + abs(mean)))
    from scipy.fft import dct
    from scipy.optimize import brentq

    bins = 256
    mass = linear_bins(draws, weights, low - 0.1 * reach, high + 0.1 * reach, bins)
    a2 = (0.5 * dct(mass, type=2)[1:]) ** 2
    k2 = np.arange(1, bins, dtype=float) ** 2

    def fixed_point(t: float) -> float:
        f = 2 * np.pi**14 * np.sum(k2**7 * a2 * np.exp(-k2 * np.pi**2 * t))
        for s in range(6, 1, -1):
            odd = float(np.prod(np.arange(1, 2 * s, 2)))
            time = (2 * odd * (1 + 0.5 ** (s + 0.5)) / (3 * n * np.sqrt(np.pi / 2) * f)) ** (2 / (3 + 2 * s))
            f = 2 * np.pi ** (2 * s) * np.sum(k2**s * a2 * np.exp(-k2 * np.pi**2 * time))
        return float(t - (2 * n * np.sqrt(np.pi) * f) ** -0.4)

    try:
        with np.errstate(all="ignore"):
            root = brentq(fixed_point, 1e-9, 0.1)
    except (ValueError, FloatingPointError):
        return float(silverman)
    width = float(np.sqrt(root) * 1.2 * reach)
    return float(np.clip(width, 0.2 * silverman, 1.5 * silverman))
