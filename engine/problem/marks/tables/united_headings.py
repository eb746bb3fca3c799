"""Headings whose units are written with blanks: <u>/kJ mol-1 is one heading, not two. Pure."""

from __future__ import annotations

import re

from ...data.unit_names import known_unit, known_units

HEADING = re.compile(r"(?:[^\s()\[\]]|[(\[][^()\[\]]*[)\]])+(?:\s[(\[][^()\[\]]*[)\]])?|\S+")  # one with its unit: time (h)
_POWER = re.compile(r"[^\W\d_]{1,4}(?:(?:\^|\*\*)?\(?[-+]\d+\)?|(?:\^|\*\*)\d+|\u207b?[\u00b2\u00b3\u00b9\u2070-\u2079]+)")
_BRACKET_LAST = re.compile(r"[(\[]([^()\[\]]+)[)\]]$")

Span = tuple[int, int]


def united_headings(text: str, count: int) -> list[Span]:
    """Where the ``count`` headings of a line stand (characters from 0), units joined to the words that they belong to; empty if
    no unit has a blank in it, or there are not as many headings.

    Units with an exponent come first; plain ones (eta/Pa s), which may be names too, only where that makes the number agree.
    """
    words = [m.span() for m in HEADING.finditer(text)]
    for plain in (False, True):
        found = _united(text, words, plain)
        if len(found) == count and len(found) < len(words):
            return found
    return []


def has_parted_units(text: str) -> bool:
    """Whether a word of a heading is only the rest of the unit before it, so that its words are not the names of columns."""
    words = [m.span() for m in HEADING.finditer(text)]
    return len(_united(text, words, False)) < len(words)


def _united(text: str, words: list[Span], plain: bool) -> list[Span]:
    found: list[Span] = []
    for start, end in words:
        if found and start == found[-1][1] + 1 and _goes_on(text[slice(*found[-1])], text[start:end], plain):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return found


def _goes_on(heading: str, word: str, plain: bool) -> bool:
    """Whether ``word`` is a further part of the unit that ``heading`` ends with."""
    name, slash, unit = heading.rpartition("/")
    bracket = _BRACKET_LAST.search(heading)
    ends = bool(slash and name and known_units(unit)) or (bracket is not None and known_units(bracket[1]))
    word = word.replace("\u2212", "-")
    return ends and "/" not in word and known_unit(word) and (plain or _POWER.fullmatch(word) is not None)
