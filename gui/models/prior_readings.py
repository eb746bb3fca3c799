"""How the words of a typed prior were read, and the other way in which they can be meant, for one click. Pure."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.error_headings import factor_in
from bayescope.engine.problem.data.errors.levels import factor_of_level
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.plain import number_of, one_line
from bayescope.gui.models.priors_in_units import bare_text, parse_in_unit
from bayescope.gui.models.priors_in_words import BRACKETED, NOT_YET, WITHIN_95, peaked

_FACTOR = re.compile(r"\bfactor\b|\btimes/divided\b|\*/|×/?÷|×/|x/", re.IGNORECASE)
_SPREAD = re.compile(r"give\s+or\s+take|plus\s*(?:/|-|or)?\s*minus|\bwithin\s+[^a-z]", re.IGNORECASE)
_TWO = re.compile(r"[-+−]?[0-9.,eE+−-]*[0-9]\s*(?:[,;]\s*|\s+)[-+−]?[0-9.][0-9.,eE+−-]*")
NEVER_NEGATIVE = "It &cannot: cut the prior at 0"
LEAST_BELOW, MOST_BELOW = 1e-6, 0.05  # of a normal prior, below zero: with less the answer hardly goes there, more of it is seen
MEANS_95, MEANS_LIMITS = "It means &95 % (2 sd)", "They are &limits"
MEANS_NORMAL, MEANS_RANGE = "It means 95 % of a nor&mal one", "It is a &range"


@dataclass(frozen=True)
class Reading:
    """``words``: how it was read, a sentence; ``button``: what it may mean as well; ``other``: the prior that is then."""

    words: str
    button: str = ""
    other: d.Prior | None = None


def reading_of(text: str, parameter: d.Parameter) -> Reading | None:
    """Of what was typed over the prior of ``parameter``; None: it says a prior in one way only, or none."""
    try:
        prior = parse_in_unit(text, parameter)
    except ValueError:
        return None
    said, bare = f"“{one_line(text.strip(), 50)}”", bare_text(text, parameter)
    if (found := BRACKETED.fullmatch(bare.strip())) is not None:
        return _interval(said, prior, *(number_of(found[name]) for name in ("low", "middle", "high")))
    if isinstance(prior, d.Beta) and not re.match(r"\s*beta\b", text, re.IGNORECASE):
        ends = f"{spoken(prior.low)} and {spoken(prior.high)}"
        flat = d.Uniform(low=prior.low, high=prior.high)
        words = f"{said} is read as one smooth peak that ends at {ends} (a beta prior, PERT)."
        return Reading(words, "As pla&usible all over", flat)
    levelled = factor_in(text) is not None or factor_of_level(text) is not None
    if isinstance(prior, d.LogNormal) and _FACTOR.search(text) and not levelled:
        one = msgspec.structs.replace(prior, log_sd=float(f"{prior.log_sd / WITHIN_95:.6g}"))
        words = f"{said} is read as one standard deviation: two thirds of the prior lie within that factor."
        return Reading(words, MEANS_95, one)
    if isinstance(prior, d.Normal | d.TruncatedNormal) and _SPREAD.search(text) and not levelled:
        narrow = msgspec.structs.replace(prior, sd=float(f"{prior.sd / WITHIN_95:.6g}"))
        words = f"{said} is read as one standard deviation, {spoken(prior.sd)}: two thirds of the prior lie within it."
        return Reading(words, MEANS_95, narrow)
    return _range(said, bare, prior, parameter.prior)


def below_zero(text: str, parameter: d.Parameter, value: float | None) -> Reading | None:
    """Of a normal prior typed for ``parameter`` with a tail below zero, while the number in the input file, ``value``, is
    positive: the same one cut at zero. None: it has no such tail, or so much of one that it is meant."""
    try:
        prior = parse_in_unit(text, parameter)
    except ValueError:
        return None
    bounded = parameter.lower is not None and parameter.lower >= 0.0
    if not isinstance(prior, d.Normal) or value is None or value <= 0.0 or bounded:
        return None
    if not LEAST_BELOW <= 0.5 * math.erfc(prior.mean / prior.sd / math.sqrt(2.0)) <= MOST_BELOW:
        return None
    cut = d.TruncatedNormal(mean=prior.mean, sd=prior.sd, low=0.0)
    words = (
        f"A small part of this prior lies below zero, where the data may draw the answer. The number in your file is "
        f"{spoken(value)}: can {one_line(parameter.name, 30)} be negative?"
    )
    return Reading(words, NEVER_NEGATIVE, cut)


def asked_of(text: str, parameter: d.Parameter) -> str:
    """What is asked about words that say too little for a prior; '' where they say one, or nothing of the kind."""
    try:
        parse_in_unit(text, parameter)
    except ValueError as error:
        return str(error) if NOT_YET in str(error) else ""
    return ""


def _interval(said: str, prior: d.Prior, low: float, middle: float, high: float) -> Reading | None:
    """Of a value with two numbers in a bracket behind it."""
    try:
        other = peaked(low, middle, high)
    except ValueError:
        return None
    if isinstance(prior, d.LogNormal):
        kind, ends = "log-normal", [math.exp(prior.log_mean + sds * prior.log_sd) for sds in (-WITHIN_95, WITHIN_95)]
    elif isinstance(prior, d.Normal):
        kind, ends = "normal", [prior.mean + sds * prior.sd for sds in (-WITHIN_95, WITHIN_95)]
    else:
        return None
    words = f"{said} is read as {kind}: 95 % of the prior lie from {spoken(ends[0], 3)} to {spoken(ends[1], 3)}."
    return Reading(words, MEANS_LIMITS, other)


def _range(said: str, bare: str, prior: d.Prior, before: d.Prior | None) -> Reading | None:
    """Of two numbers typed over a prior with a middle: they are the ends of a range, or in its order what it has."""
    if isinstance(prior, d.Uniform) and isinstance(before, d.Normal | d.TruncatedNormal | d.LogNormal | d.StudentT):
        middle, sd = (prior.low + prior.high) / 2.0, (prior.high - prior.low) / (2.0 * WITHIN_95)
        normal = d.Normal(mean=float(f"{middle:.6g}"), sd=float(f"{sd:.6g}"))
        words = f"{said} is read as a range: every value in it is equally plausible."
        return Reading(words, MEANS_NORMAL, normal) if sd > 0.0 else None
    if isinstance(prior, d.Normal) and isinstance(before, d.Normal) and _TWO.fullmatch(bare.strip()):
        low, high = sorted((prior.mean, prior.sd))
        words = f"{said} is read as mean {spoken(prior.mean)} and standard deviation {spoken(prior.sd)}, as the prior had them."
        return Reading(words, MEANS_RANGE, d.Uniform(low=low, high=high)) if low < high else None
    return None
