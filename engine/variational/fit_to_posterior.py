"""The variational mixture beside the draws: warm-started weighted EM on them; its ELBO from fresh points (RECIPE 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..sampling.population_monte_carlo import LogDensity, PosteriorDraws
from ..sampling.proposal import Proposal, em_step, regularized, shifted, weighted_covariance
from .weighted_em import spread_seeds

Array = NDArray[np.float64]

FIT_DRAWS, ELBO_DRAWS = 4000, 2048
SMALLEST_SD = 1e-8  # of the draws, in the box frame


@dataclass(frozen=True)
class FittedMixture:
    """Box frame. ``elbo`` relative to ymax; its sd is the quadrature's alone, the surrogate's is added by the loop."""

    components: Proposal
    elbo: float
    elbo_sd: float
    points: Array  # (m, D) fresh draws of the mixture, for the GP's share of the error


def fit_mixture(
    draws: PosteriorDraws,
    previous: Proposal | None,
    limit: int,
    log_density: LogDensity,
    base: Array,
    rng: np.random.Generator,
) -> FittedMixture:
    """EM on posterior draws from ``previous``; K grows towards ``limit`` with the effective number of draws."""
    d = draws.points.shape[1]
    part = draws.points[:FIT_DRAWS], draws.log_weights[:FIT_DRAWS]
    w = np.exp(part[1] - part[1].max())
    w /= w.sum()
    size = int(np.clip(len(w) * draws.ess / (10.0 * (d + 2)), 1, limit))
    start = previous if previous is not None and len(previous.weights) == size else None
    rounds = 3 if start is not None else 8
    mixture = start if start is not None else _seeded(part[0], w, size, rng)
    for _ in range(rounds):
        mixture = em_step(mixture, part[0], w)
    points = mixture.from_uniforms(shifted(base[:ELBO_DRAWS], rng))
    log_q = np.logaddexp.reduce(mixture.log_parts(points), axis=1)
    gap = log_density(points, log_q) - log_q
    gap = np.maximum(gap, gap.max() - 50.0)  # outside the trusted region: certain loss, but a finite one
    return FittedMixture(mixture, float(gap.mean()), float(gap.std() / np.sqrt(len(gap))), points[:300])


def _seeded(x: Array, w: Array, size: int, rng: np.random.Generator) -> Proposal:
    """Components at spread-out draws."""
    _, covariance = weighted_covariance(x, w)
    covariance = regularized(covariance) + SMALLEST_SD**2 * np.eye(x.shape[1])  # one draw may hold all the weight
    chosen = spread_seeds(x, w, covariance, size, rng)
    covariances = np.repeat((covariance * size ** (-2.0 / x.shape[1]))[None], size, axis=0)
    return Proposal(np.full(size, 1.0 / size), x[chosen], covariances)
