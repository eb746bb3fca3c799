"""What stands in brackets at the end of a name: a unit, or words. Pure."""

from __future__ import annotations

import re

from ..units.unit_names import is_unit

_OPENING = {")": "(", "]": "["}
WORD = re.compile(r"[^\W\d_]{4,}(?:[ _-][^\W\d_]+)*")  # says of what kind, rather than in which unit: total, outer wall


def bracket_of(name: str) -> str:
    """What stands in the bracket at the end of ``name``; '' if there is none, or nothing before it."""
    bare = name.strip()
    start = start_of_bracket(bare) if bare[-1:] in _OPENING else -1
    return bare[start + 1 : -1].strip() if start > 0 else ""


def start_of_bracket(text: str) -> int:
    """Where the bracket opens that ``text`` ends with; -1 if it never does."""
    closing, depth = text[-1], 0
    for i in range(len(text) - 1, -1, -1):
        depth += (text[i] == closing) - (text[i] == _OPENING[closing])
        if depth == 0:
            return i
    return -1


def brackets_at_end(bare: str) -> list[tuple[str, str]]:
    """The brackets at the end of a name, the last one first: what stands before each, and in it."""
    found = []
    while bare[-1:] in _OPENING:
        start = start_of_bracket(bare)
        if start < 1 or not bare[:start].strip():
            break
        found.append((bare[:start].strip(), bare[start:].strip("()[] ")))
        bare = found[-1][0]
    return found


def unit_behind_words(inside: str) -> str:
    """The unit at the end of what stands in a bracket, in one of its own: mm of (drawdown [mm]); '' if none. Not of what is a
    unit itself, mg [N], nor m (NAP), of which the second is none."""
    unit = bracket_of(inside)
    said = inside[: start_of_bracket(inside)].strip() if unit else ""
    return unit if WORD.search(said) is not None and is_unit(unit) and not is_unit(said) else ""
