"""Gaussian mixtures: density, draws, moments. numpy, float64; shapes are (K,) weights, (K, D) means, (K, D, D) covariances."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtri
from scipy.stats import qmc

from ..numerics.linear_algebra import stable_factors
from ..numerics.mixture_modes import modes_of

if TYPE_CHECKING:
    from torch import Tensor

Array = NDArray[np.float64]
LOG_2PI = float(np.log(2.0 * np.pi))
SMALLEST_WEIGHT = 1e-300  # so that its logarithm is a number


def log_normals(x: Array, means: Array, whiten: Array, log_weights: Array) -> Array:
    """log w_k N(x; mu_k, Sigma_k), (n, K), for x (n, D); ``whiten`` (K, D, D): inverses of lower factors of Sigma_k."""
    found = np.empty((len(x), len(means)))
    for k, (mean, inverse) in enumerate(zip(means, whiten, strict=True)):
        z = (x - mean) @ inverse.T
        log_scale = np.log(np.diag(inverse)).sum()
        found[:, k] = -0.5 * np.einsum("nd,nd->n", z, z) + (log_scale + log_weights[k] - 0.5 * len(mean) * LOG_2PI)
    return found


def log_determinants(matrices: Array) -> Array:
    """log |det| of matrices (..., D, D)."""
    return np.asarray(np.linalg.slogdet(matrices)[1], dtype=np.float64)


class MixtureLike(Protocol):
    """Anything that carries a Gaussian mixture (``loop_interface.Mixture`` does)."""

    @property
    def weights(self) -> Array: ...
    @property
    def means(self) -> Array: ...
    @property
    def covariances(self) -> Array: ...


@dataclass(frozen=True)
class GaussianMixture:
    """q(x) = sum_k w_k N(x; mu_k, Sigma_k)."""

    weights: Array
    means: Array
    covariances: Array

    @staticmethod
    def of(mixture: MixtureLike) -> GaussianMixture:
        """The same mixture as this class."""
        if isinstance(mixture, GaussianMixture):
            return mixture
        return GaussianMixture(mixture.weights, mixture.means, mixture.covariances)

    @staticmethod
    def single(mean: Array, covariance: Array) -> GaussianMixture:
        """One Gaussian: mean (D,), covariance (D, D)."""
        return GaussianMixture(np.ones(1), np.asarray(mean)[None, :], np.asarray(covariance)[None, :, :])

    @property
    def components(self) -> int:
        return int(self.weights.shape[0])

    @property
    def dimension(self) -> int:
        return int(self.means.shape[1])

    @cached_property
    def modes(self) -> list[NDArray[np.intp]]:
        """Components (indices) of each separate mode, the heaviest first: see ``modes_of``."""
        return modes_of(self.weights, self.means, self.covariances)

    def log_parts(self, x: Array) -> Array:
        """log w_k N(x; mu_k, Sigma_k), (n, K), for x (n, D)."""
        whiten = np.asarray(np.linalg.inv(stable_factors(self.covariances)), dtype=float)
        return log_normals(x, self.means, whiten, np.log(np.maximum(self.weights, SMALLEST_WEIGHT)))

    def log_density(self, x: Array) -> Array:
        """log q(x), (n,), for x (n, D)."""
        return np.asarray(logsumexp(self.log_parts(x), axis=1), dtype=float)

    def log_density_tensor(self, x: Tensor) -> Tensor:
        """log q(x), (n,), differentiable in the tensor x (n, D); the mixture itself is constant."""
        import torch

        factors = torch.as_tensor(stable_factors(self.covariances), dtype=x.dtype, device=x.device)
        means = torch.as_tensor(self.means, dtype=x.dtype, device=x.device)
        log_weights = torch.as_tensor(np.log(np.maximum(self.weights, SMALLEST_WEIGHT)), dtype=x.dtype, device=x.device)
        whiten = torch.linalg.inv(factors)
        z = torch.matmul(x.unsqueeze(0) - means.unsqueeze(1), whiten.transpose(1, 2))
        log_scale = torch.log(torch.diagonal(factors, dim1=1, dim2=2)).sum(dim=1)
        log_parts = -0.5 * (z * z).sum(dim=2) + (log_weights - log_scale - 0.5 * self.dimension * LOG_2PI).unsqueeze(1)
        return torch.logsumexp(log_parts, dim=0)

    def sample(self, n: int, rng: np.random.Generator) -> Array:
        """(n, D) independent draws."""
        labels = rng.choice(self.components, size=n, p=self.weights / self.weights.sum())
        factors = stable_factors(self.covariances)
        noise = rng.standard_normal((n, self.dimension))
        result: Array = self.means[labels] + np.einsum("nij,nj->ni", factors[labels], noise)
        return result

    def from_uniforms(self, uniforms: Array) -> Array:
        """(n, D) draws from points (n, D + 1) of the unit cube, evenly spread or not; the first takes the component."""
        cumulative = np.cumsum(self.weights / self.weights.sum())
        labels = np.minimum(np.searchsorted(cumulative, uniforms[:, 0], side="right"), self.components - 1)
        normal = ndtri(np.clip(uniforms[:, 1 : self.dimension + 1], 1e-12, 1.0 - 1e-12))
        factors = stable_factors(self.covariances)
        return np.asarray(self.means[labels] + np.einsum("nij,nj->ni", factors[labels], normal), dtype=float)

    def mean(self) -> Array:
        """(D,)"""
        result: Array = self.weights @ self.means
        return result

    def covariance(self) -> Array:
        """(D, D), seed 000 eq 5.28."""
        spread = self.means - self.mean()
        within: Array = np.einsum("k,kij->ij", self.weights, self.covariances)
        return within + (spread * self.weights[:, None]).T @ spread

    def affine(self, matrix: Array, shift: Array) -> GaussianMixture:
        """The mixture of ``matrix @ x + shift``."""
        return GaussianMixture(
            self.weights, self.means @ matrix.T + shift, np.matmul(np.matmul(matrix, self.covariances), matrix.T)
        )

    def contiguous(self) -> GaussianMixture:
        """The same numbers in the memory layout that a saved and restored mixture has, so that both round alike."""
        return GaussianMixture(
            np.ascontiguousarray(self.weights), np.ascontiguousarray(self.means), np.ascontiguousarray(self.covariances)
        )

    def pruned(self, threshold: float) -> GaussianMixture:
        """Components of weight below ``threshold`` removed (never the heaviest), weights summing to one again."""
        keep = self.weights >= min(threshold, float(self.weights.max()))
        weights = self.weights[keep]
        return GaussianMixture(weights / weights.sum(), self.means[keep], self.covariances[keep])

    def with_component(self, weight: float, mean: Array, covariance: Array) -> GaussianMixture:
        """(1 - weight) q + weight N(mean, covariance): one boosting step (seed 000 algorithm 1)."""
        return GaussianMixture(
            np.append((1.0 - weight) * self.weights, weight),
            np.vstack([self.means, mean[None, :]]),
            np.concatenate([self.covariances, covariance[None, :, :]]),
        )


def base_draws(components: int, draws: int, dimension: int, rng: np.random.Generator) -> Array:
    """(K, S, R) standard normal quasi-random draws, antithetic, one scrambled Sobol net shifted at random per component.

    ``draws`` is rounded up to an even number. Averages of linear functions are exact, of smooth ones nearly so.
    """
    half = (draws + 1) // 2
    power = max(1, int(np.ceil(np.log2(max(half, 2)))))
    net = qmc.Sobol(dimension, scramble=True, rng=rng).random_base2(power)[:half]
    uniform = np.mod(net[:, None, :] + rng.random((1, components, dimension)), 1.0)
    normal = ndtri(np.clip(uniform, 1e-10, 1.0 - 1e-10))
    # Rescaled to unit second moment per coordinate, so that a lone Gaussian's entropy has no sampling error.
    normal = normal / np.sqrt((normal**2).mean(axis=0, keepdims=True))
    result: Array = np.ascontiguousarray(np.concatenate([normal, -normal]).transpose(1, 0, 2))
    return result
