"""Errors typed as expanded uncertainties, as calibration certificates state them: 0.40 (k=2), U = 0.40, k = 2, 0.40 (95 %).

The size of an error is the standard uncertainty: the expanded one divided by its coverage factor (JCGM 100:2008, GUM, 6.2.1).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bayescope.engine.problem.data.errors.levels import factor_of_level
from bayescope.engine.problem.data.errors.stated_level import without_level
from bayescope.engine.problem.numbers.shown_digits import spoken

_CALLED = re.compile(
    r"^(?P<name>U(?:_?95)?|u|uc|(?i:s|sd|sigma|σ|std|stdev|uncertainty|unc|error|err|(?:expanded|standard)\s+uncertainty))"
    r"\s*[=:]\s*(?=[±+\-−]?\s*[\d.])"
)
_LEVEL = r"(?P<level>(?<![\d.,])(?:90|95|95[.,]45|99|99[.,]73?)\s*(?:[%％]|per ?cent|pct))"
_OF = r"(?:\s*(?:confidence|coverage|level|probability|interval|limits?|CI|CL))*"
_BEHIND = re.compile(
    rf"(?P<size>.*\d.*?)\s*(?:[,;]|[(\[]|\b(?:at|with|to|for|mit|bei)\b|(?<=\s))\s*{_LEVEL}{_OF}\s*[)\]]?", re.IGNORECASE
)
_BEFORE = re.compile(rf"{_LEVEL}{_OF}\s*[:=,]?\s*(?P<size>(?:±|\+/?-)?\s*\d.*)", re.IGNORECASE)
_TWO_PARTS = re.compile(r"[+&⊕]\s*$|\b(?:plus|and|und|or|oder|least|than|of|max|minimum|mindestens)\b", re.IGNORECASE)
EXPANDED_UNSAID = "U is an expanded uncertainty. Write its coverage factor too: U = {}, k = 2."
ROUNDED = (1.645, 1.96, 2.576)  # factors of levels, which are rounded themselves
LEVEL_DIGITS = 4  # of what is divided by the factor of a level: 1.96 itself is rounded


class Typed(NamedTuple):
    """``size``: the text without what it says of the coverage; ``factor``: by which it is divided; ``level``: the factor is that
    of a level of coverage, which is rounded."""

    size: str
    factor: float = 1.0
    level: bool = False

    def divided(self, value: float) -> float:
        """The standard uncertainty."""
        return value if self.factor == 1.0 else float(f"{value / self.factor:.{LEVEL_DIGITS if self.level else 12}g}")


def typed_uncertainty(text: str) -> Typed:
    """``text`` apart from its coverage factor or level; a size alone stays as it is. Raises ValueError with words where U stands
    without its factor."""
    called = _CALLED.match(text)
    plain = text[called.end() :] if called is not None else text
    found = without_level(plain)
    if found.said and re.search(r"\d", found.words):
        return Typed(found.words.strip(" ,;:="), found.factor, level=found.factor in ROUNDED)
    for way in (_BEHIND, _BEFORE):
        level = way.fullmatch(plain.strip())
        if level is not None and not _TWO_PARTS.search(level["size"]):
            return Typed(level["size"].strip(" ,;"), factor_of_level(level["level"]) or 1.0, level=True)
    if called is not None and called["name"].startswith("U"):
        by = factor_of_level("95 %") if called["name"] != "U" else None
        if by is None:
            raise ValueError(EXPANDED_UNSAID.format(plain.strip()))
        return Typed(plain, by, level=True)
    return Typed(plain)


def typed_factor(words: str) -> float:
    """The coverage factor of the level that stands behind the last number of a line: 1.96 of errors: 0.4 (95 %); else 1."""
    found = re.search(rf"[0-9][^0-9]*[,;(\[\s]\s*{_LEVEL}{_OF}\s*[)\]]?\s*\.?$", words, re.IGNORECASE)
    return 1.0 if found is None else factor_of_level(found["level"]) or 1.0


def divided_words(text: str, size: str) -> str:
    """What became of a size that was typed as an expanded uncertainty, a sentence; '' where it is no such. ``size``: as it is
    shown now."""
    try:
        typed = typed_uncertainty(text.strip())
    except ValueError:
        return ""
    if typed.factor == 1.0:
        return ""
    return f"“{text.strip()}” is divided by its coverage factor, {spoken(typed.factor)}: the error is {size}."
