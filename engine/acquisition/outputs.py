"""Where to run next when outputs are learnt: first a climb, then the run that says most about the log-likelihood (OUTPUTS)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import linalg, spatial

from ..feasibility.classifier import FAILS_BELOW, Feasibility
from ..numerics.linear_algebra import stable_factors
from ..sampling.guarded_density import Hull
from ..sampling.importance import normalized, systematic
from ..sampling.population_monte_carlo import PosteriorDraws, lowest_level
from ..sampling.proposal import Proposal, regularized
from ..surrogate.log_joint import LogJoint
from ..surrogate.outputs.log_joint import BELIEVED_SPREAD, EmulatedLogJoint
from .aims import Aim
from .ascents import APART, FOREIGN, Known, narrowness
from .batched_ascent import maxima

Array = NDArray[np.float64]

CLIMB_ABOVE = 10.0  # nats: median sd of the log-likelihood over the posterior draws above which the peak is still looked for
REFERENCES, CANDIDATES = 200, 100  # posterior draws over which the variance is summed, and among which the run is chosen
WIDE, WIDENING = 50, 2.0  # candidates from the posterior widened, for its tails
BEST_STARTS, OTHER_STARTS = 4, 4  # runs from which the emulated log joint is climbed: the best, and any others
MOST_STARTS = 48  # runs from which other maxima are looked for
FLANKS_POWER = 0.75  # of the posterior: the root of one that is hardly known is anywhere
LOOKED_AT, UNSURE_ABOVE = 1000, 1.0  # posterior draws, and the emulator's variance in units of the noise above which it is unsure
SURE = 0.3  # variance of the emulator in units of the noise below which it is sure
SAME = 0.1  # of the width of the posterior: a run as near as that has been made
SD_COUNTED = (1e-6, 3.0)  # nats: sds of the log joint between which that of the density grows with them
RETREATS = np.array([1.0, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1])  # of the way from a run to a place where runs fail
BOLDEST = 1 / 64  # caution with which outputs are followed from where a step would end, as if they were known there
PROMISED = 1.0  # nats above the best run from which on an emulated maximum is worth a run


def climbing(surrogate: EmulatedLogJoint, draws: PosteriorDraws, rng: np.random.Generator) -> bool:
    """Whether the log-likelihood is hardly known where the posterior is thought to be."""
    variance = surrogate.variance(draws.points, draws.resample(REFERENCES, rng))
    return bool(np.sqrt(np.median(variance)) > CLIMB_ABOVE)


def next_run(
    surrogate: EmulatedLogJoint,
    waiting: Array,
    draws: PosteriorDraws,
    hull: Hull,
    possible: Feasibility,
    aim: Aim,
    rng: np.random.Generator,
) -> Array:
    """One point (D,) in the box frame. ``waiting`` (p, D): asked and not told; their outputs count as known.

    While climbing a draw of the emulated posterior; where runs fail at all of them, on the way there from the best run.
    """
    if climbing(surrogate, draws, rng):
        drawn = draws.points[draws.resample(CANDIDATES, rng)]
        allowed = _allowed(drawn, hull, possible)
        place = drawn[int(rng.choice(np.flatnonzero(allowed) if allowed.any() else len(drawn)))]
        return np.asarray(place if allowed.any() else _on_the_way(surrogate, place, hull, possible))
    return _most_informative(surrogate.with_pending(waiting), draws, hull, possible, aim, rng)


def promise(
    surrogate: EmulatedLogJoint, draws: PosteriorDraws, hull: Hull, possible: Feasibility, caution: float,
    rng: np.random.Generator,
) -> Array | None:
    """The highest maximum (D,) of the expected log joint, if it lies above all runs: by ascents from several of them.

    The maxima and not the posterior draws: where the emulator is unsure, its uncertainty in many components hides a mode from
    the draws. ``caution``: see ``EmulatedLogJoint.expected``; it keeps the steps short, as damping does in Levenberg's method.
    """  # fmt: skip
    order = np.argsort(-surrogate.y)
    others = rng.permutation(order[BEST_STARTS:])[:OTHER_STARTS]
    starts = surrogate.b[np.concatenate([order[:BEST_STARTS], others])]
    ends, values = _maxima(surrogate, starts, hull, regularized(draws.moments()[1]), caution)
    fails = ~_allowed(ends, hull, possible)
    if fails.any():
        ends[fails], found = _as_far_as_runs_succeed(starts[fails], ends[fails], hull, possible)
        values[fails] = np.where(found, surrogate.expected(ends[fails], caution), -np.inf)
    best = int(np.argmax(values))
    return np.asarray(ends[best]) if values[best] > PROMISED else None


@dataclass(frozen=True)
class Step:
    """A step of least squares: to ``place`` (D,), by an ascent from a run at ``origin`` (D,)."""

    place: Array
    origin: Array


def other_maximum(
    surrogate: LogJoint, mixture: Proposal, known: Known, hull: Hull, possible: Feasibility, rng: np.random.Generator,
    origin: Array | None = None, caution: float = 1.0, given_up: Sequence[Array] = (),
) -> Step | None:
    """The step to a maximum of the expected log joint that what is ``known`` does not explain; None: there is none.

    By ascents from all runs, or from ``origin`` (D,) alone; the highest that the emulator is unsure of, or that holds much of the
    posterior and where no run was made: its draws have overlooked it. Those from which the outputs, if they were as predicted,
    lead on to what is known come last. ``known``: log joint that the posterior accounts for, relative to the top; ``mixture``:
    the posterior. ``given_up``: runs (D,) from which steps led astray; none begins near them, on the same flank of a ridge most
    likely. ``caution``: see ``EmulatedLogJoint.expected``; it keeps steps short.
    """  # fmt: skip
    assert isinstance(surrogate, EmulatedLogJoint)
    starts = _starts(surrogate.b, given_up, rng) if origin is None else origin[None]
    if len(starts) == 0:
        return None
    covariance = regularized(mixture.covariance())
    ends, values = _maxima(surrogate, starts, hull, covariance, caution)
    d, width = surrogate.dimension, narrowness(mixture) ** -0.5
    distance = spatial.distance.cdist(ends, surrogate.b).min(1) / (width * np.sqrt(d))
    unsure = (surrogate.spread(ends) > SURE) & (distance > SAME)  # runs far from the data teach the emulator nothing
    wanted = unsure | ((values > lowest_level(d)) & (distance > 1.0))
    wanted &= _is_foreign(known, ends, values) & _allowed(ends, hull, possible)
    if not wanted.any():
        return None
    rows = np.flatnonzero(wanted)
    onward, heights = _maxima(surrogate, ends[rows], hull, covariance, BOLDEST)
    leads_back = ~_is_foreign(known, onward, heights)
    best = rows[np.lexsort((-values[rows], leads_back))[0]]
    return Step(np.asarray(ends[best]), np.asarray(starts[best]))


def image_not_excluded(
    surrogate: LogJoint, places: Array, mixture: Proposal, known: Known, hull: Hull, possible: Feasibility
) -> Array | None:
    """The one (D,) of ``places`` (m, D) that is most likely another mode, of those where the emulator leaves room for one and
    what is ``known`` does not explain it; None: there is none. See ``images`` and ``other_maximum``."""
    assert isinstance(surrogate, EmulatedLogJoint)
    if len(places) == 0:
        return None
    width = narrowness(mixture) ** -0.5
    distance = spatial.distance.cdist(places, surrogate.b).min(1) / (width * np.sqrt(surrogate.dimension))
    values, spread = surrogate.expected(places, BOLDEST), surrogate.spread(places)
    wanted = (spread > SURE) & (distance > 1.0) & (-values <= spread)
    wanted &= (known(places) < -FOREIGN) & _allowed(places, hull, possible)
    if not wanted.any():
        return None
    return np.asarray(places[int(np.argmax(np.where(wanted, values / np.maximum(spread, SURE), -np.inf)))])


def _starts(runs: Array, given_up: Sequence[Array], rng: np.random.Generator) -> Array:
    """Some of the ``runs`` (n, D), apart from those that were ``given_up``: (m, D)."""
    if given_up:
        runs = runs[spatial.distance.cdist(runs, np.stack(given_up)).min(1) > APART * np.sqrt(runs.shape[1])]
    return runs[rng.permutation(len(runs))[:MOST_STARTS]]


def _is_foreign(known: Known, places: Array, values: Array) -> NDArray[np.bool_]:
    """Whether what is ``known`` does not explain log joints (m,) at places (m, D)."""
    return np.asarray(known(places) < np.minimum(values, 0.0) - FOREIGN)


def _maxima(
    surrogate: EmulatedLogJoint, starts: Array, hull: Hull, covariance: Array, caution: float = 1.0
) -> tuple[Array, Array]:
    """Ends (m, D) of ascents of the expected log joint from ``starts`` (m, D), and its values (m,) there; ``covariance`` (D, D)
    of the posterior."""
    return maxima(
        lambda b: surrogate.expected(b, caution), starts, hull.lower, hull.upper,
        slope_of=lambda b: surrogate.expected_slope(b, caution), metric=covariance,
    )  # fmt: skip


def _on_the_way(surrogate: EmulatedLogJoint, place: Array, hull: Hull, possible: Feasibility) -> Array:
    """A place (D,) on the way from the best run to ``place`` (D,); where runs fail on all of it, the highest on other ways."""
    starts = surrogate.b[np.argsort(-surrogate.y)[:MOST_STARTS]]
    ways, found = _as_far_as_runs_succeed(starts, np.broadcast_to(place, starts.shape), hull, possible)
    if found[0] or not found.any():
        return np.asarray(ways[0])
    return np.asarray(ways[found][int(np.argmax(surrogate.expected(ways[found])))])


def _as_far_as_runs_succeed(
    starts: Array, ends: Array, hull: Hull, possible: Feasibility
) -> tuple[Array, NDArray[np.bool_]]:
    """Places (m, D) on the way from runs (m, D) to places (m, D), the farthest where runs may succeed, and whether there are any;
    the nearest where there are none."""
    places = starts[:, None] + RETREATS[:, None] * (ends - starts)[:, None]
    allowed = _allowed(places.reshape(-1, starts.shape[1]), hull, possible).reshape(places.shape[:2])
    found = np.asarray(allowed.any(axis=1))
    chosen = np.where(found, allowed.argmax(1), len(RETREATS) - 1)
    return places[np.arange(len(starts)), chosen], found


def _allowed(b: Array, hull: Hull, possible: Feasibility) -> NDArray[np.bool_]:
    return np.asarray(hull.contains(b) & (possible.log_runs(b) + possible.log_possible(b) > FAILS_BELOW))


def _most_informative(
    surrogate: EmulatedLogJoint, draws: PosteriorDraws, hull: Hull, possible: Feasibility, aim: Aim, rng: np.random.Generator
) -> Array:
    """The largest drop of log(1 + variance of the log-likelihood), summed over places, that a run there would bring.

    The places are drawn in proportion to the sd of the posterior's density, to first order the density times the sd of its
    logarithm: what hardly holds anything but is hardly known may hold much of the width. ``aim``: "flanks": of a power of the
    posterior, whose tails are a third longer, in nats; "tails": of what holds its covariance; "unsure": draws alone where the
    emulator is not sure of the outputs, if there are any.
    """
    share = draws.tempered(FLANKS_POWER) if aim == "flanks" else draws.weights
    share = shares_of_covariance(surrogate, draws) if aim == "tails" else share
    if aim == "unsure":
        share = share * draws.squares().mean(1)  # a tail that holds little may hold much of the width
        share = share / share.sum()
        some = np.unique(systematic(share, LOOKED_AT, rng))
        unsure = some[surrogate.spread(draws.points, some) > UNSURE_ABOVE]
        share = np.bincount(unsure, share[unsure], len(share)) / share[unsure].sum() if len(unsure) else share
    else:
        share = share * np.clip(np.sqrt(surrogate.variance(draws.points)), *SD_COUNTED)
        share = share / share.sum()
    references = draws.points[systematic(share, REFERENCES, rng)]
    mean, covariance = draws.moments()
    wide = mean + WIDENING * rng.standard_normal((WIDE, len(mean))) @ stable_factors(regularized(covariance)).T
    candidates = np.concatenate([draws.points[systematic(share, CANDIDATES, rng)], wide])
    allowed = _allowed(candidates, hull, possible)
    candidates = candidates[allowed] if allowed.any() else candidates
    gain = variance_drop(surrogate, references, candidates)
    return np.asarray(candidates[int(np.argmax(gain))], dtype=float)


def shares_of_covariance(surrogate: EmulatedLogJoint, draws: PosteriorDraws) -> Array:
    """Shares (n,) of the draws in the posterior's covariance: mass times the squared Mahalanobis distance from the mean.

    Of a long tail, whose last thousandth may hold a third of a variance, no run is made by its mass alone. Mass as the uncertain
    emulator expects it: what is not believed of places far from all runs (``EmulatedLogJoint.trusted``) is what is to be seen.
    """
    doubted = 0.5 * np.maximum(surrogate.spread(draws.points) - BELIEVED_SPREAD, 0.0)
    weights, _ = normalized(np.where(np.isfinite(doubted), draws.log_weights + doubted, -np.inf))
    mean, covariance = draws.moments()
    away = linalg.solve_triangular(stable_factors(regularized(covariance)), (draws.points - mean).T, lower=True)
    found = weights * np.square(away).sum(0)
    return np.asarray(found / found.sum())


def unsure_shares(surrogate: EmulatedLogJoint, draws: PosteriorDraws, rng: np.random.Generator) -> tuple[float, float]:
    """What share of the posterior lies where the emulator is not sure of the outputs, and the largest share of a variance, along
    an axis, that it has from there: a far tail holds little of the one and may hold much of the other."""
    squares = draws.squares()
    apart = squares.mean(1)
    width = draws.weights * apart
    shares = []
    parts = (draws.weights, np.ones((len(apart), 1))), (width / width.sum(), squares / np.maximum(apart, 1e-300)[:, None])
    for share, counted in parts:
        chosen, times = np.unique(systematic(share, LOOKED_AT, rng), return_counts=True)
        unsure = surrogate.spread(draws.points, chosen) > UNSURE_ABOVE
        shares.append(float(((times * unsure) @ counted[chosen]).max() / LOOKED_AT))
    return shares[0], shares[1]


def variance_drop(surrogate: EmulatedLogJoint, references: Array, candidates: Array) -> Array:
    """(c,): sum over references (r, D) of the drop of log(1 + variance) if the outputs at one candidate (c, D) were known."""
    emulator = surrogate.emulator
    where, there = surrogate.inputs(references), surrogate.inputs(candidates)
    with torch.no_grad():
        cross = emulator.covariance(where, there)  # (K, r, c)
        own = emulator.predict(there)[1].T + emulator.nugget(there).T  # (K, c)
        slope = torch.as_tensor(surrogate.slopes(references), device=where.device)  # (r, K)
        now = torch.as_tensor(surrogate.variance(references), device=where.device)
        linear = (slope**2).T[:, :, None] * cross**2 / own[:, None, :]  # what each score's part of the variance loses
        left = (now[:, None] - linear.sum(0)).clamp_min(0.0)
        return np.asarray((torch.log1p(now)[:, None] - torch.log1p(left)).sum(0).cpu().numpy())
