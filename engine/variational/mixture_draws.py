"""Importance-weighted draws of exp(surrogate mean), with the variational mixture as the first proposal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.sampling.importance import WeightedPoints
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.population_monte_carlo import move, sample
from bayescope.engine.sampling.proposal import Proposal, base_points

Array = NDArray[np.float64]

LogDensity = Callable[[Array], Array]

INFLATIONS = ((0.65, 1.0), (0.2, 2.0), (0.1, 5.0), (0.05, 20.0))  # share and covariance factor of each copy of the proposal
SCOUTS = ((0.1, 5.0), (0.1, 20.0))  # ... of the wide Gaussians in the first round's


def widened(q: GaussianMixture) -> GaussianMixture:
    """q and copies of it with larger covariances: tails that the mixture lacks are still reached."""
    return GaussianMixture(
        np.concatenate([share * q.weights for share, _ in INFLATIONS]),
        np.concatenate([q.means for _ in INFLATIONS]),
        np.concatenate([factor * q.covariances for _, factor in INFLATIONS]),
    )


def _with_scouts(q: GaussianMixture) -> Proposal:
    """q and wide Gaussians around all of it, which find what it lacks."""
    shares, factors = np.array(SCOUTS).T
    return Proposal(
        np.concatenate([(1.0 - shares.sum()) * q.weights, shares]),
        np.concatenate([q.means, np.repeat(q.mean()[None], len(shares), axis=0)]),
        np.concatenate([q.covariances, factors[:, None, None] * q.covariance()]),
    )


def surrogate_draws(
    log_density: LogDensity, q: GaussianMixture, rng: np.random.Generator, *, draws: int = 3000, rounds: int = 2
) -> WeightedPoints:
    """Population Monte Carlo from q, with a fifth of the draws in each round."""
    base = base_points(q.dimension, draws, int(rng.integers(2**31)))

    def density(points: Array, _: Array) -> Array:
        return log_density(points)

    moved = move(density, _with_scouts(q), base[: draws // 5], rng, rounds)
    found = sample(density, moved, base, rng)
    return WeightedPoints(found.points, found.log_weights)
