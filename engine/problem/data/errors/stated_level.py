"""Lines of words about errors that say at which level these are: uncertainty (k=2) 0.3; 0.3 at 95 % confidence; 2 sigma: 0.3.

Errors of a level are divided by its coverage factor to be standard deviations (JCGM 100:2008, GUM, section 6.3).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .error_headings import COVERAGE, SIGMAS, factor_in
from .levels import OF_LEVEL, USUAL, factor_of_level

_LEVEL = r"(?:90|95|95[.,]45|99|99[.,]73?)\s*(?:%|per ?cent|pct)"
_OF = r"(?:\s*(?:confidence|coverage|level|probability|interval|range|limits?|CI|of|the))*"
_PHRASE = re.compile(rf"(?:\b(?:at|with|to|for|mit|bei)\s+)?(?:an?\s+|the\s+)?(?<![\d.,]){_LEVEL}{_OF}", re.IGNORECASE)
_BRACKET = re.compile(r"[(\[][^()\[\]]*[)\]]")
_EMPTY = re.compile(r"[(\[][\s,;:]*[)\]]")
_EXPANDED = re.compile(r"\b(?:expanded|erweitert\w*|élargie|expandida|estesa)\b", re.IGNORECASE)
_COUNT = re.compile(r"[,;]?\s*[(\[]?\s*\bn\s*=\s*[0-9]+\s*[)\]]?", re.IGNORECASE)


class Levelled(NamedTuple):
    """``words`` without what they say of the level; ``factor``: by which the errors they state are divided to be standard
    deviations; ``said``: the factor or a level stands there, rather than only that errors are expanded."""

    words: str
    factor: float
    said: bool


def without_level(words: str) -> Levelled:
    """A line of words apart from the level, and from how often something was measured (n = 3)."""
    counted = _COUNT.sub("", words)
    factor = factor_in(counted)
    by_level = factor_of_level(counted) if OF_LEVEL.search(counted) else None
    if factor is None and by_level is None:
        expanded = _EXPANDED.search(counted) is not None
        return Levelled(counted.strip(), USUAL if expanded else 1.0, False)
    kept = _BRACKET.sub(lambda inside: "" if factor_in(inside[0]) is not None else inside[0], counted)
    for said in (COVERAGE, SIGMAS, _PHRASE):
        kept = said.sub(" ", kept)
    kept = " ".join(_EMPTY.sub(" ", kept).split())
    return Levelled(kept.strip(" ,;"), factor or by_level or 1.0, True)
