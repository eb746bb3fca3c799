"""Importance-weighted draws of exp(surrogate mean), with the variational mixture, widened, as the proposal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.weighted_em import fit_to_draws

Array = NDArray[np.float64]

LogDensity = Callable[[Array], Array]

INFLATIONS = ((0.65, 1.0), (0.2, 2.0), (0.1, 5.0), (0.05, 20.0))  # share and covariance factor of each copy of the proposal
PROPOSAL_COMPONENTS = 8


@dataclass(frozen=True)
class SurrogateDraws:
    """points (n, D) and weights (n,) summing to one, in working coordinates; log_z relative to them; ess as a fraction."""

    points: Array
    weights: Array
    log_z: float
    log_z_sd: float
    ess: float


def widened(q: GaussianMixture) -> GaussianMixture:
    """q and copies of it with larger covariances: tails that the mixture lacks are still reached."""
    return GaussianMixture(
        np.concatenate([share * q.weights for share, _ in INFLATIONS]),
        np.concatenate([q.means for _ in INFLATIONS]),
        np.concatenate([factor * q.covariances for _, factor in INFLATIONS]),
    )


def surrogate_draws(
    log_density: LogDensity, q: GaussianMixture, rng: np.random.Generator, *, draws: int = 3000, rounds: int = 2
) -> SurrogateDraws:
    """Each round draws from the widened proposal, weights by exp(log_density) / proposal and refits the proposal to the draws."""
    count = draws // 5
    proposal = q
    for _ in range(rounds):
        points, log_w = _weighted(log_density, proposal, rng, count)
        if not np.isfinite(log_w.max()):
            break
        components = min(PROPOSAL_COMPONENTS, max(1, int(_effective(log_w) // (4 * q.dimension))))
        proposal = fit_to_draws(points, np.exp(log_w - log_w.max()), components, rng, iterations=6)
    points, log_w = _weighted(log_density, proposal, rng, draws)
    top = float(log_w.max())
    if not np.isfinite(top):  # nowhere has any density: no draws worth the name
        return SurrogateDraws(points, np.full(draws, 1.0 / draws), -np.inf, np.inf, 0.0)
    w = np.exp(log_w - top)
    mean = float(w.mean())
    return SurrogateDraws(
        points, w / w.sum(), top + float(np.log(mean)), float(w.std() / mean / np.sqrt(len(w))), _effective(log_w) / len(w)
    )


def _weighted(log_density: LogDensity, proposal: GaussianMixture, rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    wide = widened(proposal)
    points = wide.sample(n, rng)
    return points, log_density(points) - wide.log_density(points)


def _effective(log_w: Array) -> float:
    w = np.exp(log_w - log_w.max())
    return float(w.sum() ** 2 / (w**2).sum())
