"""The next point: where one value takes most doubt from the posterior as a whole, or (``farther_point``) where doubt is large.

``informative_point`` maximizes over x the mean over posterior draws x' of g(v(x')) - g(v(x') - k(x', x)^2 / (v(x) + noise)),
k and v the surrogate's posterior covariance and variance: the variance at x' that one evaluation of x takes away (Cohn's active
learning, weighted by the posterior). g(v) = v / (1 + v): far corners of boundless variance do not draw every point.
Measured against log v + .6 m (RECIPE 6) in tests/benchmarks/README.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .feasibility import Feasibility
from .posterior import Hull, PosteriorDraws
from .proposal import regularized
from .surrogate import QuadraticSurrogate

Array = NDArray[np.float64]

TARGETS, SHARE, NEAR = 300, 200, 150  # draws at which doubt is counted; candidates of each kind; Gaussian ones among them
CANDIDATES = 400  # from the posterior, and as many from the proposal
WIDE = 200  # Gaussian draws at 1 to 4 posterior scales
REFINED, PERTURBATIONS, SCALES = 4, 16, (0.3, 0.1)


def informative_point(
    surrogate: QuadraticSurrogate,
    pending: Array,
    draws: PosteriorDraws,
    hull: Hull,
    feasibility: Feasibility,
    rng: np.random.Generator,
) -> Array:
    """One point (D,) in the box frame. ``pending`` (p, D): asked and not told; what they will teach counts as known.

    The best of a finite number of candidates: refined further, the maximum runs after errors of the surrogate (measured).
    """
    conditioned = surrogate.with_pending(pending)
    start = int(rng.integers(0, max(len(draws.points) - SHARE, 1)))
    mean, covariance = draws.moments()
    step = np.linalg.cholesky(regularized(covariance))
    wide = mean + rng.standard_normal((NEAR, len(mean))) @ step.T * rng.uniform(1.0, 3.0, (NEAR, 1))
    own = draws.points[draws.resample(SHARE, rng)]
    candidates = np.concatenate([own, draws.points[start : start + SHARE], wide])
    targets = conditioned.conditioned(draws.points[draws.resample(TARGETS, rng)])
    x = conditioned.conditioned(candidates)
    taken = np.square(conditioned.covariance(x, targets)) / (x.variance + surrogate.usual_noise())[:, None]
    left = np.maximum(targets.variance - taken, 0.0)
    gain = (targets.variance / (1.0 + targets.variance) - left / (1.0 + left)).mean(1)
    value = np.log(np.maximum(gain, 1e-300)) + feasibility.log_runs(candidates)
    value += np.maximum(feasibility.log_possible(candidates), -20.0)
    value = np.where(hull.contains(candidates), value, -np.inf)
    return np.asarray(candidates[int(np.argmax(value))], dtype=float)


def farther_point(
    surrogate: QuadraticSurrogate,
    pending: Array,
    draws: PosteriorDraws,
    hull: Hull,
    feasibility: Feasibility,
    exploration: float,
    saturation: float,
    rng: np.random.Generator,
) -> Array:
    """The largest log variance + ``exploration`` mean, refined near the best: (D,). ``pending`` (p, D) counts as known."""
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
    step = np.linalg.cholesky(regularized(covariance))
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
