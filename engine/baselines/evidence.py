"""The evidence from posterior draws whose log densities are known, without another value of the density."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..sampling.mixture import GaussianMixture
from ..variational.weighted_em import fit_to_draws

Array = NDArray[np.float64]

INSIDE = 0.7  # share of the mixture that is used: its middle, where chains have been


@dataclass(frozen=True)
class Evidence:
    """``log_z`` with its sd by chance (not for what all chains missed); ``elbo`` of ``mixture`` with its sd."""

    log_z: float
    log_z_sd: float
    mixture: GaussianMixture
    elbo: float
    elbo_sd: float


def evidence_of(points: Array, values: Array, ess: float, rng: np.random.Generator, components: int) -> Evidence:
    """Reciprocal importance sampling: 1 / Z = mean over posterior draws of q(x) / p(x).

    q is a Gaussian mixture fitted to one half of the draws, cut to the middle part of its mass and averaged over the other half,
    both ways round, so that the variance is finite (A. E. Gelfand, D. K. Dey, J. R. Statist. Soc. B 56 (1994) 501; C. P. Robert,
    D. Wraith, AIP Conf. Proc. 1193 (2009) 251). points (n, D), values (n,), ``ess``: independent draws they
    are worth.
    """
    first = np.arange(len(points)) % 2 == 0  # every second: both halves have seen all places
    second = ~first
    terms = []
    for fitted, used in ((first, second), (second, first)):
        q = mixture_of(points[fitted], components, rng)
        edge = float(np.quantile(q.log_density(q.sample(4000, rng)), 1.0 - INSIDE))
        log_q = q.log_density(points[used])
        terms.append(np.where(log_q > edge, log_q - values[used], -np.inf) - np.log(INSIDE))
    log_terms = np.concatenate(terms)
    log_mean = float(special.logsumexp(log_terms) - np.log(len(log_terms)))
    spread = np.exp(log_terms - log_mean)
    mixture = mixture_of(points, components, rng)
    elbo, elbo_sd = _elbo(mixture, points, values, ess)
    return Evidence(-log_mean, float(spread.std() / np.sqrt(max(ess, 1.0))), mixture, elbo, elbo_sd)


def mixture_of(points: Array, components: int, rng: np.random.Generator) -> GaussianMixture:
    """A Gaussian mixture for equally weighted draws; as many components as their number bears, at most ``components``."""
    d = points.shape[1]
    count = max(1, min(components, len(points) // (20 * d)))
    return fit_to_draws(points, np.full(len(points), 1.0 / len(points)), count, rng, iterations=20)


def _elbo(q: GaussianMixture, points: Array, values: Array, ess: float) -> tuple[float, float]:
    """E_q[log p - log q], the posterior draws weighted by q / p as draws of q; and its standard error."""
    log_q = q.log_density(points)
    log_w = log_q - values
    w = np.exp(log_w - log_w.max())
    w /= w.sum()
    gap = values - log_q
    elbo = float(w @ gap)
    share = 1.0 / (len(points) * float(np.square(w).sum()))
    return elbo, float(np.sqrt(w @ np.square(gap - elbo) / max(ess * share, 1.0)))
