"""What is typed for a number that becomes a parameter: its name, what is known of it, or both: k = 60 to 125. Pure."""

from __future__ import annotations

import re

from bayescope.gui.models.parameters import parse_name
from bayescope.gui.models.prior_families import parse_prior

_ASSIGNED = re.compile(r"\s*(?P<name>[^=~:]*?)\s*[=~:]\s*(?P<prior>.*\S)\s*", re.DOTALL)
_TWO = re.compile(r"\s*(?P<name>[^\W\d]\w*)\s+(?P<prior>.*\d.*)", re.DOTALL)


def name_and_prior(text: str, proposed: str) -> tuple[str, str]:
    """The name, the ``proposed`` one where a prior alone is typed, and the words for the prior, '' where there are none."""
    said = _ASSIGNED.fullmatch(text)
    if said is not None:
        return said["name"] or proposed, said["prior"]
    if any(c.isdigit() for c in text) and _is_prior(text):
        return proposed, text.strip()
    two = _TWO.fullmatch(text)
    if two is not None and _is_prior(two["prior"]):
        return two["name"], two["prior"].strip()
    return text, ""


def _is_prior(text: str) -> bool:
    """Whether ``text`` says a prior and is no name."""
    try:
        parse_prior(text)
    except ValueError:
        return False
    try:
        parse_name(text)
    except ValueError:
        return True
    return " " in text.strip() or "(" in text
