"""Pareto-smoothed importance sampling: does a proposal cover its target? (Vehtari et al. 2024; METHODS 7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]


def generalized_pareto(excess: Array) -> tuple[float, float]:
    """Shape k and scale sigma of a generalized Pareto law fitted to excesses (n,) > 0 (Zhang and Stephens 2009)."""
    x = np.sort(excess)
    n = len(x)
    prior_bs, prior_k = 3.0, 10.0
    m = 30 + int(np.sqrt(n))
    quarter = x[int(n / 4 + 0.5) - 1]
    b = 1.0 - np.sqrt(m / (np.arange(1, m + 1) - 0.5))
    if not quarter > 1e-300 * max(1.0, x[-1]):
        return float("inf"), float(x[-1])  # one excess outweighs all others: the tail has no fit
    b = b / (prior_bs * quarter) + 1.0 / x[-1]
    k = np.log1p(-b[:, None] * x).mean(1)
    log_likelihood = n * (np.log(-b / k) - k - 1.0)
    weights = special.softmax(log_likelihood)
    centre = float(weights @ b)
    shape = float(np.log1p(-centre * x).mean())
    sigma = -shape / centre
    return (n * shape + prior_k * 0.5) / (n + prior_k), float(sigma)


def pareto_k(log_weights: Array) -> float:
    """k-hat of importance weights: below 0.5 good, below 0.7 usable, above: the proposal misses part of the target.

    log_weights (n,) >= 25 of them; NaN if too few are finite.
    """
    finite = log_weights[np.isfinite(log_weights)]
    tail = int(min(0.2 * len(log_weights), 3 * np.sqrt(len(log_weights))))
    if tail < 5 or len(finite) <= tail:
        return float("nan")
    w = np.sort(np.exp(finite - finite.max()))
    cut = w[-tail - 1]
    excess = w[-tail:] - cut
    excess = excess[excess > 0]
    return generalized_pareto(excess)[0] if len(excess) >= 5 else 0.0


def smoothed(log_weights: Array) -> tuple[Array, float]:
    """Log weights (n,) whose largest are those expected of the fitted tail, never above the largest found, and k-hat (Vehtari et
    al. 2024, algorithm 1). Returned as they are where there is no tail to fit."""
    k = pareto_k(log_weights)
    tail = int(min(0.2 * len(log_weights), 3 * np.sqrt(len(log_weights))))
    if not np.isfinite(k) or k == 0.0:
        return log_weights, k
    order = np.argsort(log_weights)
    top = float(log_weights[order[-1]])
    cut = float(np.exp(log_weights[order[-tail - 1]] - top))
    excess = np.exp(log_weights[order[-tail:]] - top) - cut
    shape, scale = generalized_pareto(excess[excess > 0])
    p = (np.arange(1, tail + 1) - 0.5) / tail
    quantiles = cut + (scale * np.expm1(-shape * np.log1p(-p)) / shape if abs(shape) > 1e-12 else -scale * np.log1p(-p))
    found = log_weights.copy()
    found[order[-tail:]] = np.minimum(np.log(np.maximum(quantiles, 1e-300)), 0.0) + top
    return found, k
