"""Ranges proposed around the number that a parameter has in an input file, in the kind of prior that is chosen. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem.definition import LogUniform, Normal, Prior, StudentT, TruncatedNormal, Uniform
from bayescope.gui.models.prior_families import converted, family_of

FACTOR = 10.0  # of the widest: an order of magnitude to either side


@dataclass(frozen=True)
class Around:
    """``part``: of the number to either side; None: from a tenth to ten times of it."""

    key: str
    title: str
    tip: str
    part: float | None


AROUND = (
    Around("10", "± 10 %", "From 10 % below to 10 % above; for a normal prior that is its standard deviation.", 0.1),
    Around("50", "± 50 %", "From half of it to one and a half times; for a normal prior that is its standard deviation.", 0.5),
    Around("x", "÷ 10 to × 10", "From a tenth to ten times of it, each order of magnitude alike.", None),
)


def guessed_from(prior: Prior | None) -> float | None:
    """The number in an input file from which a prior was guessed; None: it was not, or the number is zero."""
    if not isinstance(prior, Uniform):
        return None
    return (prior.low + prior.high) / 2 or None


def prior_around(value: float, how: Around, present: Prior) -> Prior:
    """A prior around ``value``, of the kind of ``present`` where that can have such a range."""
    if how.part is None:
        low, high = sorted((value / FACTOR, value * FACTOR))
        return LogUniform(low=_round(low), high=_round(high)) if value > 0 else Uniform(low=_round(low), high=_round(high))
    wide = abs(value) * how.part
    match present:
        case Normal():
            return Normal(mean=_round(value), sd=_round(wide))
        case TruncatedNormal() if _within(value, present):
            return TruncatedNormal(mean=_round(value), sd=_round(wide), low=present.low, high=present.high)
        case StudentT():
            return StudentT(location=_round(value), scale=_round(wide), dof=present.dof)
    flat = Uniform(low=_round(value - wide), high=_round(value + wide))
    return converted(flat, family_of(present))


def _within(value: float, prior: TruncatedNormal) -> bool:
    return (prior.low is None or prior.low < value) and (prior.high is None or value < prior.high)


def _round(value: float) -> float:
    return float(f"{value:.6g}")
