"""The proposal of population Monte Carlo: full-covariance Gaussians and one wide Student-t, drawn quasi-randomly, moved by EM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special
from scipy.sparse.csgraph import connected_components
from scipy.stats import qmc

from ..loop_interface import State
from ..numerics.linear_algebra import stable_cholesky, stable_inverse
from .mixture import SMALLEST_WEIGHT, GaussianMixture, log_normals
from .reduction import reduced

Array = NDArray[np.float64]

Mixed = TypeVar("Mixed", bound=GaussianMixture)

MOST_COMPONENTS = 48  # a ridge .01 wide over a range of 10 is filled by so many to a third; the time of draws grows with them
GAUSSIAN_SHARE = 0.85  # the rest is the Student-t (RECIPE 5)
T_DOF = 5.0
T_INFLATION = 1.5
APART = 3.0  # joint sds between two Gaussians with a valley of exp(-4.5) between them


def base_points(dimension: int, count: int, seed: int) -> Array:
    """(count, D + 2) low-discrepancy points in the unit cube; ``shifted`` makes independent copies of them."""
    power = int(np.ceil(np.log2(max(count, 2))))
    return np.asarray(qmc.Sobol(dimension + 2, scramble=True, rng=seed).random_base2(power)[:count], dtype=float)


def shifted(base: Array, rng: np.random.Generator) -> Array:
    """The point set moved by one random vector modulo 1: unbiased, still evenly spread."""
    moved = base + rng.random(base.shape[1])
    moved -= np.floor(moved)
    return np.clip(moved, 1e-12, 1 - 1e-12)


def weighted_covariance(x: Array, w: Array) -> tuple[Array, Array]:
    """Mean and covariance of x (n, D) with weights w (n,) that sum to one."""
    mean = w @ x
    return mean, _spread(x - mean, w)


def regularized(covariance: Array) -> Array:
    """A covariance that a Cholesky factorization accepts: a touch of its own diagonal is added."""
    scale = np.maximum(np.diag(covariance), 1e-300)
    return covariance + np.diag(1e-9 * scale + 1e-300)


@dataclass(frozen=True)
class Proposal(GaussianMixture):
    """Gaussians, and a wide Student-t with their overall mean and covariance: ``log_density`` and ``draw`` are with it."""

    @cached_property
    def separate_modes(self) -> list[tuple[float, Proposal]]:
        """Share and components of each separate mode, the heaviest first."""
        w, means, covariances = self.weights, self.means, self.covariances
        return [(float(w[p].sum()), Proposal(w[p] / w[p].sum(), means[p], covariances[p])) for p in self.modes]

    @cached_property
    def _factors(self) -> tuple[Array, Array, Array, Array]:
        """Component shares (K + 1,), means (K + 1, D), Cholesky factors (K + 1, D, D) and their inverses; the t is last."""
        mean, covariance = self.mean(), self.covariance()
        shares = np.append(GAUSSIAN_SHARE * self.weights, 1.0 - GAUSSIAN_SHARE)
        means = np.concatenate([self.means, mean[None]])
        covariances = np.concatenate([self.covariances, T_INFLATION * covariance[None]])
        chol = np.stack([stable_cholesky(regularized(c)) for c in covariances])
        eye = np.eye(self.dimension)
        inverse = np.stack([linalg.solve_triangular(c, eye, lower=True, check_finite=False) for c in chol])
        return shares, means, chol, inverse

    def draw(self, uniforms: Array) -> tuple[Array, Array, Array]:
        """From uniforms (n, D + 2): points (n, D), log density (n,), log density of each weighted Gaussian (n, K)."""
        shares, means, chol, inverse = self._factors
        d, k = self.dimension, len(self.weights)
        which = np.minimum(np.searchsorted(np.cumsum(shares), uniforms[:, 0], side="right"), k)
        z = special.ndtri(uniforms[:, 1 : d + 1])
        wide = which == k
        z[wide] *= np.sqrt(T_DOF / (2.0 * special.gammaincinv(T_DOF / 2, uniforms[wide, d + 1])))[:, None]
        points = np.empty_like(z)
        for j in range(k + 1):
            chosen = which == j
            points[chosen] = means[j] + z[chosen] @ chol[j].T
        log_q, parts = self._log_densities(points, shares, means, inverse)
        return points, log_q, parts

    def log_density(self, points: Array) -> Array:
        shares, means, _, inverse = self._factors
        return self._log_densities(points, shares, means, inverse)[0]

    def _log_densities(self, points: Array, shares: Array, means: Array, inverse: Array) -> tuple[Array, Array]:
        d, k = self.dimension, len(self.weights)
        parts = np.empty((len(points), k + 1))
        parts[:, :k] = log_normals(points, means[:k], inverse[:k], np.log(shares[:k] + SMALLEST_WEIGHT))
        constant = special.gammaln((T_DOF + d) / 2) - special.gammaln(T_DOF / 2) - 0.5 * d * np.log(T_DOF * np.pi)
        z = (points - means[k]) @ inverse[k].T
        scale = float(np.log(np.diag(inverse[k])).sum()) + np.log(shares[k])
        parts[:, k] = constant + scale - 0.5 * (T_DOF + d) * np.log1p(np.einsum("nd,nd->n", z, z) / T_DOF)
        top = parts.max(1)
        log_q = top + np.log(np.exp(parts - top[:, None]).sum(1))
        return log_q, parts[:, :k]


def joined(first: Proposal, means: Array, covariances: Array, share: float, weights: Array | None = None) -> Proposal:
    """``first`` and components (k, D), (k, D, D) that have ``share`` of the whole, each as much or by ``weights`` (k,).

    At most MOST_COMPONENTS: what is added finds room for as many as half of them, among what was there before.
    """
    added = Proposal(np.full(len(means), share / len(means)) if weights is None else share * weights, means, covariances)
    first = reduced(first, max(MOST_COMPONENTS - len(means), MOST_COMPONENTS // 2))
    added = reduced(added, MOST_COMPONENTS - len(first.weights))
    return Proposal(
        np.concatenate([(1.0 - share) * first.weights, added.weights]),
        np.concatenate([first.means, added.means]),
        np.concatenate([first.covariances, added.covariances]),
    )


def em_step(
    mixture: Mixed,
    points: Array,
    weights: Array,
    log_parts: Array | None = None,
    strength: float | None = None,
    thin: bool = False,
) -> Mixed:
    """One weighted EM step. Covariances are shrunk to the pooled one times K^(-2/D), factor n / (n + strength).

    points (n, D), weights (n,) summing to one, log_parts (n, K): ``mixture.log_parts(points)``, if known. ``strength``: draws
    that the pooled covariance is worth, 10 + 2 D (RECIPE 5) unless told. Pooled within clusters of components that overlap:
    over modes that lie apart it would be as wide as the valley between them. ``thin``: towards the components' mean covariance
    instead, as a thin curved ridge needs, which fills less than D dimensions.
    """
    d = mixture.dimension
    strength = 10.0 + 2.0 * d if strength is None else strength
    log_parts = mixture.log_parts(points) if log_parts is None else log_parts
    kept = weights > 1e-12
    x, w, parts = points[kept], weights[kept], log_parts[kept]
    parts = parts - parts.max(1)[:, None]
    share = np.exp(parts)
    share *= (w / share.sum(1))[:, None]
    mass = share.sum(0)
    effective = np.square(mass) / np.maximum(np.square(share).sum(0), 1e-300)
    alive = (mass > 1e-3) & (effective > 1.5)
    if not alive.any():
        alive = mass == mass.max()
    share, mass, effective = share[:, alive], mass[alive], effective[alive]
    means = (share.T @ x) / mass[:, None]
    own = np.stack([_spread(x - m, s / total) for m, s, total in zip(means, share.T, mass, strict=True)])
    cluster = overlapping(means, own)
    covariances = np.empty_like(own)
    for members in (np.flatnonzero(cluster == c) for c in np.unique(cluster)):
        within = share[:, members].sum(1)
        if thin:
            pooled = np.einsum("k,kde->de", mass[members] / mass[members].sum(), own[members])
        else:
            pooled = weighted_covariance(x, within / within.sum())[1] * len(members) ** (-2.0 / d)
        for j in members:
            factor = effective[j] / (effective[j] + strength)
            covariances[j] = regularized(factor * own[j] + (1.0 - factor) * pooled)
    return type(mixture)(mass / mass.sum(), means, covariances)


def overlapping(means: Array, covariances: Array) -> NDArray[np.intp]:
    """Number (K,) of the cluster of each Gaussian: chains of pairs at most APART of their joint sds from each other."""
    if len(means) == 1:
        return np.zeros(1, dtype=np.intp)
    gap = means[:, None] - means
    squares = np.einsum("ijd,ijde,ije->ij", gap, stable_inverse(covariances[:, None] + covariances), gap)
    return np.asarray(connected_components(squares <= APART**2, directed=False)[1], dtype=np.intp)


def _spread(centred: Array, w: Array) -> Array:
    return (centred * w[:, None]).T @ centred


def proposal_state(p: Proposal | None) -> State | None:
    """As plain arrays, for a checkpoint."""
    return None if p is None else {"weights": p.weights, "means": p.means, "covariances": p.covariances}


def proposal_of(s: State | None) -> Proposal | None:
    """The inverse of ``proposal_state``."""
    return None if s is None else Proposal(*(np.array(s[k], dtype=float) for k in ("weights", "means", "covariances")))
