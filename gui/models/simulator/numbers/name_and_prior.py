"""What is typed for a number that becomes a parameter: its name, what is known of it, or both: k = 60 to 125. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem.definition import Parameter, Uniform
from bayescope.gui.models.parameters import parse_name
from bayescope.gui.models.priors_in_units import parse_in_unit

_ASSIGNED = re.compile(r"\s*(?P<name>[^=~:(]*?)\s*[=~:]\s*(?P<prior>.*\S)\s*", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*(?:[\s-]+\w+)*")
_APART = re.compile(r"\s+")
_JOINS = re.compile(r"\s+(?:is|lies|of|in)$", re.IGNORECASE)  # k lies between 1 and 2
_COMMA = re.compile(r",(?![0-9])|(?<![0-9]),")  # 0,5 is a number
_PAIRED = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def name_and_prior(text: str, proposed: str, unit: str = "") -> tuple[str, str]:
    """The name, the ``proposed`` one where a prior alone is typed, and the words for the prior, '' where there are none.

    ``unit``: of the number; it may stand behind those of the prior."""
    said = _ASSIGNED.fullmatch(text)
    if said is not None:
        return said["name"] or proposed, said["prior"]
    if any(c.isdigit() for c in text) and _is_prior(text, unit):
        return proposed, text.strip()
    text = text.strip()
    for space in _APART.finditer(text):
        name, prior = text[: space.start()], text[space.end() :]
        if any(c.isdigit() for c in prior) and _NAME.fullmatch(name) and _is_prior(prior, unit):
            return _JOINS.sub("", name), prior
    return text, ""


def several_typed(text: str, count: int) -> list[str]:
    """What is typed for each of ``count`` numbers, with commas between; those inside brackets part nothing, nor do those inside a
    prior where there are more than numbers: k = 5 +- 1, at least 2, m."""
    depth, last, parts = 0, 0, list[str]()
    for at, c in enumerate(text):
        depth = max(0, depth + _PAIRED.get(c, 0))
        if depth == 0 and _COMMA.match(text, at):
            parts.append(text[last:at].strip())
            last = at + 1
    parts.append(text[last:].strip())
    for k in range(len(parts) - 1, 0, -1):
        both = f"{parts[k - 1]}, {parts[k]}"
        if len(parts) > count and any(c.isdigit() for c in parts[k]) and _is_prior(name_and_prior(both, "x")[1]):
            parts[k - 1 : k + 1] = [both]
    return parts


def _is_prior(text: str, unit: str = "") -> bool:
    """Whether ``text`` says a prior and is no name."""
    try:
        parse_in_unit(text, Parameter(name="x", unit=unit, prior=Uniform(low=0.0, high=100.0)))
    except ValueError:
        return False
    try:
        parse_name(text)
    except ValueError:
        return True
    return " " in text.strip() or "(" in text
