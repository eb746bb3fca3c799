"""A value with its error or its interval in one cell, as they are spelled: 12.3 ± 0.4, 12.3(4), 12.3 (11.8–12.9), 1.23(4)e-3."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...numbers.number_text import value_of
from .table_cells import inside

COUNTS_IN_BRACKETS = re.compile(r"[(\[]\s*(?:n|N|count|Anzahl)\s*[)\]]")  # of a heading: mean (n)
_NUMBER = r"[-+]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?"
_UNIT = r"(?:[%％‰°µμ]?[^\W\d_]{0,4}(?:/[^\W\d_]{1,4})?)"
_PM = r"(?:±|\+/-|\+-|\\pm|&plusmn;)"
_POWER = r"(?:\s*(?:[×x*·]|\\times|\\cdot)\s*10\s*(?:\^|\*\*)?\s*\{?(?P<ten>[-+]?[0-9]{1,3})\}?|[eEdD](?P<exp>[-+]?[0-9]{1,3}))?"
_COUNT = r"(?:\s*[,;]?\s*\(?\s*[nN]\s*=\s*[0-9]+\s*\)?)?"
_TO = r"\s*(?:to|bis|till|-|–|—|;|,|\.\.\.?|…)\s*"
_NAMED = (
    r"(?:(?P<level>[0-9]{2}(?:[.,][0-9]+)?)\s*[%％]\s*[- ]?)?(?P<kind>CI|CrI|KI|VI|IC|HDI|HPD|C\.I\.|IQR|range|Spanne)?"
    r"(?:\s*(?P<after>[0-9]{2}(?:[.,][0-9]+)?)\s*[%％])?\s*[:=,]?\s*"
)
_SDS = r"(?P<kind>SD|s\.?d\.?|SEM|SE|s\.?e\.?|u|σ|sigma)"
_OPEN, _CLOSE = r"[(\[{]", r"[)\]}]"
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−‒", "0123456789-+--")
_WITH_UNIT = re.compile(  # a unit stands apart, or behind a decimal: 1a, 2a are labels
    r"([-+\u2212]?[0-9]*[.,]?[0-9]+(?:[eE][-+]?[0-9]+)?)"
    r"(?:\s*[%％]|\s+[^\W\d_][^\s\d]{0,7}|(?<=[.,][0-9])[^\W\d_]{1,4}|\s*°[CFK]?)"
)
IQR_LEVEL = 50.0  # per cent between the quartiles

# value; then a: half width, b: digits in brackets, low and high: ends, plus and minus: of two different sides
_SPELLINGS = tuple(
    re.compile(pattern, re.IGNORECASE if "kind" in pattern else 0)
    for pattern in (
        rf"(?P<value>{_NUMBER})\s*(?P<unit>{_UNIT})\s*{_PM}\s*(?P<a>{_NUMBER})\s*(?P<share>[%％])?(?P<unit2>{_UNIT}){_POWER}{_COUNT}",
        rf"\(\s*(?P<value>{_NUMBER})\s*{_PM}\s*(?P<a>{_NUMBER})\s*\){_POWER}\s*(?P<unit2>{_UNIT}){_COUNT}",
        rf"(?P<value>[-+]?[0-9]*[.,]?[0-9]+)(?P<gap>\s?)\((?P<b>[0-9]{{1,4}})\){_POWER}",
        rf"(?P<value>{_NUMBER})\s*(?P<unit>{_UNIT})\s*{_OPEN}\s*{_PM}\s*(?P<a>{_NUMBER})\s*(?P<share>[%％])?\s*{_CLOSE}",
        rf"(?P<value>{_NUMBER})\s*(?P<unit>{_UNIT})\s*[;,]?\s*{_OPEN}\s*{_NAMED}(?P<low>{_NUMBER})\s*[%％]?{_TO}"
        rf"(?P<high>{_NUMBER})\s*(?P<unit2>{_UNIT})\s*{_CLOSE}{_COUNT}",
        rf"(?P<value>{_NUMBER})\s*{_OPEN}?\s*\+\s*(?P<plus>{_NUMBER})\s*[,/;]?\s*-\s*(?P<minus>{_NUMBER})\s*{_CLOSE}?{_POWER}",
        rf"(?P<value>{_NUMBER})\s*\^\{{?\s*\+\s*(?P<plus>{_NUMBER})\s*\}}?\s*_\{{?\s*-\s*(?P<minus>{_NUMBER})\s*\}}?{_POWER}",
        rf"(?P<value>{_NUMBER})\s*_\{{?\s*-\s*(?P<minus>{_NUMBER})\s*\}}?\s*\^\{{?\s*\+\s*(?P<plus>{_NUMBER})\s*\}}?{_POWER}",
        rf"(?P<value>{_NUMBER})\s*(?P<unit>{_UNIT})\s*{_OPEN}?\s*{_SDS}\s*[=:]?\s*(?P<a>{_NUMBER})\s*{_CLOSE}?",
        rf"(?P<value>{_NUMBER})\s*{_OPEN}\s*(?P<a>[0-9]*[.,][0-9]+)\s*{_CLOSE}",
    )
)


@dataclass(frozen=True)
class Spelled:
    """A ``value`` with a standard deviation ``sd``, or with the ends ``low`` and ``high`` of an interval of ``level`` (per cent;
    None: not said). ``digits``: the error is that of the last digits. ``unit`` as it stands there."""

    value: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    digits: bool = False
    lopsided: bool = False
    spread: bool = False  # from the smallest to the largest: no error
    unit: str = ""


def spelled(text: str, decimal_comma: bool) -> Spelled | None:
    """What a cell says; None: it is spelled like none of these."""
    text = text.translate(_SUPER).strip().strip("$").strip()
    if not any(mark in text for mark in "±([{+_^\\&σ") and not re.search(r"\b(?:sd|sem?|s\.d|s\.e)", text, re.IGNORECASE):
        return None
    for pattern in _SPELLINGS:
        match = pattern.fullmatch(text)
        if match is not None and (found := _read(match.groupdict(), decimal_comma)) is not None:
            return found
    return None


def has_error(cell: str) -> bool:
    """Whether a cell holds a value with its error or interval, with a decimal point or comma."""
    return any(spelled(inside(cell), comma) is not None for comma in (False, True))


def is_measured(cell: str, decimal_comma: bool = False) -> bool:
    """Whether a cell holds a number with more to it: its error or interval, 1.2 ± 0.1, or its unit, 5 %, 5 mm."""
    text = inside(cell)
    if spelled(text, decimal_comma) is not None:
        return True
    found = _WITH_UNIT.fullmatch(text)
    return found is not None and value_of(found[1], decimal_comma) is not None


def _read(part: dict[str, str | None], comma: bool) -> Spelled | None:
    def number(name: str) -> float | None:
        cell = part.get(name)
        return None if cell is None else value_of(cell, comma)

    value, unit = number("value"), part.get("unit") or part.get("unit2") or ""
    if value is None or (part.get("unit") and part.get("unit2") and part["unit"] != part["unit2"]):
        return None
    power = 10.0 ** int(part.get("ten") or part.get("exp") or 0)
    if part.get("b") is not None:
        decimals = len((part["value"] or "").partition("," if comma else ".")[2])
        if not decimals and (part["gap"] or len(part["b"] or "") > len((part["value"] or "").lstrip("-+"))):
            return None  # 45 (12) are 12 of 45, say
        return Spelled(_scaled(value, power), _scaled(float(f"{int(part['b'] or 0)}e-{decimals}"), power), digits=True)
    if part.get("plus") is not None:
        plus, minus = number("plus"), number("minus")
        if plus is None or minus is None:
            return None
        return Spelled(_scaled(value, power), _scaled((plus + minus) / 2.0, power), lopsided=plus != minus)
    if part.get("low") is not None:
        low, high = number("low"), number("high")
        if low is None or high is None or not low <= value <= high:
            return None
        kind = (part.get("kind") or "").casefold()
        level = number("level") or number("after") or (IQR_LEVEL if kind == "iqr" else None)
        return Spelled(value, None, low, high, level, spread=kind in ("range", "spanne"), unit=unit)
    a = number("a")
    if a is None or a < 0.0:
        return None
    sd = abs(value) * a / 100.0 if part.get("share") and unit not in ("%", "％") else a
    return Spelled(_scaled(value, power), _scaled(sd, power), unit=unit)


def _scaled(value: float, power: float) -> float:
    """Without the last bits that a multiplication by 0.001 leaves."""
    return value if power == 1.0 else float(f"{value * power:.15g}")
