"""How a mixture's parameters become one vector for an optimizer.

Every family writes component k as x = mu_k + A_k eps with eps ~ N(0, I_R), so Sigma_k = A_k A_k'. An objective needs only
gradients in (log weights, means, A); the family carries them back to its own vector. Vector layout:
[logits (K), means (K D), family's own].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.numerics.linear_algebra import stable_factors
from bayescope.engine.sampling.mixture import GaussianMixture, MixtureLike

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Factored:
    """A mixture in factored form: log_weights (K,), means (K, D), factors A (K, D, R)."""

    log_weights: Array
    means: Array
    factors: Array

    @property
    def covariances(self) -> Array:
        result: Array = np.matmul(self.factors, np.swapaxes(self.factors, 1, 2))
        return result

    def mixture(self) -> GaussianMixture:
        weights = np.exp(self.log_weights)
        return GaussianMixture(weights / weights.sum(), self.means, self.covariances)


class Family(Protocol):
    """A shape of covariance matrices with its parameter vector."""

    @property
    def kind(self) -> str: ...

    @property
    def diagonal(self) -> bool:
        """True when every covariance is diagonal, so that tensor-product kernels can be integrated."""
        ...

    def base_dimension(self, dimension: int) -> int:
        """R, the number of standard normals per draw."""
        ...

    def pack(self, mixture: MixtureLike) -> Array: ...

    def unpack(self, vector: Array, components: int, dimension: int) -> Factored: ...

    def pull_back(self, vector: Array, state: Factored, d_logw: Array, d_means: Array, d_factors: Array) -> Array:
        """Gradient in the vector, given gradients in normalized log weights (K,), means and factors."""
        ...


def _split(vector: Array, k: int, d: int) -> tuple[Array, Array, Array]:
    return vector[:k], vector[k : k + k * d].reshape(k, d), vector[k + k * d :]


def _log_softmax(logits: Array) -> Array:
    shifted = logits - logits.max()
    result: Array = shifted - np.log(np.exp(shifted).sum())
    return result


def _logit_gradient(log_weights: Array, d_logw: Array) -> Array:
    result: Array = d_logw - np.exp(log_weights) * d_logw.sum()
    return result


def _log_weights(mixture: MixtureLike) -> Array:
    result: Array = np.log(np.maximum(mixture.weights, 1e-12))
    return result


def _deviations(mixture: MixtureLike) -> Array:
    result: Array = np.sqrt(np.diagonal(mixture.covariances, axis1=1, axis2=2))
    return result


class Full:
    """A = A0 L with L lower triangular, exp(diagonal): any covariance. D (D + 1) / 2 numbers per component.

    A0 and mu0 are the identity and zero, or those of a reference mixture (``relative_to``): then every component is
    described in its own standardized coordinates, which preconditions an optimizer started there.
    """

    kind = "full"
    diagonal = False

    def __init__(self, reference: Factored | None = None) -> None:
        self._reference = reference

    @staticmethod
    def relative_to(mixture: MixtureLike) -> Full:
        return Full(Factored(_log_weights(mixture), mixture.means, stable_factors(mixture.covariances)))

    def base_dimension(self, dimension: int) -> int:
        return dimension

    def pack(self, mixture: MixtureLike) -> Array:
        means, factors = mixture.means, stable_factors(mixture.covariances)
        if self._reference is not None:
            inverse = np.linalg.inv(self._reference.factors)
            means = np.einsum("kab,kb->ka", inverse, means - self._reference.means)
            factors = np.matmul(inverse, factors)
        rows, cols = np.tril_indices(factors.shape[1])
        entries = factors[:, rows, cols]
        on_diagonal = rows == cols
        entries[:, on_diagonal] = np.log(entries[:, on_diagonal])
        return np.concatenate([_log_weights(mixture), means.ravel(), entries.ravel()])

    def unpack(self, vector: Array, components: int, dimension: int) -> Factored:
        logits, means, own = _split(vector, components, dimension)
        rows, cols = np.tril_indices(dimension)
        entries = own.reshape(components, rows.size).copy()
        on_diagonal = rows == cols
        entries[:, on_diagonal] = np.exp(np.clip(entries[:, on_diagonal], -20.0, 20.0))
        factors = np.zeros((components, dimension, dimension))
        factors[:, rows, cols] = entries
        if self._reference is not None:
            means = self._reference.means + np.einsum("kab,kb->ka", self._reference.factors, means)
            factors = np.matmul(self._reference.factors, factors)
        return Factored(_log_softmax(logits), means, factors)

    def pull_back(self, vector: Array, state: Factored, d_logw: Array, d_means: Array, d_factors: Array) -> Array:
        k, d = state.means.shape
        if self._reference is not None:
            d_means = np.einsum("kab,ka->kb", self._reference.factors, d_means)
            d_factors = np.matmul(np.swapaxes(self._reference.factors, 1, 2), d_factors)
        rows, cols = np.tril_indices(d)
        entries = d_factors[:, rows, cols]
        on_diagonal = rows == cols
        logs = _split(vector, k, d)[2].reshape(k, rows.size)[:, on_diagonal]
        entries[:, on_diagonal] *= np.exp(np.clip(logs, -20.0, 20.0))
        return np.concatenate([_logit_gradient(state.log_weights, d_logw), d_means.ravel(), entries.ravel()])


class Diagonal:
    """A = diag(exp): seed 000 eq 5.30."""

    kind = "diagonal"
    diagonal = True

    def base_dimension(self, dimension: int) -> int:
        return dimension

    def pack(self, mixture: MixtureLike) -> Array:
        return np.concatenate([_log_weights(mixture), mixture.means.ravel(), np.log(_deviations(mixture)).ravel()])

    def unpack(self, vector: Array, components: int, dimension: int) -> Factored:
        logits, means, own = _split(vector, components, dimension)
        deviations = np.exp(own.reshape(components, dimension))
        return Factored(_log_softmax(logits), means, deviations[:, :, None] * np.eye(dimension))

    def pull_back(self, vector: Array, state: Factored, d_logw: Array, d_means: Array, d_factors: Array) -> Array:
        deviations = np.diagonal(state.factors, axis1=1, axis2=2)
        own = np.diagonal(d_factors, axis1=1, axis2=2) * deviations
        return np.concatenate([_logit_gradient(state.log_weights, d_logw), d_means.ravel(), own.ravel()])


class SharedScale:
    """Sigma_k = sigma_k^2 diag(lambda^2), lambda shared (seed 001 A.5). Own vector: log sigma (K), log lambda (D)."""

    kind = "shared_scale"
    diagonal = True

    def base_dimension(self, dimension: int) -> int:
        return dimension

    def pack(self, mixture: MixtureLike) -> Array:
        logs = np.log(_deviations(mixture))
        log_lambda = np.asarray(mixture.weights) @ logs
        log_sigma = (logs - log_lambda).mean(axis=1)
        return np.concatenate([_log_weights(mixture), mixture.means.ravel(), log_sigma, log_lambda])

    def unpack(self, vector: Array, components: int, dimension: int) -> Factored:
        logits, means, own = _split(vector, components, dimension)
        deviations = np.exp(own[:components, None] + own[None, components:])
        return Factored(_log_softmax(logits), means, deviations[:, :, None] * np.eye(dimension))

    def pull_back(self, vector: Array, state: Factored, d_logw: Array, d_means: Array, d_factors: Array) -> Array:
        own = np.diagonal(d_factors, axis1=1, axis2=2) * np.diagonal(state.factors, axis1=1, axis2=2)
        d_logits = _logit_gradient(state.log_weights, d_logw)
        return np.concatenate([d_logits, d_means.ravel(), own.sum(axis=1), own.sum(axis=0)])


FULL, DIAGONAL, SHARED_SCALE = Full(), Diagonal(), SharedScale()
FAMILIES: dict[str, Family] = {family.kind: family for family in (FULL, DIAGONAL, SHARED_SCALE)}
