"""The separate modes of a Gaussian mixture: components that hang together, with no deep valley between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .linear_algebra import stable_inverse

Array = NDArray[np.float64]

VALLEY = 0.3  # of the lower of two peaks: where the density falls below that between them they do not touch
LEAST_MASS = 0.01  # of a mode that counts
LEAST_WEIGHT = 1e-4  # of a component that is looked at
STEPS = 25  # places on the line between two components
SHIFTS = 8  # steps across it


def modes_of(weights: Array, means: Array, covariances: Array) -> list[NDArray[np.intp]]:
    """Components (indices) of each separate mode, the heaviest first; weights (K,), means (K, D), covariances (K, D, D).

    Two components belong together if the density on the line between their means stays above VALLEY of the lower of the two
    peaks; in chains too, so that a curved ridge is one mode. The pair with the highest valley is joined first.
    """
    share = weights / weights.sum()
    kept = np.flatnonzero(share > LEAST_WEIGHT)
    parts = np.log(share[kept]), means[kept], covariances[kept]
    group, peaks = np.arange(len(kept)), _log_density(means[kept], *parts)
    pairs = sorted(((_valley(parts, i, j), i, j) for i in range(len(kept)) for j in range(i)), reverse=True)
    for valley, i, j in pairs:
        a, b = group[i], group[j]
        if a != b and valley > min(peaks[a], peaks[b]) + np.log(VALLEY):
            peaks[b] = max(peaks[a], peaks[b])
            group[group == a] = b
    found = [kept[group == g] for g in np.unique(group)]
    found = [part for part in found if share[part].sum() > LEAST_MASS]
    return sorted(found, key=lambda part: -float(share[part].sum()))


def _valley(parts: tuple[Array, Array, Array], i: int, j: int) -> float:
    """The lowest log density on the way between two means: at each place along the line the best one across it.

    Mean-shift steps across the line, so that a curved ridge is followed and not cut short.
    """
    log_weights, means, covariances = parts
    along = (means[j] - means[i]) / max(float(np.linalg.norm(means[j] - means[i])), 1e-300)
    line = means[i] + np.linspace(0.0, 1.0, STEPS)[:, None] * (means[j] - means[i])
    precision = stable_inverse(covariances)
    lowest = _log_density(line, *parts)
    places = line
    for _ in range(SHIFTS):
        each = np.stack([_log_density(places, log_weights[[k]], means[[k]], covariances[[k]]) for k in range(len(means))], 1)
        share = np.exp(each - each.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        pull = np.einsum("nk,kde,ke->nd", share, precision, means)
        moved = (stable_inverse(np.einsum("nk,kde->nde", share, precision)) @ pull[:, :, None])[:, :, 0]
        step = moved - places
        places = places + step - (step @ along)[:, None] * along
        lowest = np.maximum(lowest, _log_density(places, *parts))
    return float(lowest.min())


def _log_density(points: Array, log_weights: Array, means: Array, covariances: Array) -> Array:
    """Up to a constant (n,)."""
    each = log_parts(log_weights, means, covariances, squared_distances(points, means, covariances))
    return np.asarray(np.logaddexp.reduce(each, axis=1), dtype=float)


def squared_distances(points: Array, means: Array, covariances: Array) -> Array:
    """Mahalanobis's, of points (n, D) from every component: (n, K)."""
    shifted = points[:, None, :] - means
    solved = np.einsum("kde,nke->knd", stable_inverse(covariances), shifted)
    return np.asarray(np.einsum("nkd,knd->nk", shifted, solved), dtype=float)


def log_parts(log_weights: Array, means: Array, covariances: Array, squares: Array) -> Array:
    """Log densities (n, K) of the weighted components, up to a constant, from squared distances (n, K)."""
    return np.asarray(log_weights - 0.5 * (np.linalg.slogdet(covariances)[1] + squares), dtype=float)
