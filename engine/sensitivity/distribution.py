"""Points of a distribution of the parameters, each moved along every coordinate: what sensitivity indices are made from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..answer.posterior import StoredPosterior
from ..answer.taught import heavy
from ..numerics.linear_algebra import stable_factors, stable_inverse
from ..problem.transforms import ParameterSpace

Array = NDArray[np.float64]

WIDE = 3.0  # times the plausible range that the central 90 % of a prior may cover; wider, the plausible range is taken
EDGE = 1e-9  # of a distribution function: a value is never on a bound


@dataclass(frozen=True)
class Moved:
    """Inference space: points (n, D) and, for each i, the same (D, n, D) with coordinate i drawn anew given the others.

    ``plausible``: names of the parameters whose plausible range stands for their prior.
    """

    points: Array
    moved: Array
    plausible: tuple[str, ...] = ()

    @property
    def places(self) -> Array:
        """All of them, ((1 + D) n, D): the points first."""
        return np.concatenate([self.points[None], self.moved]).reshape(-1, self.points.shape[1])

    def first(self, count: int) -> Moved:
        """The first ``count`` points and what they are moved to."""
        return Moved(self.points[:count], self.moved[:, :count], self.plausible)


def over_prior(space: ParameterSpace, n: int, rng: np.random.Generator) -> Moved:
    """From scrambled Sobol points; ``n`` a power of two. Parameters are independent (Saltelli et al. 2010)."""
    from scipy.stats import qmc

    d = space.dimension
    uniform = np.clip(qmc.Sobol(2 * d, rng=rng).random(n), EDGE, 1.0 - EDGE)
    low, high = space.plausible_box()
    columns, plausible = [], []
    for i, name in enumerate(space.names):
        by_prior = _of_prior(space, i, low[i], high[i])
        both = uniform[:, [i, d + i]]
        if by_prior:
            q, t = space.distributions[i], space.transforms[i]
            assert q is not None
            columns.append(t.to_inference(np.clip(q.ppf(both.ravel()), t.first, t.last)).reshape(n, 2))
        else:
            plausible.append(name)
            columns.append(low[i] + (high[i] - low[i]) * both)
    points, others = (np.stack([c[:, k] for c in columns], axis=1) for k in (0, 1))
    return Moved(points, _along_each(points, others), tuple(plausible))


def _of_prior(space: ParameterSpace, i: int, low: float, high: float) -> bool:
    """Whether points are to be drawn from the prior of parameter i itself."""
    q, t = space.distributions[i], space.transforms[i]
    if q is None or heavy(q):
        return False
    ends = t.to_inference(np.clip(q.ppf(np.array([0.05, 0.95])), t.first, t.last))
    return bool(np.isfinite(ends).all() and ends[1] - ends[0] <= WIDE * (high - low))


def over_posterior(posterior: StoredPosterior, n: int, rng: np.random.Generator) -> Moved:
    """From the mixture, whose conditional distributions are mixtures of normals in closed form (Kucherenko et al. 2012)."""
    w, means, covariances = posterior.weights, posterior.means, posterior.covariances
    precisions = stable_inverse(covariances)
    log_dets = np.linalg.slogdet(covariances)[1]
    part = rng.choice(len(w), size=n, p=w)
    roots = stable_factors(covariances)
    points = means[part] + np.einsum("nij,nj->ni", roots[part], rng.standard_normal((n, means.shape[1])))
    away = points[:, None] - means  # (n, K, D)
    pull = np.einsum("kij,nkj->nki", precisions, away)
    log_joint = np.log(np.maximum(w, 1e-300)) - 0.5 * (away * pull).sum(2) - 0.5 * log_dets  # (n, K)
    others = np.empty_like(points)
    for i in range(points.shape[1]):
        variance = 1.0 / precisions[:, i, i]
        step = pull[:, :, i] * variance  # (n, K): x_i less its conditional mean
        log_part = log_joint + 0.5 * np.square(step) / variance + 0.5 * np.log(variance)
        share = np.exp(log_part - log_part.max(1, keepdims=True))
        edges = np.cumsum(share, axis=1)
        chosen = (rng.random((n, 1)) * edges[:, -1:] > edges).sum(1)
        rows = np.arange(n)
        others[:, i] = points[:, i] - step[rows, chosen] + np.sqrt(variance[chosen]) * rng.standard_normal(n)
    return Moved(points, _along_each(points, others))


def _along_each(points: Array, others: Array) -> Array:
    """(D, n, D): coordinate i of ``points`` (n, D) taken from ``others``."""
    moved = np.repeat(points[None], points.shape[1], axis=0)
    for i in range(points.shape[1]):
        moved[i, :, i] = others[:, i]
    return moved


def most_points(wanted: int, limit: float) -> int:
    """The largest power of two up to ``wanted`` and ``limit``, at least 64."""
    return int(2 ** max(6, math.floor(math.log2(max(min(wanted, limit), 1)))))
