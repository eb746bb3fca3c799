"""Priors with the unit behind their numbers: 1.5 to 3.5 per day, 20 to 70 %. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.units.unit_names import is_unit, known_unit
from bayescope.engine.problem.data.units.unit_scales import conversion, of_other_kind, times
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.prior_families import family_of, number_in, parse_prior

_NUMBER_THEN = r"(?<=[0-9.)])\s*"
_PERCENT = re.compile(rf"{_NUMBER_THEN}(?:[%％]|per ?cent|pct\.?)", re.IGNORECASE)
_POWER = r"(?:[²³⁻¹]+|\^?-?[0-9]{1,2}(?![0-9.]))?"  # of a letter: m3, s-1
_PART = rf"[^\W\d_]+{_POWER}"
_UNIT = rf"(?P<unit>(?:per\s+)?[^\W\d_][^\s\d,;]*{_POWER}(?:/{_PART})*(?:\s+per\s+{_PART})?|1?/\s*{_PART}|°[CFK]?)"
_NUMBER = re.compile(r"(?:(?<![^\W_])(?<![\^./-])|(?<=[0-9]-))[-+]?(?:[0-9]+[.,]?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?!/)")
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
            parsed, refusal = parse_prior(bare, parameter.prior), _other_unit(text, parameter.unit)
            if factor is None:
                raise ValueError(refusal) from None
            return _multiplied(parsed, factor, refusal)
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


def unit_said(text: str) -> str:
    """The unit behind the numbers of a prior for a parameter whose unit is not known; '' where none stands there."""
    parameter = d.Parameter(name="x", prior=d.Uniform(low=0.0, high=100.0))
    return "" if bare_text(text, parameter) == text else " ".join(next(_found(text, ""), "").split())


def _without_unit(text: str, unit: str) -> tuple[str, float | None]:
    """The text without the unit behind its numbers, and what they are multiplied by to be in ``unit``; None: nothing does."""
    found = next(_found(text, unit), "")
    if not found:
        return text, 1.0
    said, own = " ".join(found.split()), unit.strip()
    factor = times(said, own) if own and said.casefold() != own.casefold() else 1.0
    if factor is None and not of_other_kind(said, own) and (conversion(said, own) or (1.0, 0.0)) == (1.0, 0.0):
        factor = 1.0  # one of the two is not known: as it is
    return re.sub(rf"{_NUMBER_THEN}{re.escape(found)}(?![^\W_])", "", text).strip(), factor


def _found(text: str, unit: str) -> Iterator[str]:
    """The units behind the last number, or behind one before more words, that are known or that of the parameter: 210 ± 8 GPa, at
    least 190."""
    ends = [number.end() for number in _NUMBER.finditer(text)]
    formed = [found for form in (_WORDS, _BETWEEN) for found in form.finditer(text)]
    whole = text[ends[-1] :].lstrip(")] ").rstrip() if ends else ""  # W/(m K), kg m-3
    for said in (whole, *(found["unit"] for found in formed if found.start() in ends or text[found.start() - 1] == ")")):
        plain = " ".join(said.split())
        own = plain.casefold() == unit.strip().casefold() or times(plain, plain) is not None
        if any(c.isalpha() or c == "°" for c in plain) and (
            own or is_unit(plain) or known_unit(plain) or is_unit(f"counts {plain}")
        ):
            yield said


def _other_unit(text: str, unit: str) -> str:
    said = " ".join(next(_found(text, unit), "").split())
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
