"""Have Markov chains mixed, and how many independent draws are they worth?

Rank-normalized split R-hat and bulk effective sample size: A. Vehtari, A. Gelman, D. Simpson, B. Carpenter, P.-C. Bürkner,
Bayesian Analysis 16 (2021) 667, equations 1-5, 10, 14.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special, stats

Array = NDArray[np.float64]

GOOD_RHAT, GOOD_ESS = 1.01, 400.0  # recommended there
LEAST = 4  # draws per half chain


def rank_normalized_rhat(chains: Array) -> Array:
    """(D,) the larger of R-hat of ranks and of folded ranks, for chains (C, S, D); infinite with too few draws, and where every
    chain stands still at a place of its own."""
    halves = _split(chains)
    if halves.shape[1] < LEAST:
        return np.full(chains.shape[2], np.inf)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    return np.maximum(_rhat(_normal_scores(halves)), _rhat(_normal_scores(folded)))


def bulk_ess(chains: Array) -> Array:
    """(D,) effective number of draws for the middle of each marginal, of chains (C, S, D); 0 with too few draws."""
    halves = _split(chains)
    if halves.shape[1] < LEAST:
        return np.zeros(chains.shape[2])
    scores = _normal_scores(halves)
    return np.array([_ess(scores[:, :, i]) for i in range(scores.shape[2])])


def _split(chains: Array) -> Array:
    """Each chain as two; the middle draw of an odd number is left out."""
    half = chains.shape[1] // 2
    return np.concatenate([chains[:, :half], chains[:, chains.shape[1] - half :]]) if half else chains[:, :0]


def _normal_scores(x: Array) -> Array:
    flat = x.reshape(-1, x.shape[2])
    ranks = stats.rankdata(flat, axis=0)
    return np.asarray(special.ndtri((ranks - 0.375) / (len(flat) + 0.25))).reshape(x.shape)


def _rhat(x: Array) -> Array:
    n = x.shape[1]
    within = x.var(axis=1, ddof=1).mean(axis=0)
    between = n * x.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.sqrt((n - 1) / n + between / (n * within))
    return np.where(within > 0, found, np.where(between > 0, np.inf, 1.0))


def _ess(x: Array) -> float:
    """Of chains (C, n), by Geyer's initial monotone sequence of summed pairs of autocorrelations."""
    c, n = x.shape
    centred = x - x.mean(axis=1, keepdims=True)
    spectrum = fft.rfft(centred, n=fft.next_fast_len(2 * n), axis=1)
    covariance = fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :n] / n
    within = float(covariance[:, 0].mean()) * n / (n - 1)
    total = within * (n - 1) / n + (float(x.mean(axis=1).var(ddof=1)) if c > 1 else 0.0)
    if within <= 0.0:
        return float(c * n)
    rho = 1.0 - (within - covariance.mean(axis=0) * n / (n - 1)) / total
    rho[0] = 1.0
    pairs = rho[0 : 2 * (n // 2) : 2] + rho[1 : 2 * (n // 2) : 2]
    negative = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: negative[0]] if len(negative) else pairs)
    tau = max(-1.0 + 2.0 * float(pairs.sum()), 1.0 / np.log10(c * n))
    return float(c * n / tau)
