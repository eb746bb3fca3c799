"""The next point: maximize log variance + .6 mean over posterior and proposal draws, refined near the best (RECIPE 6)."""

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
) -> Array:
    """One point (D,) in the box frame. ``pending`` (p, D): asked and not told; their variance counts as gone."""
    conditioned = surrogate.with_pending(pending)
    lower, upper = hull.lower, hull.upper

    def score(b: Array) -> Array:
        mean, variance = conditioned.predict(b)
        unsure = variance + feasibility.doubt(b)
        value = np.log(unsure / (1.0 + saturation * unsure)) + exploration * mean + feasibility.log_runs(b)
        value += np.maximum(feasibility.log_possible(b), -20.0)
        return np.where(np.all((b >= lower) & (b <= upper), axis=1), value, -np.inf)

    chosen = draws.resample(CANDIDATES, rng)
    start = int(rng.integers(0, max(len(draws.points) - CANDIDATES, 1)))
    mean, covariance = draws.moments()
    step = stable_factors(regularized(covariance))
    wide = mean + rng.standard_normal((WIDE, len(mean))) @ step.T * rng.uniform(1.0, 4.0, (WIDE, 1))
    candidates = np.concatenate([draws.points[chosen], draws.points[start : start + CANDIDATES], wide])
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
