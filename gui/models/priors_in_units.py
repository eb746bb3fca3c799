"""Priors with the unit behind their numbers: 1.5 to 3.5 per day, 20 to 70 %. Pure."""

from __future__ import annotations

import re

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.units.unit_names import is_unit, known_unit
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.prior_families import family_of, number_in, parse_prior

_NUMBER_THEN = r"(?<=[0-9.)])\s*"
_PERCENT = re.compile(rf"{_NUMBER_THEN}(?:[%％]|per ?cent|pct\.?)", re.IGNORECASE)
_WORDS = re.compile(rf"{_NUMBER_THEN}(?P<unit>(?:per\s+)?[^\W\d_][^\s\d,;]*(?:\s+per\s+[^\W\d_]+)?|/\s*[^\W\d_]+|°[CFK]?)\s*$")
_LARGEST_SHARE = 1.0  # of a parameter that is a fraction


def parse_in_unit(text: str, parameter: d.Parameter) -> d.Prior:
    """``parse_prior`` for a ``parameter`` whose unit may stand behind the numbers, or a percent sign: then the numbers are in
    percent if the parameter is, or its prior has numbers above 1, else they are hundredths. Raises ValueError with words."""
    try:
        return parse_prior(text, parameter.prior)
    except ValueError as error:
        bare = _without_unit(text, parameter.unit)
        if bare != text:
            return parse_prior(bare, parameter.prior)
        if _PERCENT.search(text) is None:
            raise error
        parsed = parse_prior(_PERCENT.sub("", text), parameter.prior)
        return parsed if _in_percent(parameter) else _hundredths(parsed)


def _without_unit(text: str, unit: str) -> str:
    found = _WORDS.search(text)
    if found is None:
        return text
    said, own = " ".join(found["unit"].split()), unit.strip()
    factor = times(said, own) if own else None
    if own and said.casefold() != own.casefold() and factor is not None and factor != 1.0:
        raise ValueError(f"The parameter is in {one_line(own, 20)}, not in {one_line(said, 20)}: write its numbers in that unit.")
    known = said.casefold() == own.casefold() or is_unit(said) or known_unit(said) or is_unit(f"counts {said}")
    return text[: found.start()] if known else text


def _in_percent(parameter: d.Parameter) -> bool:
    if "%" in parameter.unit or "percent" in parameter.unit.casefold():
        return True
    if parameter.prior is None:
        return True
    numbers = [number_in(parameter.prior, n.field) for n in family_of(parameter.prior).numbers]
    return max((abs(n) for n in numbers if n is not None), default=100.0) > _LARGEST_SHARE


def _hundredths(prior: d.Prior) -> d.Prior:
    if not isinstance(prior, d.Uniform | d.LogUniform | d.Normal | d.TruncatedNormal):
        raise ValueError("Write the numbers without a percent sign: the parameter is a fraction.")
    shares = {f: float(f"{v / 100.0:.12g}") for f in prior.__struct_fields__ if isinstance(v := getattr(prior, f), float | int)}
    made: d.Prior = msgspec.structs.replace(prior, **shares)
    return made
