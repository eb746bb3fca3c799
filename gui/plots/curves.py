"""Everything the posterior plots draw, computed from a ``StoredPosterior`` in the reader thread. Numpy only, no Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.answer.digits import of_intervals
from bayescope.engine.answer.failures.success_map import SuccessMaps
from bayescope.engine.answer.intervals import Interval, Kind
from bayescope.engine.answer.modes import Modes, find_modes
from bayescope.engine.answer.possible import Possible
from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.problem.definition import Parameter
from bayescope.gui.models.scales import density_on_axis, is_logarithmic, on_axis

Array = NDArray[np.float64]
MASSES = (0.5, 0.9)  # contours hold this much of the posterior mass
LEVEL = 0.9  # of the interval shown
PAIR_POINTS = 64
LEAST_HATCHED = 0.01  # of the answer: less where runs fail is not hatched


class Superseded(Exception):
    """The window closes; this computation is given up."""


@dataclass(frozen=True)
class MarginalCurve:
    """One parameter in the user's units. ``reach``: where the curve is worth showing.

    ``intervals``: of 90 %, as in the table of the results; several of the shortest if there are separate modes.
    """

    x: Array  # (m,)
    density: Array  # (m,)
    median: float
    intervals: tuple[Interval, ...]
    reach: Interval
    step: float | None = None  # two digits of it are shown of the numbers written beside
    possible: Array | None = None  # (functions, m): other marginals that the runs allow
    shares: Array | None = None  # (modes, m) of the density; None: there is one mode
    failing: Array | None = None  # (m,) of the density, which lies where runs fail; None: nowhere worth showing


@dataclass(frozen=True)
class PairDensity:
    """``levels`` (64, 64) uint8, row 0 at the top of the picture; contours as lines (m, 2) per mass. All as places on the axes,
    which may be logarithmic (``scales``)."""

    x: tuple[float, float]
    y: tuple[float, float]
    levels: NDArray[np.uint8]
    contours: tuple[tuple[Array, ...], ...]
    owners: NDArray[np.uint8] | None = None  # (64, 64) as levels: which mode is highest; None: there is one mode

    def owner_of(self, line: Array) -> int:
        """Which mode most of a contour line (m, 2) belongs to; -1: there is one mode."""
        if self.owners is None:
            return -1
        rows, columns = self.owners.shape
        across = (line[:, 0] - self.x[0]) / (self.x[1] - self.x[0]) * columns
        up = (line[:, 1] - self.y[0]) / (self.y[1] - self.y[0]) * rows
        at = np.clip(across.astype(int), 0, columns - 1), np.clip(rows - 1 - up.astype(int), 0, rows - 1)
        return int(np.bincount(self.owners[at[1], at[0]]).argmax())


@dataclass(frozen=True)
class PosteriorCurves:
    """The answer of one iteration as curves; ``pairs[(i, j)]``, j < i: parameter j along x, i along y. Empty if not asked for."""

    iteration: int
    names: tuple[str, ...]
    marginals: tuple[MarginalCurve, ...]
    pairs: dict[tuple[int, int], PairDensity] = field(default_factory=dict)
    modes: Modes | None = None  # None: there is one
    success: SuccessMaps | None = None  # where runs succeed; None: they do everywhere
    logarithmic: tuple[bool, ...] = ()  # which axes are
    sketch: bool = False  # of runs too few for any of it to be relied on


def compute(
    posterior: StoredPosterior,
    iteration: int,
    with_pairs: bool,
    given_up: Callable[[], bool] = lambda: False,
    kind: Kind = "equal_tailed",
    arrays: Mapping[str, Array] | None = None,
    sketch: bool = False,
) -> PosteriorCurves:
    """All curves of one answer; ``arrays``: stored with it, other posteriors among them; ``sketch``: it is a first one.

    Raises Superseded between parameters when ``given_up`` says so."""
    medians, regions = posterior.median(), posterior.intervals(LEVEL, kind)
    sds, resolutions = posterior.sd(), posterior.resolution()
    modes, transforms = find_modes(posterior), posterior.space.transforms
    drawn = None if arrays is None else Possible.of(arrays, len(posterior.names))
    success = SuccessMaps.of(arrays or {}, posterior)
    marginals: list[MarginalCurve] = []
    for i in range(len(posterior.names)):
        if given_up():
            raise Superseded
        x, density = posterior.marginal(i)
        intervals = tuple((float(a), float(b)) for a, b in regions[i])
        step = of_intervals(intervals, float(sds[i]), float(resolutions[i]))
        shares = modes.shares(i, transforms[i].to_inference(x)) if modes.several else None
        others = None if drawn is None else drawn.lines(i, transforms[i].to_inference(x), x, density)
        marginals.append(MarginalCurve(x, density, float(medians[i]), intervals, reach(x, density), step, others, shares))
    if success is not None:
        failing = success.failing_shares([m.x for m in marginals])
        marginals = [_hatched(m, f) for m, f in zip(marginals, failing, strict=True)]
    pairs = {}
    if with_pairs:
        for i in range(len(marginals)):
            for j in range(i):
                if given_up():
                    raise Superseded
                log = is_logarithmic(posterior.space.parameters[j]), is_logarithmic(posterior.space.parameters[i])
                x, y, density = posterior.pair(j, i, PAIR_POINTS, log)
                found = pair_density(on_axis(x, log[0]), on_axis(y, log[1]), density)
                if modes.several:
                    owners = modes.owners(j, i, transforms[j].to_inference(x), transforms[i].to_inference(y))
                    found = replace(found, owners=np.ascontiguousarray(owners.T[::-1]).astype(np.uint8))
                pairs[i, j] = found
    logarithmic = tuple(is_logarithmic(p) for p in posterior.space.parameters)
    several = modes if modes.several else None
    return PosteriorCurves(iteration, posterior.names, tuple(marginals), pairs, several, success, logarithmic, sketch)


def _hatched(curve: MarginalCurve, failing: Array) -> MarginalCurve:
    """``failing`` (m,): share of the density where runs fail; left out where it is too little to be seen."""
    mass = float(np.trapezoid(failing * curve.density, curve.x))
    return replace(curve, failing=failing) if mass > LEAST_HATCHED else curve


def curve_on_axis(curve: MarginalCurve, logarithmic: bool) -> MarginalCurve:
    """``curve`` as places on its axis, with the density per unit of that."""
    if not logarithmic:
        return curve
    x, density = on_axis(curve.x, True), density_on_axis(curve.x, curve.density, True)
    parts = tuple((float(a), float(b)) for a, b in on_axis(np.array(curve.intervals).reshape(-1, 2), True))
    others = None if curve.possible is None else np.stack([density_on_axis(curve.x, y, True) for y in curve.possible])
    return replace(
        curve, x=x, density=density, possible=others, median=float(on_axis(curve.median, True)), intervals=parts,
        reach=reach(x, density),
    )


def curves_on_axes(curves: PosteriorCurves, logarithmic: Sequence[bool]) -> PosteriorCurves:
    """All marginals as places on their axes (the pairs are already)."""
    marginals = zip(curves.marginals, logarithmic, strict=True)
    return replace(curves, marginals=tuple(curve_on_axis(curve, log) for curve, log in marginals))


def reach(x: Array, density: Array) -> tuple[float, float]:
    """Where all but 0.6 % of the area under the curve lies, widened by a tenth."""
    mass = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(x))])
    if not np.isfinite(mass[-1]) or mass[-1] <= 0:
        return float(x[0]), float(x[-1])
    low, high = np.interp([0.002 * mass[-1], 0.996 * mass[-1]], mass, x)
    margin = 0.1 * (high - low)
    return float(max(low - margin, x[0])), float(min(high + margin, x[-1]))


def pair_density(x: Array, y: Array, density: Array) -> PairDensity:
    """From ``density[a, b]`` at (x[a], y[b]) on even grids to a picture and mass contours."""
    from contourpy import contour_generator

    density = np.where(np.isfinite(density), density, 0.0)
    top = float(density.max(initial=0.0))
    scaled = density
    if top > 0:
        (full,) = mass_thresholds(density, (0.03,))  # a narrow spike must not turn all the rest pale
        scaled = np.clip((density / full) ** 0.75 * 1.03 - 0.03, 0.0, 1.0)
    levels = np.ascontiguousarray((255 * scaled).T[::-1]).astype(np.uint8)
    contours: list[tuple[Array, ...]] = []
    if top > 0:
        generator = contour_generator(x, y, density.T)
        heights = [min(t, 0.999 * top) for t in mass_thresholds(density, MASSES)]  # a plateau has a border too
        contours = [tuple(np.asarray(line) for line in generator.lines(t)) for t in heights]
    half_x, half_y = 0.5 * (x[1] - x[0]), 0.5 * (y[1] - y[0])
    return PairDensity(
        (float(x[0] - half_x), float(x[-1] + half_x)),
        (float(y[0] - half_y), float(y[-1] + half_y)),
        levels,
        tuple(contours),
    )


def mass_thresholds(density: Array, masses: tuple[float, ...]) -> list[float]:
    """The density heights above which each share of the mass lies (cells of equal area)."""
    ordered = np.sort(density, axis=None)[::-1]
    share = np.cumsum(ordered)
    share /= share[-1]
    return [float(ordered[min(int(np.searchsorted(share, m)), len(ordered) - 1)]) for m in masses]


def mixture_slices(
    weights: Array, means: Array, covariances: Array, log_evidence: float, points: int = 81
) -> dict[str, Array]:
    """The mixture's log density plus the log evidence along each axis through its highest component mean.

    All in inference space; the sum is what the mixture says of the log joint density, which a surrogate's slice shows. Fields as
    the slices of an answer: ``center`` (D,), ``u`` (D, points), ``mean`` (D, points), ``sd`` (D, points), zero here.
    """
    d = means.shape[1]
    lower = np.linalg.cholesky(covariances)
    log_weights = np.log(np.maximum(weights / weights.sum(), 1e-300))
    scale = log_weights - np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1) - 0.5 * d * np.log(2 * np.pi)

    def log_density(at: Array) -> Array:
        z = np.linalg.solve(lower[:, None], (at[None] - means[:, None])[..., None])[..., 0]  # (K, n, D)
        terms = scale[:, None] - 0.5 * (z * z).sum(axis=2)
        top = terms.max(axis=0)
        return np.asarray(top + np.log(np.exp(terms - top).sum(axis=0)))

    center = means[int(np.argmax(log_density(means)))]
    shares = weights / weights.sum()
    middle = shares @ means
    spread = np.sqrt(shares @ (np.diagonal(covariances, axis1=1, axis2=2) + (means - middle) ** 2))
    u = np.linspace(middle - 4 * spread, middle + 4 * spread, points).T
    at = np.repeat(center[None], d * points, axis=0)
    for i in range(d):
        at[i * points : (i + 1) * points, i] = u[i]
    mean = log_density(at).reshape(d, points) + log_evidence
    return {"center": center, "u": u, "mean": mean, "sd": np.zeros_like(u)}


def prior_curve(parameter: Parameter, points: int = 400) -> tuple[Array, Array]:
    """The prior's density where most of it lies (long tails cut), bounds cut in: x (m,), density (m,), both on its axis."""
    from bayescope.engine.problem.priors import of_parameter

    prior, log = of_parameter(parameter), is_logarithmic(parameter)
    quantiles = np.asarray(prior.quantile(np.array([0.001, 0.1, 0.5, 0.9, 0.999])))
    q001, q10, q50, q90, q999 = (float(v) for v in on_axis(quantiles, log))
    lower, upper = (float(v) for v in on_axis(np.array([prior.lower, prior.upper]), log))
    low, high = max(q001, q50 - 4 * (q50 - q10)), min(q999, q50 + 4 * (q90 - q50))
    low = lower if np.isfinite(lower) and low - lower < 0.05 * (high - low) else low
    high = upper if np.isfinite(upper) and upper - high < 0.05 * (high - low) else high
    x = np.linspace(low, high, points)
    values = 10.0**x if log else x
    inside = np.clip(values, np.nextafter(values[0], values[-1]), np.nextafter(values[-1], values[0]))
    with np.errstate(all="ignore"):
        density = density_on_axis(values, np.exp(np.asarray(prior.log_density(inside))), log)
    return x, np.where(np.isfinite(density), density, 0.0)


