"""Draws of hyperparameters from their posterior: importance sampling about every maximum that descents from several starts find.

Functions that are drawn with the likeliest hyperparameters alone are too sure of themselves while runs are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..numerics.minimization import lowest
from .importance import log_mean, normalized, systematic
from .proposal import Proposal, base_points

Array = NDArray[np.float64]
Objective = Callable[[Array], tuple[Array, Array]]  # (m, p) -> negative log posterior (m,) and its gradients (m, p)

PROPOSED = 256  # draws that are weighed
STEPS, LEAST_GAIN = 60, 1e-4  # of a descent, the gain in its size: the draws need no more of a maximum
NEGLIGIBLE = 7.0  # nats of evidence below the best maximum from which another does not count
ALIKE = 0.3  # the largest difference of two ends of descents that are one maximum
DIFFERENCE = 1e-3  # of a logarithm, for second derivatives
FLATTEST = 0.5  # curvature that each direction has at least: half of what the prior's sd of 1 gives


def hyperparameter_draws(
    objective: Objective, starts: Sequence[Array], limits: tuple[Array, Array], count: int, rng: np.random.Generator
) -> tuple[Array, float]:
    """(count, p) draws and the log evidence. ``starts`` (p,) each; ``limits``: lower and upper (p,)."""
    lower, upper = limits

    def single(theta: Array) -> tuple[float, Array]:
        value, slope = objective(theta[None])
        return float(value[0]), slope[0]

    ends = [lowest(single, [start], lower, upper, STEPS, LEAST_GAIN) for start in starts]
    ends.sort(key=lambda end: end.value)
    modes: list[Array] = []
    for end in ends:
        if all(np.abs(end.x - other).max() > ALIKE for other in modes):
            modes.append(end.x)
    covariances = np.stack([_covariance(objective, mode) for mode in modes])
    values = objective(np.stack(modes))[0]
    evidence = -values + 0.5 * np.linalg.slogdet(covariances)[1]
    kept = evidence > evidence.max() - NEGLIGIBLE
    share = np.exp(evidence[kept] - evidence[kept].max())
    proposal = Proposal(share / share.sum(), np.stack(modes)[kept], covariances[kept])
    points, log_proposal, _ = proposal.draw(base_points(len(lower), PROPOSED, int(rng.integers(2**31))))
    inside = np.all((points >= lower) & (points <= upper), axis=1)
    log_weights = -objective(np.clip(points, lower, upper))[0] - log_proposal
    log_weights = np.where(inside, log_weights, -np.inf)
    weights = normalized(log_weights)[0]
    return points[systematic(weights, count, rng)], log_mean(log_weights)


def _covariance(objective: Objective, at: Array) -> Array:
    """Inverse curvature (p, p) at ``at`` (p,)."""
    p = len(at)
    near = DIFFERENCE * np.eye(p)
    slopes = objective(np.concatenate([at + near, at - near]))[1]
    curvature = (slopes[:p] - slopes[p:]) / (2.0 * DIFFERENCE)
    size, turn = np.linalg.eigh(0.5 * (curvature + curvature.T))
    return np.asarray((turn / np.maximum(size, FLATTEST)) @ turn.T)
