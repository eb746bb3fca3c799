"""A cell that says only on which side of a limit a value lies: <0.05, <LOD, > 200, BDL."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...numbers.number_text import is_two_ways, value_of
from .table_cells import MISSING, inside

_SIGN = r"(?P<sign><=|>=|=<|=>|[<>≤≥⩽⩾]|&lt;|&gt;)"
_WORDS = (
    r"l\.?o\.?[dq]\.?|m\.?d\.?l\.?|l\.?l\.?o\.?[dq]\.?|u\.?l\.?o\.?[dq]\.?|d\.?l\.?|r\.?l\.?|p\.?q\.?l\.?|nwg|bg|"
    r"(?:limit of |)(?:detection|quantification|quantitation|reporting)(?: limit)?"
)
_UNIT = r"\s*(?:[%‰]|[°µμ]?[^\W\d_]{1,5}(?:/[^\W\d_]{1,5})?)?"
_LIMIT = re.compile(
    rf"{_SIGN}\s*(?:(?P<number>[-+]?[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?){_UNIT}|"
    rf"(?:{_WORDS})(?:\s*[(=]\s*(?P<of>[0-9.,]+)\s*\)?)?)",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"b\. ?d\. ?l\.|u\. ?d\. ?l\.|bdl|udl|b\.?l\.?[dq]\.?|b\.?q\.?l\.?|n\. ?n\.|u\. ?[bn]\. ?(?:g\.)?|u\.? ?(?:bg|ng|nwg)|"
    rf"(?:below|under|unter|<)\s*(?:the\s+)?(?:{_WORDS}|nachweisgrenze|bestimmungsgrenze)|not detected|"
    r"non-?detects?|nondetect|nicht nachweisbar|non détecté|no detectado",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Limit:
    """``below``: the value lies below ``value`` (None: which limit is not said), else above it; ``closed``: or is the limit."""

    below: bool
    value: float | None = None
    closed: bool = False

    @property
    def text(self) -> str | None:
        """As a data table has it, ``<0.05``; None where the limit is not said."""
        sign = ("<" if self.below else ">") + "=" * self.closed
        return None if self.value is None else f"{sign}{self.value:.12g}"


def limit_in(cell: str, decimal_comma: bool = False) -> Limit | None:
    """The limit that a cell gives instead of a value; None: it gives none."""
    text = inside(cell)
    if not text or text.lower() in MISSING:
        return None
    match = _LIMIT.fullmatch(text)
    if match is None:
        return Limit(True) if _BELOW.fullmatch(text) else None
    number = match["number"] or match["of"]
    comma = decimal_comma or (number is not None and "," in number and "." not in number and not is_two_ways(number))
    value = None if number is None else value_of(number, comma)
    if match["number"] is not None and value is None:
        return None  # what it is instead, is said where numbers are read
    sign = match["sign"]
    closed = value is not None and sign not in ("<", ">", "&lt;", "&gt;")
    return Limit(sign in ("<", "≤", "⩽", "<=", "=<", "&lt;"), value, closed)
