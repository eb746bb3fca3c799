"""Priors as declared by the user: density, quantiles, draws, support, words. All in the user's units.

``of_prior`` turns a declaration into a ``Distribution``; ``of_parameter`` also cuts it at the hard bounds and renormalizes.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from . import definition as d
from . import distribution_families as families
from . import distributions as dist
from .errors import ProblemError
from .numbers.shown_digits import spoken

Array = NDArray[np.float64]

PLAUSIBLE_MASS = (0.1, 0.9)  # prior quantiles of the default box: 80 % of all true values start inside, per axis
LN10 = math.log(10.0)
DECADES = 1.5  # that a logarithmic axis shows at least, for ticks at powers of ten alone
MOST_LOG = 600.0  # of a natural logarithm, short of what a float holds
_LARGEST = 1e300  # a bound or scale beyond it would overflow in the user's program as well as here


def _number(value: float, field: str, found: list[tuple[str, str]], positive: bool = False) -> bool:
    if not math.isfinite(value):
        found.append((field, f"The {_words(field)} of the prior is {value}; it must be an ordinary number."))
    elif abs(value) > _LARGEST:
        found.append((field, f"The {_words(field)} of the prior, {spoken(value)}, is too large to compute with."))
    elif positive and value <= 0.0:
        found.append((field, f"The {_words(field)} of the prior is {spoken(value)}; it must be greater than zero."))
    elif positive and value < 1.0 / _LARGEST:
        found.append((field, f"The {_words(field)} of the prior, {spoken(value)}, is too small to compute with."))
    else:
        return True
    return False


def _words(field: str) -> str:
    names = {
        "sd": "standard deviation", "log_sd": "standard deviation of the natural logarithm",
        "log_mean": "mean of the natural logarithm",
        "dof": "number of degrees of freedom", "low": "lower end", "high": "upper end",
        "a": "first shape a", "b": "second shape b",
    }  # fmt: skip
    return names.get(field, field)


def _interval(low: float, high: float, found: list[tuple[str, str]]) -> None:
    if low == high:
        found.append(("low", f"Both ends of the prior are {spoken(low)}: it has zero width. Fix the parameter instead."))
    elif low > high:
        found.append(("low", f"The ends of the prior are reversed: {spoken(low)} is greater than {spoken(high)}."))
    elif np.nextafter(np.nextafter(low, high), high) >= high:
        found.append(("low", f"The ends {low!r} and {high!r} are so close that no number lies between them."))


def complaints(prior: d.Prior) -> list[tuple[str, str]]:
    """What is wrong with the numbers of ``prior``: (field, sentence) pairs; empty if it is a proper density."""
    found: list[tuple[str, str]] = []
    positive = {"sd", "log_sd", "scale", "a", "b", "shape", "dof"}
    if isinstance(prior, d.Exponential):
        positive.add("mean")
    for field in prior.__struct_fields__:
        value = getattr(prior, field)
        if value is not None:
            _number(value, field, found, positive=field in positive)
    if found:
        return found
    if isinstance(prior, d.LogUniform) and prior.low <= 0.0:
        found.append(("low", f"A log-uniform prior needs a lower end greater than zero; it is {spoken(prior.low)}."))
    if isinstance(prior, d.LogUniform) and 0.0 < prior.low < prior.high and math.log(prior.high) <= math.log(prior.low):
        found.append(("low", "The ends of the log-uniform prior are too close to tell their logarithms apart."))
    if isinstance(prior, d.LogNormal) and (abs(prior.log_mean) > MOST_LOG or prior.log_sd > MOST_LOG):
        found.append(("log_mean", "The log-normal prior reaches beyond the numbers a computer can hold (natural logarithms)."))
    if isinstance(prior, d.Uniform | d.LogUniform | d.Beta):
        _interval(prior.low, prior.high, found)
    if isinstance(prior, d.TruncatedNormal):
        low, high = _ends(prior.low, prior.high)
        _interval(low, high, found)
        if not found and families.NormalDistribution(prior.mean, prior.sd).mass(low, high) <= 0.0:
            found.append(("low", "The truncated normal prior has no mass between its ends: they are too far from its mean."))
    return found


def _ends(low: float | None, high: float | None) -> tuple[float, float]:
    return (-math.inf if low is None else low), (math.inf if high is None else high)


@lru_cache(maxsize=1024)
def of_prior(prior: d.Prior) -> dist.Distribution:
    """The distribution declared. Raises ProblemError if its numbers make no density."""
    found = complaints(prior)
    if found:
        raise ProblemError(found[0][1])
    match prior:
        case d.Uniform(low=low, high=high):
            return dist.UniformDistribution(low, high)
        case d.LogUniform(low=low, high=high):
            return dist.LogUniformDistribution(low, high)
        case d.Normal(mean=mean, sd=sd):
            return families.NormalDistribution(mean, sd)
        case d.TruncatedNormal(mean=mean, sd=sd):
            return dist.cut(families.NormalDistribution(mean, sd), *_ends(prior.low, prior.high))
        case d.LogNormal(log_mean=log_mean, log_sd=log_sd):
            return families.LogNormalDistribution(log_mean, log_sd)
        case d.HalfNormal(scale=scale):
            return families.HalfNormalDistribution(scale)
        case d.HalfCauchy(scale=scale):
            return families.HalfCauchyDistribution(scale)
        case d.Beta(a=a, b=b, low=low, high=high):
            return families.BetaDistribution(a, b, low, high)
        case d.Gamma(shape=shape, scale=scale):
            return families.GammaDistribution(shape, scale)
        case d.InverseGamma(shape=shape, scale=scale):
            return families.InverseGammaDistribution(shape, scale)
        case d.Exponential(mean=mean):
            return families.ExponentialDistribution(mean)
        case d.StudentT(location=location, scale=scale, dof=dof):
            return families.StudentTDistribution(location, scale, dof)


def of_parameter(parameter: d.Parameter) -> dist.Distribution:
    """The prior cut at the parameter's hard bounds and renormalized. Raises ProblemError, naming the parameter."""
    try:
        return dist.cut(of_prior(parameter.prior), *_ends(parameter.lower, parameter.upper))
    except ProblemError as error:
        raise ProblemError(error.what, f"parameter {parameter.name}", error.suggestion) from error


