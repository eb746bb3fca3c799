"""What a piece of text says as a number: the one place that decides it; every reader asks here.

What can mean one number only is read as that number. Everything else is refused with the reason: a text is never read as
another number than it shows.

Read: ``1.5 -2 +1 .5 5. 1e-3``; Fortran's ``1.5D+02`` and ``1.0+103`` (the letter dropped before three digits); ``NaN``, ``-inf``,
``-1.#IND``, ``∞``; minus signs and hyphens of other looks (U+2212, U+FF0D, U+FE63, U+2010, U+2011) where a sign can stand.
Read if it is declared: a decimal comma, letters for powers of ten (``scale_letters``). Refused: digits other than 0 to 9, marks
between groups of digits, commas that may separate, dashes that may be signs, invisible characters among the digits, powers,
fractions, what is too large for a float.
"""

from __future__ import annotations

import math
import re

from . import scale_letters
from .number_characters import NO_BREAK_SPACES, bare, plain_signs, shorten
from .number_refusals import COMMA, MANTISSA, reason_of

NUMBER = "[-+\u2212]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eEdD][-+\u2212]?[0-9]+)?"  # for patterns that look for numbers
MOST_DIGITS = 300  # of a whole number: beyond them lies no float
_PLAIN = re.compile(rf"{MANTISSA}(?:[eE][-+]?[0-9]+)?")
_FORTRAN = re.compile(rf"({MANTISSA})[dDqQ]([-+]?[0-9]+)")
_NO_LETTER = re.compile(r"([-+]?[0-9]?\.[0-9]+)([-+][1-9][0-9]{2})")  # Fortran: one digit before the point
_NAN = re.compile(r"[-+]?(?:nan(?:q|s|\([^()\s]{0,20}\))?|1\.#(?:qnan|snan|ind)[0-9]*)", re.IGNORECASE)
_INFINITY = re.compile("([-+]?)(?:inf(?:inity)?|1\\.#inf[0-9]*|\u221e)", re.IGNORECASE)
_THOUSAND_OR_FRACTION = re.compile(r"[-+]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_TYPED_GROUPS = re.compile(rf"([-+]?)[{NO_BREAK_SPACES}]*([0-9]{{1,3}}(?:[{NO_BREAK_SPACES}][0-9]{{3}})*[^{NO_BREAK_SPACES}]*)")
_WHOLE = re.compile(rf"[-+]?[0-9]{{1,{MOST_DIGITS}}}")
_TYPED_COMMA = "Write it with a point, or without the comma."


class NumberError(ValueError):
    """Why a text is not read as a number, in a sentence for people."""


def value_of(text: str, decimal_comma: bool = False) -> float | None:
    """The number that ``text`` is from its first character to its last; None if it is none, or not surely this one."""
    if decimal_comma:
        if "," in text:
            if "." in text or text.count(",") > 1:
                return None
            text = text.replace(",", ".")
        elif "." in text and _THOUSAND_OR_FRACTION.fullmatch(plain_signs(text)) is not None:
            return None
    if _PLAIN.fullmatch(text) is None:
        return _unusual(text)
    value = float(text)
    return value if value - value == 0.0 else None  # too large for a float is not infinity


def _unusual(text: str) -> float | None:
    plain = plain_signs(text)
    if plain != text and _PLAIN.fullmatch(plain) is not None:
        return value_of(plain)
    match = _FORTRAN.fullmatch(plain) or _NO_LETTER.fullmatch(text)
    if match is not None:
        return value_of(f"{match[1]}e{match[2]}")
    if _NAN.fullmatch(plain) is not None:
        return math.nan
    match = _INFINITY.fullmatch(plain)
    if match is not None:
        return -math.inf if match[1] == "-" else math.inf
    return scale_letters.value(plain)


def parse(text: str, decimal_comma: bool = False) -> float:
    """The number that ``text`` is, white space around it aside; NaN and infinities are values. Raises NumberError."""
    value = value_of(text, decimal_comma)
    if value is None:
        value = value_of(bare(text), decimal_comma)
    if value is None:
        raise NumberError(complaint(text, decimal_comma))
    return value


def typed(text: str) -> float:
    """The finite number a person typed: as ``parse``, and a decimal comma or no-break spaces between groups of three digits.

    Raises NumberError.
    """
    plain = plain_signs(bare(text))
    if match := _TYPED_GROUPS.fullmatch(plain):
        plain = match[1] + re.sub(f"[{NO_BREAK_SPACES}]", "", match[2])
    comma = "," in plain
    value = None if is_two_ways(plain) or _NO_LETTER.fullmatch(plain) is not None else value_of(plain, comma)
    if value is None:
        raise NumberError(complaint(text, comma_advice=_TYPED_COMMA))
    if not math.isfinite(value):
        raise NumberError(f"“{shorten(text)}” is not a finite number.")
    return value


def whole(text: str) -> int:
    """The whole number that ``text`` is, white space around it aside. Raises NumberError."""
    plain = plain_signs(bare(text))
    if _WHOLE.fullmatch(plain) is None:
        raise NumberError(f"“{shorten(text)}” is not a whole number.")
    return int(plain)


def complaint(text: str, decimal_comma: bool = False, comma_advice: str = "") -> str:
    """A sentence that says why ``text`` is not read as a number. ``comma_advice``: what to do about a comma, here."""
    inner = bare(text)
    if not inner:
        return "there is nothing where the number should be."
    reason = refusal(inner, decimal_comma)
    return f"“{shorten(text)}” {reason}." + (f" {comma_advice}" if comma_advice and reason == COMMA else "")


def refusal(text: str, decimal_comma: bool = False) -> str:
    """What is wrong with ``text`` as a number, in words that follow it: has underscores between its digits."""
    inner = bare(text)
    return reason_of(plain_signs(inner), inner, decimal_comma)[0]


def looks_like_number(text: str, decimal_comma: bool = False) -> bool:
    """Whether ``text`` is a number or stands for one that cannot be read; words, dates, 3rd and 3.2mm are and do not."""
    if value_of(text, decimal_comma) is not None:
        return True
    inner = bare(text)
    if not inner:
        return False
    return value_of(inner, decimal_comma) is not None or reason_of(plain_signs(inner), inner, decimal_comma)[1]


def is_two_ways(text: str) -> bool:
    """Whether the comma in ``text`` may be a decimal comma or part thousands: that of 1,234, but not of 0,123 or 1,5."""
    return "," in text and _THOUSAND_OR_FRACTION.fullmatch(plain_signs(text)) is not None
