"""Gaussian mixtures with fewer components: the two that are most alike become one, again and again (Runnalls 2007)."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .mixture import SMALLEST_WEIGHT, GaussianMixture, log_determinants

Array = NDArray[np.float64]

Mixed = TypeVar("Mixed", bound=GaussianMixture)


def reduced(mixture: Mixed, count: int) -> Mixed:
    """At most ``count`` (1 or more) components, with the same mean and covariance of the whole.

    Alike are those whose merging widens them least, both counted alike: by weights, as in Runnalls's bound, a light mode would be
    merged into a heavy one far away.
    """
    size = len(mixture.weights)
    if size <= count:
        return mixture
    weights = np.maximum(mixture.weights, SMALLEST_WEIGHT)
    means, covariances, left = mixture.means.copy(), mixture.covariances.copy(), np.ones(size, dtype=bool)
    apart = np.full((size, size), np.inf)
    for i in range(size - 1):
        apart[i, i + 1 :] = _widening(means, covariances, i, np.arange(i + 1, size))
    for _ in range(size - count):
        i, j = divmod(int(np.argmin(apart)), size)
        pair = np.array([i, j])
        both = weights[pair].sum()
        share = weights[pair] / both
        mean = share @ means[pair]
        away = means[pair] - mean
        covariances[i] = np.einsum("k,kde->de", share, covariances[pair]) + (away.T * share) @ away
        weights[i], means[i], left[j] = both, mean, False
        apart[j], apart[:, j] = np.inf, np.inf
        others = np.flatnonzero(left)
        others = others[others != i]
        apart[np.minimum(i, others), np.maximum(i, others)] = _widening(means, covariances, i, others)
    return type(mixture)(weights[left], means[left], covariances[left])


def _widening(means: Array, covariances: Array, one: int, others: NDArray[np.intp]) -> Array:
    """Nats (m,) that the entropy of a Gaussian merged from component ``one`` and each of the ``others`` (m,), half of each, lies
    above the mean of theirs."""
    gap = means[others] - means[one]
    merged = 0.5 * (covariances[others] + covariances[one]) + 0.25 * gap[:, :, None] * gap[:, None, :]
    own = 0.5 * (log_determinants(covariances[others]) + log_determinants(covariances[one]))
    return np.asarray(0.5 * (log_determinants(merged) - own))
