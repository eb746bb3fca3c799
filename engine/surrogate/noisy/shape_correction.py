"""What the surrogate's uncertainty does to the posterior: shape, evidence, expected total variation (RECIPE, last part).

Averaging exp(f) over the surrogate's f would be ruled by a few wild functions; what cancels in the normalization (the
variance shared by the whole bulk) must be taken out first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ...numerics.arrays import Values, like
from ...numerics.linear_algebra import stable_cholesky
from ..quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]

GRID = 60
MOST, MOST_CLIMBED = 2.0, 8.0  # largest variance that adds to the density; more where the mode lay far off


@dataclass(frozen=True)
class ShapeCorrection:
    """The surrogate's covariance with its own posterior draws: ``at`` draws (s, D)."""

    surrogate: QuadraticSurrogate
    draws: Array
    variance_of_mean: float  # vZ: variance of the mean of f over the draws
    mean_variance: float  # mean of k over the draws
    beta: Array  # (n,)
    most: float = MOST

    @classmethod
    def of(cls, surrogate: QuadraticSurrogate, draws: Array, climbed: bool = False) -> ShapeCorrection:
        """draws (s, D): equally weighted posterior draws. ``climbed``: doubtful places count more."""
        c = surrogate.frames.coordinates(draws)
        f = surrogate.kernel.features(c)
        cross = surrogate.kernel.matrix(surrogate.coordinates, surrogate.features, c, f).mean(1)
        prior = float(surrogate.kernel.matrix(c, f, c, f).mean())
        beta = linalg.cho_solve((surrogate.factor, True), cross, check_finite=False)
        of_mean, mean = max(prior - float(cross @ beta), 0.0), float(surrogate.predict(draws)[1].mean())
        return cls(surrogate, draws, of_mean, mean, beta, MOST_CLIMBED if climbed else MOST)

    def log_correction(self, b: Array) -> Array:
        """clip(k - 2 c + vZ, 0, most) / 2 at b (m, D): half the variance of f that does not cancel in the normalization."""
        s = self.surrogate
        shared = s.in_parts(b, s.place_for(len(b), variance=True), self._shared)
        return np.asarray(0.5 * np.clip(s.variance(b) - 2.0 * shared + self.variance_of_mean, 0.0, self.most))

    def _shared(self, s: QuadraticSurrogate) -> Callable[[Values], Values]:
        """Posterior covariance of f at points (m, D) and its mean over the draws: (m,). For ``in_parts``."""
        draws, beta = like(s.b, self.draws), like(s.b, self.beta)
        cd = s.frames.coordinates(draws)
        fd = s.kernel.features(cd)

        def of(b: Values) -> Values:
            c = s.frames.coordinates(b)
            f = s.kernel.features(c)
            return s.kernel.matrix(cd, fd, c, f).mean(0) - beta @ s.kernel.matrix(s.coordinates, s.features, c, f)

        return of


def expected_variation(
    surrogate: QuadraticSurrogate,
    points: Array,
    log_mean: Array,
    log_shape: Array,
    log_q: Array,
    functions: int,
    rng: np.random.Generator,
) -> float:
    """Mean marginal total variation between the posteriors of functions drawn from the surrogate and the answer.

    points (m, D) drawn with log density log_q; log_mean: guarded mean; log_shape: log density of the answer. Estimates the
    true MMTV, and rises when the noise is misreported.
    """
    root = stable_cholesky(surrogate.joint_covariance(points))
    drawn = log_mean[:, None] + root @ rng.standard_normal((len(points), functions))
    return marginal_variation(points, np.concatenate([log_shape[:, None], drawn], axis=1) - log_q[:, None])


def marginal_variation(points: Array, log_w: Array) -> float:
    """Mean marginal total variation between the first weighting of the points (m, D) and the others; log_w (m, 1 + others)."""
    w = np.exp(log_w - log_w.max(0))
    w /= w.sum(0)
    total = 0.0
    for x in points.T:
        mean = float(w[:, 0] @ x)
        sd = max(float(np.sqrt(w[:, 0] @ np.square(x - mean))), 1e-12)
        grid = mean + sd * np.linspace(-4.0, 4.0, GRID)
        bumps = np.exp(-0.5 * np.square((grid[:, None] - x) / (0.3 * sd))) / (0.3 * sd * np.sqrt(2 * np.pi))
        density = bumps @ w
        total += 0.5 * float(np.abs(density[:, 1:] - density[:, :1]).sum(0).mean()) * (grid[1] - grid[0])
    return float(total / points.shape[1])
