"""Draws of an answer of which no evaluation tells: a kernel with a part for each axis puts modes, and is sure of them, where the
coordinates of one mode meet those of another.

With Sigma of the component that a draw most likely comes from, it is untold where no evaluation lies within the distance from
a centre in which a normal component has 99 % of its mass, (x - x_i)' Sigma^-1 (x - x_i) > chi2_D(.99) for all i.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from scipy.stats import chi2

from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.sampling.mixture import GaussianMixture

Array = NDArray[np.float64]

WITHIN = 0.99  # of a component's mass
MOST = 3.0  # nats: a share of the draws tells no more than this of how much too large the evidence is


def untold(q: GaussianMixture, draws: Array, evaluations: Array) -> NDArray[np.bool_]:
    """Which (m,) of the draws (m, D) no evaluation (n, D) tells of; all in the coordinates of q."""
    whiten, component = _metric(q, draws)
    found = np.zeros(len(draws), dtype=bool)
    for k in np.unique(component):
        mine = component == k
        found[mine] = cdist(draws[mine] @ whiten[k].T, evaluations @ whiten[k].T).min(axis=1) > _radius(q)
    return found


def telling_place(q: GaussianMixture, draws: Array) -> Array:
    """The one (D,) of untold draws (m, D) near which most of them lie."""
    whiten, component = _metric(q, draws)
    near = [np.linalg.norm((draws - x) @ whiten[k].T, axis=1) < _radius(q) for x, k in zip(draws, component, strict=True)]
    place: Array = draws[int(np.argmax([n.sum() for n in near]))]
    return place


def untold_error(share: float) -> float:
    """Nats by which the evidence is too large if there is nothing where a ``share`` of the draws lies."""
    return float(min(MOST, -np.log1p(-min(share, 1.0 - 1e-9))))


def _radius(q: GaussianMixture) -> float:
    return float(np.sqrt(chi2.ppf(WITHIN, q.dimension)))


def _metric(q: GaussianMixture, draws: Array) -> tuple[Array, NDArray[np.intp]]:
    """Whitening matrices (K, D, D) and the component (m,) of each draw."""
    return np.asarray(np.linalg.inv(stable_factors(q.covariances))), q.log_parts(draws).argmax(axis=1)
