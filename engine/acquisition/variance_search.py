"""The next point: maximize log variance + .6 mean, per second of run time where that differs, over posterior and proposal draws,
refined near the best (RECIPE 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..feasibility.classifier import Feasibility
from ..numerics.linear_algebra import stable_factors
from ..sampling.guarded_density import Hull
from ..sampling.population_monte_carlo import PosteriorDraws
from ..sampling.proposal import regularized
from ..surrogate.log_joint import LogJoint

Array = NDArray[np.float64]

CANDIDATES = 400  # from the posterior, and as many from the proposal
WIDE = 200  # Gaussian draws at 1 to 4 posterior scales
PROMISE = 5.0  # nats above the best value that count where few runs gave one: a surrogate of those promises hundreds beside them
LEAST_WORTH = -20.0  # logarithm of what a run is worth: below, places are alike
REFINED, PERTURBATIONS, SCALES = 4, 16, (0.3, 0.1)


def next_point(
    surrogate: LogJoint,
    pending: Array,
    draws: PosteriorDraws,
    hull: Hull,
    feasibility: Feasibility,
    exploration: float,
    saturation: float,
    rng: np.random.Generator,
    border: bool = False,
) -> Array:
    """One point (D,) in the box frame. ``pending`` (p, D): asked and not told; their variance counts as gone.

    ``border``: one where the density may end, if there is any in doubt.
    """
    edge = border_point(draws, hull, feasibility, pending, rng) if border else None
    if edge is not None:
        return edge
    conditioned = surrogate.with_pending(pending)
    lower, upper = hull.lower, hull.upper

    def score(b: Array) -> Array:
        mean, variance = conditioned.predict(b)
        unsure = variance + feasibility.doubt(b)
        promise = np.minimum(mean, PROMISE) if feasibility.scarce else mean
        value = np.log(unsure / (1.0 + saturation * unsure)) + exploration * promise
        value += np.maximum(feasibility.log_worth(b), LEAST_WORTH * feasibility.price) - feasibility.log_cost(b)
        return np.where(np.all((b >= lower) & (b <= upper), axis=1), value, -np.inf)

    chosen = draws.resample(CANDIDATES, rng)
    start = int(rng.integers(0, max(len(draws.points) - CANDIDATES, 1)))
    mean, covariance = draws.moments()
    step = stable_factors(regularized(covariance))
    wide = mean + rng.standard_normal((WIDE, len(mean))) @ step.T * rng.uniform(1.0, 4.0, (WIDE, 1))
    candidates = np.concatenate([draws.points[chosen], draws.points[start : start + CANDIDATES], wide])
    if feasibility.scarce:  # what works may be a small part of what the surrogate asks for
        worked = feasibility.good[rng.integers(0, len(feasibility.good), WIDE)]
        away = rng.standard_normal(worked.shape) * 10.0 ** rng.uniform(-2, 0, (WIDE, 1))
        candidates = np.concatenate([candidates, worked + away])
    value = score(candidates)
    best = np.argsort(-value)[:REFINED]
    centres, top = candidates[best], value[best]
    for scale in SCALES:
        moves = rng.standard_normal((len(centres), PERTURBATIONS, centres.shape[1])) @ step.T * scale
        trial = centres[:, None, :] + moves
        trial_value = score(trial.reshape(-1, centres.shape[1])).reshape(len(centres), PERTURBATIONS)
        winner = trial_value.argmax(1)
        better = trial_value[np.arange(len(centres)), winner] > top
        centres = np.where(better[:, None], trial[np.arange(len(centres)), winner], centres)
        top = np.where(better, trial_value[np.arange(len(centres)), winner], top)
    return np.asarray(centres[int(np.argmax(top))], dtype=float)


def border_point(
    draws: PosteriorDraws, hull: Hull, feasibility: Feasibility, pending: Array, rng: np.random.Generator
) -> Array | None:
    """The point (D,) that tells most of where the density is zero, where that would matter; None: nowhere in doubt.

    The density would be there what the surrogate says; places that the mean border excludes count as much as those it leaves.
    """
    log_w = draws.log_weights - feasibility.log_possible(draws.points)
    log_w = np.where(hull.contains(draws.points), log_w, -np.inf)
    if not np.isfinite(log_w.max()):
        return None
    w = np.exp(log_w - log_w.max())
    where = draws.points[rng.choice(len(w), CANDIDATES, p=w / w.sum())]
    told = feasibility.tells_of_border(where, pending, rng)
    return np.asarray(where[told.argmax()]) if told.max() > 0.0 else None
