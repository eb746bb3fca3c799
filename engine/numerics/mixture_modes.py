"""The separate modes of a Gaussian mixture: components that hang together, with no deep valley between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .linear_algebra import stable_inverse, stable_solve

Array = NDArray[np.float64]

VALLEY = 0.3  # of the lower of two peaks: where the density falls below that between them they do not touch
LEAST_MASS = 0.01  # of a mode that counts
LEAST_WEIGHT = 1e-4  # of a component that is looked at
STEPS = 25  # places on the line between two components
SHIFTS = 8  # steps across it
PLACES_AT_ONCE = 20_000  # times components: so few that the arrays stay in the processor's cache, so many that loops are short


def modes_of(
    weights: Array, means: Array, covariances: Array, least_mass: float = LEAST_MASS
) -> list[NDArray[np.intp]]:
    """Components (indices) of each separate mode of ``least_mass`` or more, the heaviest first; weights (K,), means (K, D),
    covariances (K, D, D).

    Two components belong together if the density on the line between their means stays above VALLEY of the lower of the two
    peaks; in chains too, so that a curved ridge is one mode. The pair with the highest valley is joined first.
    """
    share = weights / weights.sum()
    kept = np.flatnonzero(share > LEAST_WEIGHT)
    parts = _Parts.of(np.log(share[kept]), means[kept], covariances[kept])
    group, peaks = np.arange(len(kept)), parts.shares(means[kept])[1]
    one, other = np.tril_indices(len(kept), -1)
    some = max(1, PLACES_AT_ONCE // (STEPS * max(len(kept), 1)))
    valleys = [_valleys(parts, one[k : k + some], other[k : k + some]) for k in range(0, len(one), some)]
    pairs = zip(np.concatenate([np.empty(0), *valleys]).tolist(), one.tolist(), other.tolist(), strict=True)
    for valley, i, j in sorted(pairs, reverse=True):
        a, b = group[i], group[j]
        if a != b and valley > min(peaks[a], peaks[b]) + np.log(VALLEY):
            peaks[b] = max(peaks[a], peaks[b])
            group[group == a] = b
    found = [kept[group == g] for g in np.unique(group)]
    found = [part for part in found if share[part].sum() > least_mass]
    return sorted(found, key=lambda part: -float(share[part].sum()))


@dataclass(frozen=True)
class _Parts:
    """A mixture with what is computed once of it: precisions (K, D, D), and constants (K,) of the log densities."""

    means: Array
    precisions: Array
    constants: Array

    @classmethod
    def of(cls, log_weights: Array, means: Array, covariances: Array) -> Self:
        return cls(means, stable_inverse(covariances), log_weights - 0.5 * np.linalg.slogdet(covariances)[1])

    def log_densities(self, points: Array) -> Array:
        """Of each component, weighted, up to a constant: (n, K) at points (n, D)."""
        return self.constants - 0.5 * _squares(points, self.means, self.precisions)

    def shares(self, points: Array) -> tuple[Array, Array]:
        """Of each component in the density at points (n, D): (n, K); and its logarithm (n,), up to a constant."""
        each = self.log_densities(points)
        highest = each.max(axis=1)
        share = np.exp(each - highest[:, None])
        total = share.sum(axis=1)
        return share / total[:, None], highest + np.log(total)


def _valleys(parts: _Parts, one: NDArray[np.intp], other: NDArray[np.intp]) -> Array:
    """The lowest log density (n,) on the way from the means ``one`` (n,) to ``other`` (n,): at each place on it the best across.

    Mean-shift steps across the line, so that a curved ridge is followed and not cut short.
    """
    apart = parts.means[other] - parts.means[one]
    along = apart / np.maximum(np.linalg.norm(apart, axis=1), 1e-300)[:, None]
    along = np.repeat(along, STEPS, axis=0)  # (n * STEPS, D), as the places
    way = parts.means[one][:, None] + np.linspace(0.0, 1.0, STEPS)[:, None] * apart[:, None]
    places = way.reshape(-1, parts.means.shape[1])
    share, lowest = parts.shares(places)
    pulls = (parts.precisions @ parts.means[:, :, None])[:, :, 0]
    flat = parts.precisions.reshape(len(parts.means), -1)
    for _ in range(SHIFTS):
        together = (share @ flat).reshape(-1, *parts.precisions.shape[1:])
        step = stable_solve(together, (share @ pulls)[:, :, None])[:, :, 0] - places
        places = places + step - np.sum(step * along, axis=1, keepdims=True) * along
        share, reached = parts.shares(places)
        lowest = np.maximum(lowest, reached)
    return np.asarray(lowest.reshape(-1, STEPS).min(axis=1), dtype=float)


def squared_distances(points: Array, means: Array, covariances: Array) -> Array:
    """Mahalanobis's, of points (n, D) from every component: (n, K)."""
    return _squares(points, means, stable_inverse(covariances))


def _squares(points: Array, means: Array, precisions: Array) -> Array:
    shifted = points - means[:, None, :]
    return np.asarray(np.einsum("knd,knd->nk", shifted @ precisions, shifted), dtype=float)


def log_parts(log_weights: Array, covariances: Array, squares: Array) -> Array:
    """Log densities (n, K) of the weighted components, up to a constant, from squared distances (n, K)."""
    return np.asarray(log_weights - 0.5 * (np.linalg.slogdet(covariances)[1] + squares), dtype=float)


def covariance_about(
    weights: Array, means: Array, covariances: Array, place: Array, modes: list[NDArray[np.intp]] | None = None
) -> Array:
    """(D, D) of the mode that ``place`` (D,) lies in, by its components together; arguments as of ``modes_of``, which found
    ``modes``, if it was asked already."""
    with np.errstate(divide="ignore"):
        parts = log_parts(np.log(weights), covariances, squared_distances(place[None], means, covariances))[0]
    nearest = int(np.argmax(parts))
    modes = modes_of(weights, means, covariances) if modes is None else modes
    group = next((g for g in modes if nearest in g), np.array([nearest]))
    share = weights[group] / weights[group].sum()
    away = means[group] - share @ means[group]
    return np.asarray(np.einsum("k,kij->ij", share, covariances[group]) + (away.T * share) @ away)
