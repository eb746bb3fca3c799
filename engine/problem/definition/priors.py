"""Priors, in the user's units."""

from __future__ import annotations

from .record import Tagged


class Uniform(Tagged, tag="uniform", frozen=True):
    low: float
    high: float


class LogUniform(Tagged, tag="log_uniform", frozen=True):
    low: float
    high: float


class Normal(Tagged, tag="normal", frozen=True):
    mean: float
    sd: float


class TruncatedNormal(Tagged, tag="truncated_normal", frozen=True):
    mean: float
    sd: float
    low: float | None = None
    high: float | None = None


class LogNormal(Tagged, tag="log_normal", frozen=True):
    """log(x) is normal with mean ``log_mean`` and standard deviation ``log_sd`` (natural log)."""

    log_mean: float
    log_sd: float


class HalfNormal(Tagged, tag="half_normal", frozen=True):
    scale: float


class HalfCauchy(Tagged, tag="half_cauchy", frozen=True):
    scale: float


class Beta(Tagged, tag="beta", frozen=True):
    """Beta(a, b) stretched to [low, high]."""

    a: float
    b: float
    low: float = 0.0
    high: float = 1.0


class Gamma(Tagged, tag="gamma", frozen=True):
    shape: float
    scale: float


class InverseGamma(Tagged, tag="inverse_gamma", frozen=True):
    shape: float
    scale: float


class Exponential(Tagged, tag="exponential", frozen=True):
    mean: float


class StudentT(Tagged, tag="student_t", frozen=True):
    location: float
    scale: float
    dof: float


Prior = (
    Uniform
    | LogUniform
    | Normal
    | TruncatedNormal
    | LogNormal
    | HalfNormal
    | HalfCauchy
    | Beta
    | Gamma
    | InverseGamma
    | Exponential
    | StudentT
)