def plausible_range(parameter: d.Parameter) -> tuple[float, float]:
    """The user's plausible range, else the one proposed: the central 80 % of prior and bounds. User's units."""
    if parameter.plausible is not None:
        return parameter.plausible
    low, high = (float(x) for x in of_parameter(parameter).quantile(PLAUSIBLE_MASS))
    return low, high


def support(prior: d.Prior) -> tuple[float, float]:
    """Where the density is not zero; infinities for open ends."""
    found = of_prior(prior)
    return found.lower, found.upper


def describe(prior: d.Prior) -> str:
    """The prior in words, for tables and tool tips; works for wrong numbers too."""
    match prior:
        case d.Uniform(low=low, high=high):
            return f"uniform between {spoken(low)} and {spoken(high)}"
        case d.LogUniform(low=low, high=high):
            return f"log-uniform between {spoken(low)} and {spoken(high)}"
        case d.Normal(mean=mean, sd=sd):
            return f"normal with mean {spoken(mean)} and sd {spoken(sd)}"
        case d.TruncatedNormal(mean=mean, sd=sd, low=low, high=high):
            return f"normal with mean {spoken(mean)} and sd {spoken(sd)}{_cut_off(low, high)}"
        case d.LogNormal(log_mean=log_mean, log_sd=log_sd):
            if max(abs(log_mean), abs(log_sd)) > MOST_LOG:
                return f"log-normal: the natural logarithm has mean {spoken(log_mean)} and sd {spoken(log_sd)}"
            median, factor = spoken(math.exp(log_mean), 4), spoken(math.exp(log_sd), 4)
            return f"log-normal with median {median} and a factor of {factor} for one standard deviation"
        case d.HalfNormal(scale=scale):
            return f"half-normal with scale {spoken(scale)}"
        case d.HalfCauchy(scale=scale):
            return f"half-Cauchy with scale {spoken(scale)}"
        case d.Beta(a=a, b=b, low=low, high=high):
            return f"beta({spoken(a)}, {spoken(b)}) between {spoken(low)} and {spoken(high)}"
        case d.Gamma(shape=shape, scale=scale):
            return f"gamma with shape {spoken(shape)} and scale {spoken(scale)}"
        case d.InverseGamma(shape=shape, scale=scale):
            return f"inverse gamma with shape {spoken(shape)} and scale {spoken(scale)}"
        case d.Exponential(mean=mean):
            return f"exponential with mean {spoken(mean)}"
        case d.StudentT(location=location, scale=scale, dof=dof):
            return f"Student-t around {spoken(location)} with scale {spoken(scale)} and {spoken(dof)} degrees of freedom"


def describe_within_limits(parameter: d.Parameter) -> str:
    """The prior that counts, in words: also where the parameter's limits cut it off; works for wrong numbers too."""
    prior, lower, upper = parameter.prior, parameter.lower, parameter.upper
    try:
        low, high = support(prior)
    except ProblemError:
        low, high = -math.inf, math.inf
    lower = lower if lower is not None and lower > low else None
    upper = upper if upper is not None and upper < high else None
    if isinstance(prior, d.TruncatedNormal):  # one sentence for both kinds of ends
        ends = {"low": prior.low if lower is None else lower, "high": prior.high if upper is None else upper}
        return describe(structs.replace(prior, **ends))
    return describe(prior) + _cut_off(lower, upper)


def _cut_off(low: float | None, high: float | None) -> str:
    ends = [f"below {spoken(low)}"] if low is not None else []
    ends += [f"above {spoken(high)}"] if high is not None else []
    return f", cut off {' and '.join(ends)}" if ends else ""


def is_logarithmic(parameter: d.Parameter) -> bool:
    """Whether figures give ``parameter`` a logarithmic axis: its prior is spread by factors (log-uniform or log-normal)."""
    return isinstance(parameter.prior, d.LogUniform | d.LogNormal)


def density_per_decade(x: Array, density: Array) -> Array:
    """Density per factor of ten, for a logarithmic axis, from ``density`` per user's unit at ``x``, all (n,): p(x) x ln 10."""
    return density * x * LN10
