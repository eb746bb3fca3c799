"""Levels of coverage, and by what expanded uncertainties are divided at them.

JCGM 100:2008 (GUM), sections 2.3.5 and 6.3.3, table G.1.
"""

from __future__ import annotations

import re

_LEVEL = re.compile(r"(?<![\d.,])(90|95|95[.,]45|99|99[.,]73?)\s*(?:%|per ?cent|pct)", re.IGNORECASE)
OF_LEVEL = re.compile(r"\b(?:coverage|confidence|expanded|level|probability|half[ -]?(?:width|range)s?)\b", re.IGNORECASE)
# of a normal distribution, as for infinitely many degrees of freedom
_FACTORS = {"90": 1.645, "95": 1.96, "95.45": 2.0, "99": 2.576, "99.7": 3.0, "99.73": 3.0}
USUAL = 2.0  # the factor where none is said: a level of about 95 %
# English, German, Dutch, French, Spanish, Italian, Portuguese
EXPANDED = re.compile(
    r"\b(?:expanded|erweiterte[rn]?|uitgebreide?|[ée]largie|expandida|estesa|ampliada)\b", re.IGNORECASE
)


def factor_of_level(text: str) -> float | None:
    """The coverage factor of the level that ``text`` says: 95 % and 1.96."""
    found = _LEVEL.search(text)
    return None if found is None else _FACTORS[found[1].replace(",", ".")]


def without_level(text: str) -> str:
    """``text`` without a level of coverage and its brackets."""
    return " ".join(re.sub(rf"[(\[]\s*{_LEVEL.pattern}[^()\[\]]*[)\]]|{_LEVEL.pattern}", " ", text, flags=re.IGNORECASE).split())
