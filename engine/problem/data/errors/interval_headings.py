"""Headings of columns of single numbers that are the widths of intervals: 95 % CI, CI95, 95 % confidence, ± 95 % C.L."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .levels import factor_of_level

_PER_CENT = r"\s*(?:%|％|per ?cent|pct)"
_LEVEL = r"(?:90|95|99)"
_KIND = (
    r"(?:conf(?:idence|\.)?(?:[ _-]*(?:interval|int\.?|limits?|level|range))?|credible(?:[ _-]*(?:interval|int\.?))?"
    r"|konfidenz(?:intervall)?|intervalle? de confiance|CrI|CI|KI|C\.\s?I\.?|CL|C\.\s?L\.?)"
)
_HALF = r"(?P<half>[ _-]*(?:half[ _-]?width|half[ _-]?range|±))?"
_WHOLE = re.compile(
    rf"(?P<sign>(?:±|\+/[-\u2212]|\+-)\s*)?[(\[]?(?<![^\W_])(?:{_LEVEL}(?P<p1>{_PER_CENT})[ _-]*{_KIND}"
    rf"|{_KIND}[ _]*[(\[]?\s*{_LEVEL}(?:{_PER_CENT})?\s*[)\]]?){_HALF}(?![^\W_])[)\]]?",
    re.IGNORECASE,
)
_HALF_WIDTH = r"half[ _-]?(?:width|range|breite)s?"
_OF_RANGE = rf"(?:[ _-]*(?:{_KIND}|range|interval))?"
_HALF_OF_LEVEL = re.compile(  # half-width 95 %, half-width of the 95 % range, 95 % half-width
    rf"(?<![^\W_])(?:{_HALF_WIDTH}\s*,?\s*(?:of\s+)?(?:the\s+|an?\s+)?[(\[]?\s*{_LEVEL}{_PER_CENT}{_OF_RANGE}\s*[)\]]?"
    rf"|{_LEVEL}{_PER_CENT}{_OF_RANGE}[ _-]*{_HALF_WIDTH})",
    re.IGNORECASE,
)


def says_half_width(words: str) -> bool:
    """Whether words about errors say that these are half the widths of intervals of a level."""
    return _HALF_OF_LEVEL.search(words) is not None


def interval_part(heading: str) -> tuple[int, int, float, bool] | None:
    """Where a heading says that its column holds widths of intervals of a level, the factor by which half of such a width is
    divided for a standard deviation, and whether it says that they are half widths; None: it does not say so."""
    found = half = _HALF_OF_LEVEL.search(heading)
    found = _WHOLE.search(heading) if half is None else half
    level = re.search(_LEVEL, found[0]) if found is not None else None
    factor = None if level is None else factor_of_level(f"{level[0]} %")
    if found is None or factor is None:
        return None
    return found.start(), found.end(), factor, half is not None or bool(found["sign"] or found["half"])


def single_widths(headings: Sequence[str]) -> frozenset[int]:
    """The places of headings of intervals that stand in one column each: two of the same name side by side, or one before a
    heading that is empty, are the two limits."""
    said = [interval_part(name) is not None for name in headings]
    bare = [" ".join(name.casefold().split()) for name in headings]
    pairs = {i for i in range(len(headings) - 1) if said[i] and bare[i + 1] in ("", bare[i])}
    return frozenset(i for i, one in enumerate(said) if one and i not in pairs and i - 1 not in pairs)
