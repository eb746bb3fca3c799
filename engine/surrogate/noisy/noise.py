"""How noisy each value is: the reported sd made usable, its scale, its level over the space, Student-t weights.

The variance of value i is floor + a^2 sd_i^2 exp(2 s(b_i)) / lambda_i: ``a`` (and the field ``s``) are hyperparameters,
``lambda`` the Student-t weights of the robust option (seed 004 chapter 5 as iteratively re-weighted fixed noise).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from ..frames import Whitening

Array = NDArray[np.float64]

UNKNOWN_BASE, UNKNOWN_SCALE_SD = 1.0, 1.5  # sd and prior sd of log a when nothing is reported (RECIPE)
FLOOR_SHARE = (
    0.1  # a reported sd below this share of the median is not believed: one lucky zero would pin the surrogate
)
NEIGHBOURS, BEST = 5, 10
FLOOR = 1e-5
SHAPE_BEYOND, COMPRESS_BEYOND = (10.0, 5.0), (1000.0, 40.0)  # nats per dimension below the top: usual, and misfitting values


@dataclass(frozen=True)
class ReportedNoise:
    """Usable sds (n,), the prior sd of log a, and what had to be changed."""

    sd: Array
    scale_sd: float
    known: bool
    raised: int  # points whose sd was (nearly) zero while others' was not
    missing: int  # points whose sd was not a number or infinite

    @classmethod
    def of(cls, sd: Array, scale_sd: float, y: Array | None = None) -> ReportedNoise:
        """From the sds as told (n,): zeros, NaN and infinities are replaced, everything else is kept.

        ``y`` (n,): the values. The usual sd is that of the best quarter: synthetic likelihoods are noisier the lower they are,
        and an sd of .3 at the top is no lucky zero because others, a thousand nats below, have 200.
        """
        usable = np.isfinite(sd) & (sd > 0.0)
        if not usable.any():
            return cls(np.full(len(sd), UNKNOWN_BASE), UNKNOWN_SCALE_SD, False, 0, 0)
        known = np.flatnonzero(usable)
        best = known if y is None else known[np.argsort(-y[known])[: max(BEST, len(known) // 4)]]
        middle = float(np.median(sd[best]))
        missing = ~np.isfinite(sd)
        clean = np.where(missing, middle, sd)
        low = clean < FLOOR_SHARE * middle
        # few small values are lucky estimates; if most are small the median itself is small and nothing is raised
        clean = np.where(low, FLOOR_SHARE * middle, clean)
        return cls(clean, scale_sd, True, int(low.sum()), int(missing.sum()))


@dataclass(frozen=True)
class NoiseModel:
    """Variance_i = floor + (base_i (1 + near_i (a^2 - 1)) + s^2 beyond_i^2) / lambda_i: two scales, log a and log s.

    The noise's scale ``a`` is that of values near the top: with one scale for all, the misfit of values thousands of nats
    below passed for noise at the top (a synthetic likelihood: a = 4 and an answer of accidents).
    """

    base: Array  # (n,) variances as told
    near: Array  # (n,) 1 above the shaping's edge, 0 far below it
    beyond: Array  # (n,) nats below the edge

    def __truediv__(self, factors: Array) -> NoiseModel:
        return NoiseModel(self.base / factors, self.near, self.beyond / np.sqrt(factors))

    def scaled(self, scales: Array) -> tuple[Array, Array]:
        """The terms (n,) of ``scales`` (2,) = log a, log s."""
        w = np.exp(2.0 * scales)
        return w[0] * self.near * self.base, w[1] * np.square(self.beyond)

    def variance(self, scales: Array) -> Array:
        """(n,)"""
        near, shaped = self.scaled(scales)
        return FLOOR + (1.0 - self.near) * self.base + near + shaped


def tempered_values(y: Array, sd: Array, dimension: int, misfit: bool = False) -> tuple[Array, NoiseModel]:
    """Values (n,) relative to the top, and their noise: the further below the top, the less a value counts.

    Noise shaping (seed 001 B.3): from 10 D below the top the sd grows by a share of the drop beyond (prior 5 %). Values are
    compressed only from 1,000 D on. Compressing moderate drops (40 D, as for exact values) bends banana-like densities
    out of the shape that a smooth kernel extrapolates: at the same 170 evaluations of a Rosenbrock MMTV was .18 instead of .11.
    Values that no smooth surface explains (``misfit``: the share was inferred as large as it may be) have no such shape to
    lose: theirs is shaped from 5 D and compressed from 40 D on.
    """
    edge, limit = SHAPE_BEYOND[misfit] * dimension, COMPRESS_BEYOND[misfit] * dimension
    drop = np.maximum(-y, 0.0)
    far = limit * (1.0 + np.log(np.maximum(drop, limit) / limit))
    beyond = np.where(drop > limit, 2.0 * far, np.maximum(drop - edge, 0.0))
    return np.where(drop > limit, -far, y), NoiseModel(
        np.square(np.minimum(sd, far)), np.clip(1.0 - beyond / edge, 0.0, 1.0), beyond
    )


def sd_at(whitening: Whitening, b: Array, sd: Array, where: Array) -> Array:
    """Noise sd expected at new points ``where`` (m, D): the geometric mean over the nearest evaluations."""
    k = min(NEIGHBOURS, len(b))
    _, nearest = cKDTree(whitening.into(b)).query(whitening.into(where), k=k)
    return np.asarray(np.exp(np.log(sd)[np.asarray(nearest).reshape(len(where), k)].mean(1)))


def student_weights(residual: Array, variance: Array, noise: Array, dof: float) -> Array:
    """lambda_i = (nu + 1) / (nu + (r_i^2 + k_i) / noise_i): E-step of the Student-t as a scale mixture (n,).

    residual: y - posterior mean; variance: the posterior's at the points; noise: variances before weighting.
    """
    return np.asarray((dof + 1.0) / (dof + (np.square(residual) + variance) / noise))
