"""With how many digits numbers are shown: those that count from far away, as Julian dates do, keep their decimals. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

MOST = 15  # digits that every float has
USUAL = 12  # of a measured number: more are mostly those of a computed one
LONG = 8  # digits from which on a whole number that ends in noughts is written with an exponent
_NOUGHTS = re.compile(r"(?P<sign>[-\u2212]?)(?P<first>[1-9])(?P<rest>\d*?)(?P<noughts>0{4,})")
_EXPONENT = re.compile(r"(?<=\d)e\+?(-?)0*(?=\d)")
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
    return f"{value:.{digits_among(values, least)}g}"


def rounded_among(value: float, values: Iterable[float | None], least: int = 6) -> float:
    """As ``among``, as a number."""
    return float(among(value, values, least))


def digits_among(values: Iterable[float | None], least: int = 6) -> int:
    """So many that the differences of the ``values`` have ``least`` digits, however far from zero they lie; of one alone or of
    equal ones, those of a measured number."""
    finite = [v for v in values if v is not None and math.isfinite(v)]
    size = max(map(abs, finite), default=0.0)
    span = max(finite, default=0.0) - min(finite, default=0.0)
    if span <= 0.0:
        return USUAL if size >= FAR else least
    return min(MOST, least + max(0, math.ceil(math.log10(size / span)) - 1))
