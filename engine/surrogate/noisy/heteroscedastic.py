"""A noise level that changes over the space: a second Gaussian process g with precision lambda sigma(g) (seed 004 section 7.2.1).

Algorithm 3 (Pólya-Gamma augmentation, coordinate ascent) with its printed errors corrected (METHODS 9.11): Delta has no square
root, mu_g takes (1/2 - gamma) / 2, and E sigma(-g) is approximated by exp(-mu / 2) / (2 cosh(c / 2)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from ...numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]

LENGTH, AMPLITUDE = 2.0, 2.0  # of g, in posterior sds and in units of log odds
ROUNDS = 50
TOLERANCE = 1e-4


def level_kernel(z: Array, other: Array) -> Array:
    """Prior covariance (n, m) of g between whitened points z (n, D) and ``other`` (m, D)."""
    distance = np.maximum(np.square(z).sum(1)[:, None] + np.square(other).sum(1)[None, :] - 2.0 * z @ other.T, 0.0)
    return np.asarray(AMPLITUDE**2 * np.exp(-0.5 * distance / (LENGTH**2 * z.shape[1])))


def precision_factors(delta: Array, z: Array) -> Array:
    """Precision (n,) of each value relative to 1 / base variance, smooth over the space.

    delta: (n,) expected squared residuals (y - mu_f)^2 + Sigma_f in units of the base variances; z: (n, D) whitened points.
    """
    return _learnt(delta, z, 1.0)[0]


@dataclass(frozen=True)
class NoiseLevel:
    """The process at any whitened point, from points z (n, D): its mean is the prior covariance with them times ``pull`` (n,)."""

    z: Array
    pull: Array

    @classmethod
    def of(cls, delta: Array, z: Array, count: float) -> NoiseLevel:
        """As ``precision_factors``, of means over ``count`` independent squares at each point."""
        return cls(z, _learnt(delta, z, count)[1])

    def variance(self, z: Array) -> Array:
        """Of the noise at z (m, D), relative to the least there may be: 1 / sigma(g), at the mean of g."""
        return np.asarray(1.0 / special.expit(level_kernel(z, self.z) @ self.pull))


def _learnt(delta: Array, z: Array, count: float) -> tuple[Array, Array]:
    """Precisions (n,) at the points, and K^-1 times the mean of g (n,)."""
    n = len(delta)
    k = level_kernel(z, z)
    mu, variance = np.zeros(n), np.diag(k).copy()
    scale, psi = 1.0 / max(float(delta.mean()), 1e-12), np.full(n, 0.5)
    pull = np.zeros(n)
    for _ in range(ROUNDS):
        before = mu
        c = np.sqrt(np.square(mu) + variance)
        psi = np.exp(-0.5 * mu) / (2.0 * np.cosh(0.5 * c))
        scale = n / float(((1.0 - psi) * delta).sum())
        gamma = 0.5 * count * scale * psi * delta
        theta = (0.5 * count + gamma) / (2.0 * np.maximum(c, 1e-8)) * np.tanh(0.5 * c)
        root = np.sqrt(theta)
        # (K^-1 + diag theta)^-1 = K - K r (I + r K r)^-1 r K
        factor = stable_cholesky(np.eye(n) + root[:, None] * k * root[None, :]), True
        half = linalg.cho_solve(factor, root[:, None] * k)
        sigma = k - (k * root[None, :]) @ half
        variance = np.maximum(np.diag(sigma), 1e-12)
        toward = 0.5 * (0.5 * count - gamma)
        mu = sigma @ toward
        pull = toward - theta * mu
        if float(np.abs(mu - before).max()) < TOLERANCE:
            break
    return np.asarray(scale * (1.0 - psi)), pull