def settled_range(shown: tuple[float, float] | None, wanted: tuple[float, float]) -> tuple[float, float]:
    """An axis range that does not jitter: kept while the wanted one fits and fills more than half of it."""
    low, high = wanted
    if not (np.isfinite(low) and np.isfinite(high)) or high <= low:
        return shown or (0.0, 1.0)
    if shown is not None:
        width = shown[1] - shown[0]
        fits = low >= shown[0] - 0.02 * width and high <= shown[1] + 0.02 * width
        if fits and high - low > 0.55 * width:
            return shown
    return low, high


def shown_height(x: Array, density: Array, bounds: tuple[float, float]) -> float:
    """The height a plot over ``bounds`` must have; a spike on less than a fiftieth of the width may leave the picture."""
    even = np.interp(np.linspace(*bounds, 400), x, density, left=0.0, right=0.0)
    ordered = np.sort(even)
    top, usual = float(ordered[-1]), float(ordered[391])  # the 98 % quantile; np.quantile costs five times as much
    return top if top < 2.0 * usual or usual <= 0 else 1.25 * usual


def colour_positions(log_density: Array, dimension: int) -> Array:
    """Where each log density lies on the colour scale: 1 the best, 0 at ``span`` below it or lower; NaN stays NaN."""
    if not np.isfinite(log_density).any():
        return np.full(len(log_density), np.nan)
    best = float(np.nanmax(np.where(np.isfinite(log_density), log_density, np.nan)))
    out = 1.0 + (log_density - best) / colour_span(dimension)
    return np.where(np.isnan(log_density), np.nan, np.clip(out, 0.0, 1.0))


def colour_span(dimension: int) -> float:
    """Log-density range of the colour scale: points further below the best than this are all the darkest colour."""
    return max(15.0, 3.0 * dimension)
