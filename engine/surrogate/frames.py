"""Affine frames: the box frame of the quadratic and the posterior-whitened frame of the lengthscales and the radius."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..numerics.arrays import Values, like
from ..numerics.linear_algebra import stable_cholesky

Array = NDArray[np.float64]


@dataclass(frozen=True)
class BoxFrame:
    """b = (u - middle of the plausible box) / (width / 4), so that the box is [-2, 2]^D (RECIPE 1)."""

    middle: Array  # (D,)
    scale: Array  # (D,)

    @classmethod
    def of(cls, lower: Array, upper: Array) -> BoxFrame:
        """Raises ValueError if the box is empty, reversed or not finite."""
        width = upper - lower
        if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper)) and np.all(width > 0)):
            raise ValueError("The plausible box must have finite lower ends below its upper ends in every parameter.")
        return cls((lower + upper) / 2, width / 4)

    def into(self, u: Array) -> Array:
        return (u - self.middle) / self.scale

    def back(self, b: Array) -> Array:
        return self.middle + b * self.scale

    @property
    def log_volume(self) -> float:
        """log |du / db|: log integrals over b become integrals over u by adding it."""
        return float(np.log(self.scale).sum())


@dataclass(frozen=True)
class Whitening:
    """z = A (b - centre): coordinates in which the current posterior has mean 0 and covariance 1."""

    centre: Array  # (D,)
    matrix: Array  # (D, D)

    @classmethod
    def none(cls, dimension: int) -> Whitening:
        return cls(np.zeros(dimension), np.eye(dimension))

    @classmethod
    def of_moments(cls, mean: Array, covariance: Array) -> Whitening:
        d = len(mean)
        scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
        correlation = covariance / np.outer(scale, scale) + 1e-8 * np.eye(d)
        chol = stable_cholesky(correlation)
        return cls(mean, linalg.solve_triangular(chol, np.diag(1.0 / scale), lower=True))

    def into(self, b: Values) -> Values:
        return (b - like(b, self.centre)) @ like(b, self.matrix).T

    def back(self, z: Array) -> Array:
        """b (D,) of z (D,)."""
        return self.centre + linalg.solve_triangular(self.matrix, z, lower=True)
