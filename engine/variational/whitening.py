"""Affine frames: working coordinates w = matrix (u - center) in which the posterior is roughly a unit ball.

The first frame is the plausible box's (its middle half-width is 2, so a quarter of its width is 1); later ones whiten the
current posterior (seed 001 A.5, variational whitening). Functions keep their values under a change of frame; densities and
entropies change by ``log_volume``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.loop_interface import Mixture
from bayescope.engine.numerics.linear_algebra import stable_inverse, stable_solve
from bayescope.engine.sampling.mixture import GaussianMixture, MixtureLike, log_determinants

Array = NDArray[np.float64]

LARGEST_STRETCH = 1e8  # condition number of a whitening beyond which it is not proposed


@dataclass(frozen=True)
class Frame:
    """center (D,), matrix (D, D)."""

    center: Array
    matrix: Array

    def __post_init__(self) -> None:
        # One memory layout, live or restored: a transposed one rounds differently in matrix products.
        object.__setattr__(self, "matrix", np.ascontiguousarray(self.matrix))

    @staticmethod
    def of_box(lower: Array, upper: Array) -> Frame:
        width = np.maximum(upper - lower, 1e-300)
        return Frame(0.5 * (lower + upper), np.diag(4.0 / width))

    @staticmethod
    def whitening(center: Array, covariance: Array) -> Frame | None:
        """The frame in which ``covariance`` (D, D) is the identity, axes along its eigenvectors; None if it is too flat."""
        if not np.all(np.isfinite(covariance)):
            return None
        values, vectors = np.linalg.eigh(covariance)
        if values[0] <= 0.0 or values[-1] > LARGEST_STRETCH * values[0]:
            return None
        return Frame(center, vectors.T / np.sqrt(values)[:, None])

    def into(self, u: Array) -> Array:
        """(n, D) or (D,) from inference space to working coordinates."""
        result: Array = (u - self.center) @ self.matrix.T
        return result

    def back(self, w: Array) -> Array:
        """(n, D) or (D,) from working coordinates to inference space."""
        result: Array = stable_solve(self.matrix, np.atleast_2d(w).T).T.reshape(np.shape(w)) + self.center
        return result

    def then(self, further: Frame | None) -> Frame:
        """This frame, then ``further`` on its coordinates; None leaves it as it is."""
        return self if further is None else Frame(self.back(further.center), further.matrix @ self.matrix)

    @property
    def log_volume(self) -> float:
        """log |du / dw|: added to an entropy or evidence of the working coordinates to get that of inference space."""
        return -float(log_determinants(self.matrix))

    def mixture_into(self, mixture: MixtureLike) -> GaussianMixture:
        return GaussianMixture.of(mixture).affine(self.matrix, -self.matrix @ self.center)

    def mixture_back(self, mixture: MixtureLike) -> Mixture:
        inverse = stable_inverse(self.matrix)
        moved = GaussianMixture.of(mixture).affine(inverse, self.center)
        return Mixture(moved.weights, moved.means, moved.covariances)
