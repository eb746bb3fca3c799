"""Entropy of a Gaussian mixture: reparameterized quasi-Monte Carlo with exact gradients, and a deterministic lower bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.sampling.mixture import (
    LOG_2PI,
    GaussianMixture,
    MixtureLike,
    base_draws,
    log_determinants,
)
from bayescope.engine.variational.families import Factored

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ValueAndGradient:
    """A number and its gradients in log weights (K,) (unnormalized: as if free), means (K, D), factors (K, D, R)."""

    value: float
    log_weights: Array
    means: Array
    factors: Array


def entropy(state: Factored, base: Array) -> ValueAndGradient:
    """- int q log q, by the draws x = mu_k + A_k eps with eps = base (K, S, R) (seed 000 eq 5.34 without log g).

    The value is the sample average and the gradients are exact for that average (the path through x and the direct
    dependence of log q), so a line search sees a smooth deterministic function.
    """
    k, d = state.means.shape
    s = base.shape[1]
    weights = np.exp(state.log_weights)
    covariances = state.covariances
    inverse, log_det = np.linalg.inv(covariances), log_determinants(covariances)
    center = weights @ state.means
    means = state.means - center
    x = (means[:, None, :] + np.matmul(base, np.swapaxes(state.factors, 1, 2))).reshape(k * s, d)
    # log N_k(x) is linear in the features (x x', x, 1): everything below is a matrix product with them.
    rows, cols = np.tril_indices(d)
    squares = x[:, rows] * x[:, cols]
    quadratic = np.where(rows == cols, -0.5, -1.0) * inverse[:, rows, cols]
    linear = np.einsum("kab,kb->ka", inverse, means)
    constant = state.log_weights - 0.5 * (log_det + d * LOG_2PI + np.einsum("ka,ka->k", linear, means))
    log_parts = squares @ quadratic.T + x @ linear.T + constant  # (M, K)
    top = log_parts.max(axis=1)
    parts = np.exp(log_parts - top[:, None])
    total = parts.sum(axis=1)
    log_q = np.log(total) + top
    omega = np.repeat(weights / s, s)  # each draw's share in the average
    share = parts * (omega / total)[:, None]  # responsibility times omega

    # Direct dependence of log q on its parameters, from the weighted moments of the draws.
    mass = share.sum(axis=0)
    first = share.T @ x
    second = np.empty((k, d, d))
    second[:, rows, cols] = second[:, cols, rows] = share.T @ squares
    cross = first[:, :, None] * means[:, None, :]
    scatter = second - cross - np.swapaxes(cross, 1, 2) + mass[:, None, None] * means[:, :, None] * means[:, None, :]
    d_means = -np.einsum("kab,kb->ka", inverse, first - mass[:, None] * means)
    d_cov = -0.5 * (np.matmul(np.matmul(inverse, scatter), inverse) - mass[:, None, None] * inverse)
    d_logw = -mass - weights * log_q.reshape(k, s).mean(axis=1)
    d_factors = 2.0 * np.matmul(d_cov, state.factors)
    # Through the draws: d log q / dx = - sum_k r_k Sigma_k^-1 (x - mu_k).
    precision = (share @ inverse.reshape(k, d * d)).reshape(k * s, d, d)
    path = (np.matmul(precision, x[:, :, None])[:, :, 0] - share @ linear).reshape(k, s, d)
    d_means = d_means + path.sum(axis=1)
    d_factors = d_factors + np.matmul(np.swapaxes(path, 1, 2), base)
    return ValueAndGradient(float(-(omega * log_q).sum()), d_logw, d_means, d_factors)


def entropy_lower_bound(state: Factored) -> ValueAndGradient:
    """- sum_k w_k log sum_j w_j N(mu_k; mu_j, Sigma_k + Sigma_j) <= entropy (Jensen), deterministic and cheap."""
    d = state.means.shape[1]
    weights = np.exp(state.log_weights)
    covariances = state.covariances
    delta = state.means[:, None, :] - state.means[None, :, :]
    pairs = covariances[:, None] + covariances[None, :]
    inverse, log_det = np.linalg.inv(pairs), log_determinants(pairs)
    pulled = np.einsum("kjab,kjb->kja", inverse, delta)
    log_parts = -0.5 * np.einsum("kja,kja->kj", delta, pulled) - 0.5 * log_det - 0.5 * d * LOG_2PI
    log_parts = log_parts + state.log_weights[None, :]
    top = log_parts.max(axis=1, keepdims=True)
    parts = np.exp(log_parts - top)
    total = parts.sum(axis=1, keepdims=True)
    log_sum = (np.log(total) + top)[:, 0]
    share = weights[:, None] * parts / total  # (K, J): d value / d log_parts, with a minus sign
    both = share + share.T
    d_means = np.einsum("kj,kja->ka", both, pulled)  # inverse is symmetric in k, j and delta antisymmetric
    outer = np.einsum("kja,kjb->kjab", pulled, pulled) - inverse
    d_cov = -0.5 * np.einsum("kj,kjab->kab", both, outer)
    d_logw = -weights * log_sum - share.sum(axis=0)
    return ValueAndGradient(float(-(weights * log_sum).sum()), d_logw, d_means, 2.0 * np.matmul(d_cov, state.factors))


def entropy_estimate(mixture: MixtureLike, rng: np.random.Generator, draws: int = 8192) -> tuple[float, float]:
    """Entropy by fresh draws and its standard error; ``draws`` in all, allotted to components by weight."""
    q = GaussianMixture.of(mixture)
    counts = np.maximum(2, np.round(draws * q.weights).astype(int))
    factors = stable_factors(q.covariances)
    drawn = [
        mean + base_draws(1, int(count), q.dimension, rng)[0] @ factor.T
        for mean, factor, count in zip(q.means, factors, counts, strict=True)
    ]
    everywhere = q.log_density(np.concatenate(drawn))  # at once: one component's few draws cost little more than none
    value, variance = 0.0, 0.0
    for weight, log_q in zip(q.weights, np.split(everywhere, np.cumsum([len(x) for x in drawn])[:-1]), strict=True):
        value -= float(weight) * float(log_q.mean())
        half = log_q.size // 2
        pairs = 0.5 * (log_q[:half] + log_q[half:])  # antithetic pairs are the independent unit
        spread = float(pairs.var(ddof=1)) / half if half > 1 else float(log_q.var())
        variance += float(weight) ** 2 * spread
    return value, float(np.sqrt(variance))
