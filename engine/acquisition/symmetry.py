"""How well runs bear out that a program gives the same at an image: the evidence of a Gaussian process that is invariant.

Invariance by a kernel summed over the group: Ginsbourger, Bay, Roustant, Carraro 2012; chosen by marginal likelihood: van der
Wilk, Bauer, John, Hensman 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, spatial

from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

SCALES = (0.12, 0.25, 0.5, 1.0, 2.0)  # length scales that are tried, in half widths of the plausible box for each root of D
APART, MOST = 0.1, 60  # rms over the axes of the box frame, from run to run; runs: more say the same
NUGGET = 1e-4  # of the variance
CONSTANT = 1e-9  # share of its size by which an output must vary
SAME_PLACE = 1e-6  # box frame: a run as near to an image was made there
AGREES = 1.0  # noise units, rms over the outputs, that runs at a place and its image may differ by: the measurements hardly tell
COMPONENTS, KEPT = 5, 0.98  # principal components of the outputs that are looked at, and the share of the variance they have


def log_bayes_factors(points: Array, outputs: Array, images: list[Array]) -> Array:
    """For every one of ``images`` (n, D) of the points (n, D), in the box frame, how much more likely the outputs (n, L) are if
    the program gives the same there as at the points, in nats (m,); the scale of each process is integrated out."""
    some = _spread_out(points)
    points, images, scores = points[some], [image[some] for image in images], _components(outputs[some])
    distance = spatial.distance.cdist(points, points)
    plain = _evidence([_kernel(distance, s * _unit(points)) for s in SCALES], scores)
    found = []
    for image in images:
        across = spatial.distance.cdist(points, image)
        both = [0.5 * (_kernel(distance, s * _unit(points)) + _kernel(across, s * _unit(points))) for s in SCALES]
        found.append(_evidence(both, scores) - plain)
    return np.array(found)


def _spread_out(points: Array) -> list[int]:
    """Rows of at most MOST runs (n, D), none near one before it: many in one mode tell how rough the outputs are there alone."""
    found: list[int] = []
    for row, point in enumerate(points):
        if not found or np.square(points[found] - point).mean(1).min() > APART**2:
            found.append(row)
    return found[:MOST]


def _unit(points: Array) -> float:
    return 2.0 * float(np.sqrt(points.shape[1]))


def _components(outputs: Array) -> Array:
    """Standardized scores (n, K)."""
    centred, spread = outputs - outputs.mean(0), outputs.std(0)
    varying = spread > CONSTANT * np.maximum(np.abs(outputs).max(0), 1e-300)
    if not varying.any():
        return np.zeros((len(outputs), 0))
    u, s, _ = np.linalg.svd(centred[:, varying] / spread[varying], full_matrices=False)
    share = np.cumsum(s**2) / np.sum(s**2)
    count = min(COMPONENTS, int(np.searchsorted(share, KEPT)) + 1)
    return np.asarray(u[:, :count] * np.sqrt(len(outputs)))


def _kernel(distance: Array, scale: float) -> Array:
    r = np.sqrt(5.0) * distance / scale
    return np.asarray((1.0 + r + r**2 / 3.0) * np.exp(-r))


def _evidence(kernels: list[Array], scores: Array) -> float:
    """Log marginal likelihood of scores (n, K) by independent processes, with a mean and a variance of each integrated out."""
    n, k = scores.shape
    best = np.full(k, -np.inf)
    for kernel in kernels:
        chol = stable_cholesky(kernel + NUGGET * np.eye(n))
        white = linalg.solve_triangular(chol, np.column_stack([scores, np.ones(n)]), lower=True)
        ones, y = white[:, -1], white[:, :-1]
        left = np.square(y).sum(0) - np.square(ones @ y) / (ones @ ones)
        value = -0.5 * (n - 1) * np.log(left) - np.log(np.diag(chol)).sum() - 0.5 * np.log(ones @ ones)
        best = np.maximum(best, value)
    return float(best.sum())


def borne_out(points: Array, image: Array, outputs: Array, units: Array) -> bool | None:
    """Whether runs at points (n, D) and at their ``image`` (n, D) gave the same outputs (n, L), in ``units`` (L,) of the noise;
    None: there are no such two runs."""
    one, other = np.nonzero(spatial.distance.cdist(image, points) < SAME_PLACE)
    apart = one != other  # a place that is its own image tells nothing
    if not apart.any():
        return None
    off = np.square((outputs[one[apart]] - outputs[other[apart]]) / units).mean(1)
    return bool(np.sqrt(off.max()) < AGREES)
