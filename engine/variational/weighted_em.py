"""A Gaussian mixture fitted to weighted draws by expectation-maximization: a start for the variational updates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.numerics.linear_algebra import stable_factors, stable_solve
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.sampling.proposal import em_step, weighted_covariance

Array = NDArray[np.float64]


def fit_to_draws(
    points: Array,
    weights: Array,
    components: int,
    rng: np.random.Generator,
    *,
    iterations: int = 10,
    start: GaussianMixture | None = None,
) -> GaussianMixture:
    """A mixture of at most ``components`` full-covariance Gaussians for points (n, D) with weights (n,).

    Each component's covariance is shrunk to the pooled one, scaled by K^(-2/D), with the strength of 2 D draws, so that a
    component holding few draws stays usable. Components below weight 1 / (20 K) are dropped.
    """
    d = points.shape[1]
    w = weights / weights.sum()
    center, pooled = weighted_covariance(points, w)
    pooled = pooled + 1e-10 * np.eye(d)
    if components == 1 and start is None:
        return GaussianMixture.single(center, pooled)
    prior = pooled * components ** (-2.0 / d)
    q = start or GaussianMixture(
        np.full(components, 1.0 / components),
        points[spread_seeds(points, w, pooled, components, rng)],
        np.repeat(prior[None, :, :], components, axis=0),
    )
    for _ in range(iterations):
        q = em_step(q, points, w, strength=2.0 * d).pruned(0.05 / q.components)
    return q


def spread_seeds(points: Array, weights: Array, pooled: Array, count: int, rng: np.random.Generator) -> Array:
    """Indices of ``count`` draws (n, D) with weights (n,) summing to one and covariance ``pooled``: each new one likelier the
    farther it is from those chosen (k-means++ with weights)."""
    white = stable_solve(stable_factors(pooled), points.T).T
    chosen = [int(rng.choice(points.shape[0], p=weights))]
    distance = ((white - white[chosen[0]]) ** 2).sum(axis=1)
    for _ in range(count - 1):
        chance = weights * distance
        total = float(chance.sum())
        chosen.append(int(rng.choice(points.shape[0], p=chance / total if total > 0 else weights)))
        distance = np.minimum(distance, ((white - white[chosen[-1]]) ** 2).sum(axis=1))
    return np.asarray(chosen)
