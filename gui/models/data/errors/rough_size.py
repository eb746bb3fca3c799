"""What is roughly known of the size of the errors, in plain numbers: the prior of their variance as people can say it. Pure."""

from __future__ import annotations

import math

import msgspec

from bayescope.engine.problem.definition import GaussianIntegrated


class RoughSize(msgspec.Struct, frozen=True):
    """InverseGamma(shape, scale) of the variance as a scaled inverse chi-squared: ``about`` a standard deviation of
    sqrt(scale / shape), ``after`` = 2 shape degrees of freedom, as sure as after so many repeated measurements.

    Source: Gelman et al., Bayesian Data Analysis, 3rd edition, section 2.6 and table A.1.
    """

    about: float
    after: float
    per_point: bool


def rough_size(noise: GaussianIntegrated) -> RoughSize:
    about = math.sqrt(noise.scale / noise.shape) if noise.shape > 0.0 and noise.scale > 0.0 else 0.0
    return RoughSize(float(f"{about:.4g}"), float(f"{2.0 * noise.shape:.6g}"), noise.per_point)


def with_rough_size(noise: GaussianIntegrated, size: RoughSize) -> GaussianIntegrated:
    """``noise`` with what was changed in ``size``; what was not changed keeps all its digits."""
    before = rough_size(noise)
    shape = noise.shape if size.after == before.after else size.after / 2.0
    variance = noise.scale / noise.shape if size.about == before.about and noise.shape > 0.0 else size.about**2
    return GaussianIntegrated(shape=shape, scale=noise.scale if size == before else shape * variance, per_point=size.per_point)
