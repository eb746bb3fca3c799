"""Chains that never met, combined: how much of the posterior does each of them stand for?

Stacking of chains (Y. Yao, A. Vehtari, A. Gelman, Stacking for non-mixing Bayesian computations, Journal of Machine Learning
Research 23 (2022) 79) gives each chain the weight with which the mixture of them scores best. Their score is the predictive
density of single measurements, which a log density as a whole does not have. The score used here needs nothing else than the log
density along each chain: the evidence lower bound of the mixture (F. Silvestrin, C. Li, L. Acerbi, Stacking variational Bayesian
Monte Carlo, Transactions on Machine Learning Research (2025)). It is concave in the weights, and chains around separate modes
get those of the modes in the posterior, which predictive scores do not aim at.

With r_k the distribution of chain k, p the density and Z_k the evidence of the region it has been to,

    ELBO(w) = sum_k w_k E_k[log p - log sum_j w_j r_j] = sum_k w_k (log Z_k + E_k[log r_k - log sum_j w_j r_j]);

log Z_k comes from reciprocal importance sampling, the ratios of the r from a Gaussian mixture fitted to each chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..sampling.mixture import GaussianMixture
from .evidence import evidence_of

Array = NDArray[np.float64]

ITERATIONS = 600
TOLERANCE = 1e-6  # of the weights, from one iteration to the next


@dataclass(frozen=True)
class Stacked:
    """``weights`` (K,) of the chains; ``log_evidence``: the largest ELBO, with its sd by chance; ``mixture`` of all chains."""

    weights: Array
    log_evidence: float
    log_evidence_sd: float
    mixture: GaussianMixture


def stack(
    chains: Sequence[Array],
    values: Sequence[Array],
    ess: Sequence[float],
    rng: np.random.Generator,
    components: int = 4,
) -> Stacked:
    """Of chains k with draws (n_k, D), log densities (n_k,) and the number of independent draws each is worth."""
    each = [evidence_of(c, v, e, rng, components) for c, v, e in zip(chains, values, ess, strict=True)]
    log_q = [np.stack([one.mixture.log_density(c) for one in each], axis=1) for c in chains]
    weights, elbo = weights_of(np.array([one.log_z for one in each]), log_q)
    mixture = GaussianMixture(
        np.concatenate([w * one.mixture.weights for w, one in zip(weights, each, strict=True)]),
        np.concatenate([one.mixture.means for one in each]),
        np.concatenate([one.mixture.covariances for one in each]),
    )
    sd = float(np.sqrt(np.sum(np.square(weights * np.array([one.log_z_sd for one in each])))))
    return Stacked(weights, elbo, sd, mixture.pruned(1e-6))


def weights_of(log_z: Array, log_q: Sequence[Array]) -> tuple[Array, float]:
    """The weights (K,) that maximize the ELBO above, and that maximum. ``log_z`` (K,); log_q[k] (n_k, K): log density of every
    chain's mixture at the draws of chain k. Exponentiated gradient: at the maximum all chains with weight score alike."""
    log_w = special.log_softmax(log_z)
    for _ in range(ITERATIONS):
        new = special.log_softmax(log_w + 0.5 * _scores(log_z, log_q, log_w))
        new = np.maximum(new, -700.0)
        moved = float(np.abs(np.exp(new) - np.exp(log_w)).max())
        log_w = new
        if moved < TOLERANCE:
            break
    w = np.exp(log_w) / np.exp(log_w).sum()
    return w, float(w @ _scores(log_z, log_q, np.log(np.maximum(w, 1e-300))))


def _scores(log_z: Array, log_q: Sequence[Array], log_w: Array) -> Array:
    overlap = [float(np.mean(q[:, k] - special.logsumexp(q + log_w, axis=1))) for k, q in enumerate(log_q)]
    return np.asarray(log_z + np.array(overlap))
