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
_UNIT = r"(?P<unit>(?:per\s+)?[^\W\d_][^\s\d,;]*(?:\s+per\s+[^\W\d_]+)?|/\s*[^\W\d_]+|°[CFK]?)"
_WORDS = re.compile(rf"{_NUMBER_THEN}{_UNIT}\s*$")
_BETWEEN = re.compile(rf"{_NUMBER_THEN}{_UNIT}(?=\s*[,;]|\s+(?:[^\W\d_]+\s|[-–±<>≤≥]))")
_LARGEST_SHARE = 1.0  # of a parameter that is a fraction


def parse_in_unit(text: str, parameter: d.Parameter) -> d.Prior:
    """``parse_prior`` for a ``parameter`` whose unit may stand behind the numbers, or another one that makes it: 30 ± 4 GPa of
    one in kN/m². Behind a percent sign the numbers are in percent if the parameter is, or its prior has numbers above 1, else
    they are hundredths. Raises ValueError with words."""
    try:
        return parse_prior(text, parameter.prior)
    except ValueError as error:
        bare, factor = _without_unit(text, parameter.unit)
        if bare != text:
            return _multiplied(parse_prior(bare, parameter.prior), factor, _other_unit(text, parameter.unit))
        if _PERCENT.search(text) is None:
            raise error
        parsed = parse_prior(_PERCENT.sub("", text), parameter.prior)
        refusal = "Write the numbers without a percent sign: the parameter is a fraction."
    return parsed if _in_percent(parameter) else _multiplied(parsed, 0.01, refusal)


def is_said_in_unit(text: str, parameter: d.Parameter) -> bool:
    """Whether ``text`` has a unit, or a percent sign, behind its numbers and says the prior that the ``parameter`` has."""
    try:
        bare, _ = _without_unit(text, parameter.unit)
        in_unit = bare != text or _PERCENT.search(text) is not None
        return in_unit and parse_in_unit(text, parameter) == parameter.prior
    except ValueError:
        return False


def bare_text(text: str, parameter: d.Parameter) -> str:
    """``text`` without the unit, or the percent sign, behind its numbers where these are what it could not be read with."""
    try:
        parse_prior(text, parameter.prior)
        return text
    except ValueError:
        bare, _ = _without_unit(text, parameter.unit)
        return bare if bare != text else _PERCENT.sub("", text)


def _without_unit(text: str, unit: str) -> tuple[str, float]:
    """The text without the unit behind its numbers, and what they are multiplied by to be in ``unit``."""
    found = _found(text)
    if found is None:
        return text, 1.0
    said, own = " ".join(found["unit"].split()), unit.strip()
    factor = times(said, own) if own and said.casefold() != own.casefold() else None
    known = said.casefold() == own.casefold() or is_unit(said) or known_unit(said) or is_unit(f"counts {said}")
    if not known and factor is None:
        return text, 1.0
    return re.sub(rf"{_NUMBER_THEN}{re.escape(found['unit'])}(?![^\W_])", "", text).strip(), 1.0 if factor is None else factor


def _found(text: str) -> re.Match[str] | None:
    """The unit behind the last number, or behind one before more words: 210 ± 8 GPa, at least 190."""
    return _WORDS.search(text) or _BETWEEN.search(text)


def _other_unit(text: str, unit: str) -> str:
    found = _found(text)
    said = "" if found is None else " ".join(found["unit"].split())
    return f"The parameter is in {one_line(unit, 20)}, not in {one_line(said, 20)}: write its numbers in that unit."


def _in_percent(parameter: d.Parameter) -> bool:
    if "%" in parameter.unit or "percent" in parameter.unit.casefold():
        return True
    if parameter.prior is None:
        return True
    numbers = [number_in(parameter.prior, n.field) for n in family_of(parameter.prior).numbers]
    return max((abs(n) for n in numbers if n is not None), default=100.0) > _LARGEST_SHARE


def _multiplied(prior: d.Prior, factor: float, refusal: str) -> d.Prior:
    """With every number times ``factor``; ValueError with the words ``refusal`` where some are no values of the parameter."""
    if factor == 1.0:
        return prior
    if isinstance(prior, d.Beta):
        return msgspec.structs.replace(prior, low=float(f"{prior.low * factor:.12g}"), high=float(f"{prior.high * factor:.12g}"))
    if not isinstance(prior, d.Uniform | d.LogUniform | d.Normal | d.TruncatedNormal):
        raise ValueError(refusal)
    numbers = {f: v for f in prior.__struct_fields__ if isinstance(v := getattr(prior, f), float | int)}
    made: d.Prior = msgspec.structs.replace(prior, **{f: float(f"{v * factor:.12g}") for f, v in numbers.items()})
    return made
