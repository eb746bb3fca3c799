"""The proposal of population Monte Carlo: full-covariance Gaussians and one wide Student-t, drawn quasi-randomly, moved by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special
from scipy.stats import qmc

from ..loop_interface import State
from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

GAUSSIAN_SHARE = 0.85  # the rest is the Student-t (RECIPE 5)
T_DOF = 5.0
T_INFLATION = 1.5


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
    centred = x - mean
    return mean, (centred * w[:, None]).T @ centred


def _squared_norm(z: Array) -> Array:
    return np.asarray(np.einsum("nd,nd->n", z, z), dtype=float)


def regularized(covariance: Array) -> Array:
    """A covariance that a Cholesky factorization accepts: a touch of its own diagonal is added."""
    scale = np.maximum(np.diag(covariance), 1e-300)
    return covariance + np.diag(1e-9 * scale + 1e-300)


@dataclass(frozen=True)
class Proposal:
    """weights (K,), means (K, D), covariances (K, D, D) of the Gaussians; the t takes their overall mean and covariance."""

    weights: Array
    means: Array
    covariances: Array

    @property
    def dimension(self) -> int:
        return int(self.means.shape[1])

    def overall(self) -> tuple[Array, Array]:
        mean = self.weights @ self.means
        spread = self.means - mean
        return mean, np.einsum("k,kij->ij", self.weights, self.covariances) + (
            spread * self.weights[:, None]
        ).T @ spread

    def _factors(self) -> tuple[Array, Array, Array, Array]:
        """Component shares (K + 1,), means (K + 1, D), Cholesky factors (K + 1, D, D) and their inverses; the t is last."""
        mean, covariance = self.overall()
        shares = np.append(GAUSSIAN_SHARE * self.weights, 1.0 - GAUSSIAN_SHARE)
        means = np.concatenate([self.means, mean[None]])
        covariances = np.concatenate([self.covariances, T_INFLATION * covariance[None]])
        chol = np.stack([stable_cholesky(regularized(c)) for c in covariances])
        eye = np.eye(self.dimension)
        inverse = np.stack([linalg.solve_triangular(c, eye, lower=True, check_finite=False) for c in chol])
        return shares, means, chol, inverse

    def draw(self, uniforms: Array) -> tuple[Array, Array, Array]:
        """From uniforms (n, D + 2): points (n, D), log density (n,), log density of each weighted Gaussian (n, K)."""
        shares, means, chol, inverse = self._factors()
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
        shares, means, _, inverse = self._factors()
        return self._log_densities(points, shares, means, inverse)[0]

    def log_parts(self, points: Array) -> Array:
        """Log densities of the weighted Gaussians at points: (n, K)."""
        _, means, _, inverse = self._factors()
        return np.stack(
            [
                -0.5 * _squared_norm((points - means[j]) @ inverse[j].T)
                + (np.log(np.diag(inverse[j])).sum() + np.log(w + 1e-300) - 0.5 * self.dimension * np.log(2 * np.pi))
                for j, w in enumerate(self.weights)
            ],
            axis=1,
        )

    def _log_densities(self, points: Array, shares: Array, means: Array, inverse: Array) -> tuple[Array, Array]:
        d, k = self.dimension, len(self.weights)
        parts = np.empty((len(points), k + 1))
        for j in range(k + 1):
            z = (points - means[j]) @ inverse[j].T
            maha = _squared_norm(z)
            log_det = float(np.log(np.diag(inverse[j])).sum())
            if j < k:
                parts[:, j] = -0.5 * maha - 0.5 * d * np.log(2 * np.pi) + log_det + np.log(shares[j] + 1e-300)
            else:
                constant = (
                    special.gammaln((T_DOF + d) / 2) - special.gammaln(T_DOF / 2) - 0.5 * d * np.log(T_DOF * np.pi)
                )
                parts[:, j] = constant + log_det - 0.5 * (T_DOF + d) * np.log1p(maha / T_DOF) + np.log(shares[j])
        top = parts.max(1)
        log_q = top + np.log(np.exp(parts - top[:, None]).sum(1))
        return log_q, parts[:, :k]


def em_step(proposal: Proposal, points: Array, weights: Array, log_parts: Array) -> Proposal:
    """One weighted EM step. Covariances are shrunk to the pooled one times K^(-2/D), factor n / (n + 10 + 2 D) (RECIPE 5).

    points (n, D), weights (n,) summing to one, log_parts (n, K): log densities of the weighted Gaussians.
    """
    d = proposal.dimension
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
    k = len(mass)
    _, pooled = weighted_covariance(x, w)
    pooled = pooled * k ** (-2.0 / d)
    means = (share.T @ x) / mass[:, None]
    covariances = np.empty((k, d, d))
    for j in range(k):
        centred = x - means[j]
        own = (centred * (share[:, j] / mass[j])[:, None]).T @ centred
        factor = effective[j] / (effective[j] + 10.0 + 2.0 * d)
        covariances[j] = regularized(factor * own + (1.0 - factor) * pooled)
    return Proposal(mass / mass.sum(), means, covariances)


def proposal_state(p: Proposal | None) -> State | None:
    """As plain arrays, for a checkpoint."""
    return None if p is None else {"weights": p.weights, "means": p.means, "covariances": p.covariances}


def proposal_of(s: State | None) -> Proposal | None:
    """The inverse of ``proposal_state``."""
    return None if s is None else Proposal(*(np.array(s[k], dtype=float) for k in ("weights", "means", "covariances")))
