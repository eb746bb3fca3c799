"""With how many digits numbers are shown: those that count from far away, as Julian dates do, keep their decimals. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import SupportsFloat

MOST = 15  # digits that every float has
USUAL = 12  # of a measured number: more are mostly those of a computed one
LONG = 8  # digits from which on a whole number that ends in noughts is written with an exponent
_NOUGHTS = re.compile(r"(?P<sign>[-\u2212]?)(?P<first>[1-9])(?P<rest>\d*?)(?P<noughts>0{4,})")
_EXPONENT = re.compile(r"(?<=\d)e\+?(-?)0*(?=\d)")
LARGEST, LEAST = 1e6, 1e-4  # beyond which numbers in sentences have a power of ten
TIMES = " × "
_POWER = re.compile(r"(?<=\d)e([+-]?\d+)\b")
FAR = 1e5  # from which on digits before the point leave few behind it


def in_full(value: float) -> str:
    """A measured number with all its digits: 2457000.512345; of a computed one as many as tell: 0.333333333333."""
    plain = f"{value:.{USUAL}g}"
    return f"{value:.{MOST}g}" if abs(value) >= FAR and float(plain) != value else plain


def compact(text: str) -> str:
    """A number as it is written, shorter and as exact: 2.1e11 for 210000000000 and for 2.1e+11, 1e-9 for 1e-09."""
    found = _NOUGHTS.fullmatch(text)
    if found is None or len(text) - len(found["sign"]) < LONG:
        return _EXPONENT.sub(r"e\1", text)
    point = "." if found["rest"] else ""
    short = f"{found['sign']}{found['first']}{point}{found['rest']}e{len(found['rest']) + len(found['noughts'])}"
    return min((text, short), key=len)


def among(value: float, values: Iterable[float | None], least: int = 6) -> str:
    """``value`` with as many digits as tell it from others of the ``values``, but ``least``."""
    return spoken(value, digits_among(values, least))


def rounded_among(value: float, values: Iterable[float | None], least: int = 6) -> float:
    """With so many digits, as a number."""
    return float(f"{value:.{digits_among(values, least)}g}")


def digits_among(values: Iterable[float | None], least: int = 6) -> int:
    """So many that the differences of the ``values`` have ``least`` digits, however far from zero they lie; of one alone or of
    equal ones, those of a measured number."""
    finite = [v for v in values if v is not None and math.isfinite(v)]
    size = max(map(abs, finite), default=0.0)
    span = max(finite, default=0.0) - min(finite, default=0.0)
    if span <= 0.0:
        return USUAL if size >= FAR else least
    return min(MOST, least + max(0, math.ceil(math.log10(size / span)) - 1))


def spoken(value: SupportsFloat | None, digits: int = 6) -> str:
    """A number as it stands in a sentence, with so many significant digits at most: 0.3, 10280, 1.2 × 10⁻⁹; never 1.4e+02. A dash
    for None."""
    if value is None:
        return "–"
    number = float(value)
    text = f"{number:.{digits}g}"
    if "e" not in text:
        return text
    return f"{float(text):.0f}" if LEAST <= abs(number) < LARGEST else raised(text)


def raised(text: str) -> str:
    """``1.23 × 10⁻⁵`` for each ``1.23e-05`` in ``text``."""
    return _POWER.sub(lambda found: power_of_ten(int(found[1])), text)


def power_of_ten(power: int) -> str:
    """`` × 10⁻⁵``, behind a number."""
    return f"{TIMES}10{str(power).translate(_RAISED)}"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
