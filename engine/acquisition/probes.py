"""Where a surrogate that predicts its own draws well may still be wrong: its tails, and places it has never been near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import distance
from scipy.stats import qmc

from ..feasibility.classifier import Feasibility
from ..numerics.linear_algebra import stable_factors
from ..sampling.guarded_density import Hull
from ..sampling.population_monte_carlo import PosteriorDraws
from ..sampling.proposal import regularized
from ..surrogate.log_joint import LogJoint

Array = NDArray[np.float64]

REACH, STEPS = 10.0, 101  # posterior sds along a line, and points on it
POOL, REFINED, MOVES, SCALES = 1024, 24, 24, (0.5, 0.2, 0.1, 0.05)
UPPER_SDS = 2.0  # sds above the mean that count as possible
UNSURE, BLIND = 0.7, 2.0  # GP sd below which a place counts as known, and above which the mean there says nothing
SMALL = 4  # largest dimension of a plausible box that can be covered by looking
UNEXPLORED_POOL, LENGTH = 512, 0.6  # candidates in the plausible box, and the length over sqrt D at which a run says nothing
EDGE_QUANTILE, EDGE_SLACK = 0.05, 1.0  # "could matter": within 1 of the 5 % quantile of log density over the posterior


def tail_points(
    mean: Callable[[Array], Array],
    starts: Array,
    covariance: Array,
    box: tuple[Array, Array],
    drops: Array,
    rng: np.random.Generator,
) -> Array:
    """One point (D,) for each of ``drops`` (T,): on a line through a posterior draw, where the mean has fallen by that much.

    mean: of the surrogate, (n, D) -> (n,); starts (T, D): posterior draws; covariance (D, D) of the posterior; box: lower and
    upper ends (D,) of the trusted region. Lines run along the user's axes and along the posterior's principal axes in turn, none
    twice before all were used.
    """
    d, count = starts.shape[1], len(drops)
    values, vectors = np.linalg.eigh(regularized(covariance))
    own = np.diag(np.sqrt(np.diag(covariance)))[rng.permutation(d)]
    principal = (vectors * np.sqrt(np.maximum(values, 0.0))).T[rng.permutation(d)]
    directions = np.stack([own, principal], axis=1).reshape(2 * d, d)
    directions = directions[np.arange(count) % (2 * d)] * rng.choice([-1.0, 1.0], count)[:, None]
    return where_fallen(mean, starts, directions, box, drops)


def where_fallen(
    mean: Callable[[Array], Array], starts: Array, directions: Array, box: tuple[Array, Array], drops: Array
) -> Array:
    """Points (T, D): beyond the top of each line through ``starts`` along ``directions`` (T, D), where the mean has fallen by
    ``drops`` (T,). Lines go from half of REACH behind to REACH ahead, in units of the directions."""
    d, count = starts.shape[1], len(drops)
    steps = np.linspace(-REACH / 2, REACH, STEPS)
    lines = starts[:, None, :] + steps[:, None] * directions[:, None, :]  # (T, STEPS, D)
    lines = np.clip(lines, *box)
    means = mean(lines.reshape(-1, d)).reshape(count, STEPS)
    found = np.empty((count, d))
    for i in range(count):
        found[i] = lines[i, first_fall(means[i], int(means[i].argmax()), drops[i])]
    return found


def first_fall(values: Array, start: int, drop: float) -> int:
    """Index from ``start`` on at which values (n,) have first fallen by more than ``drop``; -1: nowhere."""
    below = np.flatnonzero(values[start:] < values[start] - drop)
    return start + int(below[0]) if len(below) else -1


def tail_excess(residuals: Array, drop: float, dimension: int) -> float:
    """Estimate of the posterior mass that the surrogate's tails lack, from residuals y - mean (T,) at ``tail_points``.

    On a line through the bulk, the mass beyond a drop of Delta is about exp(-Delta) / 2 of the line's for a Gaussian-like decay;
    there are 2 D such tails, and the truth is exp(r) times what the surrogate says.
    """
    if len(residuals) == 0:
        return 0.0
    return float(max(0.0, dimension * np.exp(-drop) * np.expm1(np.minimum(residuals, 30.0)).mean()))


def edge_level(draws: PosteriorDraws, rng: np.random.Generator) -> float:
    """The log density, relative to the top, above which a place could matter."""
    return float(np.quantile(draws.log_density[draws.resample(500, rng)], EDGE_QUANTILE)) - EDGE_SLACK


def place_not_excluded(
    surrogate: LogJoint,
    draws: PosteriorDraws,
    region: Hull,
    feasibility: Feasibility,
    rng: np.random.Generator,
    unsure: float = UNSURE,
    most: Callable[[Array], Array] | None = None,
) -> Array | None:
    """The point (D,) of largest mean + 2 sd among places where the surrogate is unsure, if it could matter; else None.

    ``unsure``: GP sd above which it is; ``most``: of points, what something else leaves possible there. Looked for in the
    region, evenly, in the plausible box and around the posterior, refined from the best candidates. From D = 5 on only where
    the mean alone would not matter (doubt about the posterior's own flanks is in the sd of log Z), or cannot be believed at
    all: in a far corner an extrapolation may pass for posterior.
    """
    d = surrogate.dimension
    level = edge_level(draws, rng)
    mean, covariance = draws.moments()
    step = stable_factors(regularized(covariance))
    even = qmc.Sobol(d, scramble=True, rng=rng).random(2 * POOL)
    around = mean + rng.standard_normal((POOL, d)) @ step.T * rng.uniform(1.0, 5.0, (POOL, 1))
    pool = np.concatenate([region.lower + (region.upper - region.lower) * even[:POOL], -2.0 + 4.0 * even[POOL:], around])

    def upper(b: Array) -> Array:
        """-inf where it is not asked for; what costs least is looked at first."""
        bound = np.full(len(b), -np.inf)
        rows = np.flatnonzero(region.contains(b) & np.logical_not(feasibility.runs_fail(b)))
        sd = np.sqrt(surrogate.variance(b[rows]))
        rows, sd = rows[sd > unsure], sd[sd > unsure]
        value = surrogate.mean(b[rows])
        asked = (d <= SMALL) | (value < level) | (sd > BLIND)
        rows, given = rows[asked], (b[rows[asked]], value[asked], sd[asked])
        price = feasibility.log_possible(given[0]) + feasibility.price * np.minimum(feasibility.log_runs(given[0]), 0.0)
        bound[rows] = surrogate.upper(*given, UPPER_SDS) + price
        if most is not None:
            bound[rows] = np.minimum(bound[rows], most(b[rows]))
        return bound

    bound = upper(pool)
    best = np.argsort(-bound)[:REFINED]
    centres, top = pool[best], bound[best]
    if not np.isfinite(top[0]):
        return None
    for scale in SCALES:
        trial = centres[:, None, :] + rng.standard_normal((len(centres), MOVES, d)) * scale
        trial = np.clip(trial, region.lower, region.upper)
        value = upper(trial.reshape(-1, d)).reshape(len(centres), MOVES)
        winner = value.argmax(1)
        rows = np.arange(len(centres))
        better = value[rows, winner] > top
        centres = np.where(better[:, None], trial[rows, winner], centres)
        top = np.maximum(top, value[rows, winner])
    k = int(top.argmax())
    return np.asarray(centres[k], dtype=float) if top[k] > level else None


def regions_to_exclude(hull: Hull, uninformative: int, cover: bool = True) -> list[Hull]:
    """Where the surrogate has to exclude more of the posterior, one after the other.

    The plausible box, up to D = 4: a larger space is not covered by looking. And all of the trusted region, whose far corners
    are never all known, until ``uninformative`` looks in a row told nothing: 2 D of them (at least 4), or 4 from D = 5 on. The
    box too only until then, unless it is to be covered.
    """
    d = len(hull.lower)
    box = plausible_part(hull)
    most = max(4, 2 * d) if d <= SMALL else 4
    done = uninformative >= most
    return ([] if box is None or (done and not cover) else [box]) + ([] if done else [hull])


def plausible_part(hull: Hull) -> Hull | None:
    """The part of the hull that lies in the plausible box; None where that is too large to be covered by looking."""
    if len(hull.lower) > SMALL:
        return None
    return Hull(np.maximum(hull.lower, -2.0), np.minimum(hull.upper, 2.0))


def most_looks(dimension: int, noisy: bool = False) -> int:
    """Unexplored places to look at where hardly any of the plausible box holds posterior: 2, 4, 12, 12, then 4 from D = 5.

    A few runs cannot rule out much of a large space, and a mode that is as wide as the box shows from afar. Under noise, where
    runs are the dearer: 6 at D = 3 and 4.
    """
    return min(2 * dimension, 4) if dimension not in (3, 4) else 6 if noisy else 12


def unexplored_wanted(most: int, share: float) -> int:
    """How many unexplored places to look at when ``share`` of the plausible box holds no posterior."""
    return round(share * most)


def place_unexplored(
    log_density: Callable[[Array], Array],
    possible: Callable[[Array], NDArray[np.bool_]],
    evaluated: Array,
    level: float,
    done: int,
    most: int,
    rng: np.random.Generator,
) -> Array | None:
    """The point (D,) of the plausible box that leaves the least of it unexplored; None once ``done`` (of ``most``) are enough.

    A second mode that no evaluation came near is invisible to a surrogate that fits the first one well. Where the plausible box
    holds no posterior (log_density (n, D) -> (n,) below ``level``), it is covered by a squared-exponential process of length
    LENGTH sqrt D known at ``evaluated`` (n, D); the point that takes most of the variance away is next (points farthest from all
    others lie in corners and miss modes in between; measured in tests/benchmarks/README.md).
    ``possible`` tells where runs may have a density at all.
    """
    d = evaluated.shape[1]
    box = -2.0 + 4.0 * qmc.Sobol(d, scramble=True, rng=rng).random(UNEXPLORED_POOL)
    box = box[possible(box)]
    outside = box[log_density(box) < level]
    if len(outside) == 0 or done >= unexplored_wanted(most, len(outside) / len(box)):
        return None
    return least_explored(outside, evaluated)


def least_explored(places: Array, evaluated: Array) -> Array:
    """The one (D,) of ``places`` (m, D) that leaves the least of them unexplored, as ``place_unexplored`` has it."""
    length = LENGTH * np.sqrt(places.shape[1])

    def covariance(a: Array, b: Array) -> Array:
        return np.asarray(np.exp(-0.5 * distance.cdist(a / length, b / length, "sqeuclidean")))

    known = covariance(evaluated, evaluated) + 1e-2 * np.eye(len(evaluated))
    cross = np.linalg.solve(stable_factors(known), covariance(evaluated, places))
    left = covariance(places, places) - cross.T @ cross
    gain = np.square(left).sum(0) / (np.diag(left) + 1e-2)
    return np.asarray(places[int(gain.argmax())], dtype=float)


def places_unexplored(
    log_density: Callable[[Array], Array],
    possible: Callable[[Array], NDArray[np.bool_]],
    evaluated: Array,
    level: float,
    most: int,
    rng: np.random.Generator,
) -> list[Array]:
    """All of them at once, each chosen as if those before it had been evaluated."""
    places: list[Array] = []
    while True:
        known = np.vstack([evaluated, *places])
        place = place_unexplored(log_density, possible, known, level, len(places), most, rng)
        if place is None:
            return places
        places.append(place)
