"""Headings written with blanks: with units, <u>/kJ mol-1, and of several words flush with what stands below. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.units.unit_names import known_unit, known_units

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


def flush_headings(text: str, below: Sequence[Sequence[tuple[str, Span]]]) -> list[Span]:
    """Where the headings of a line stand, one for each cell, where there are more words than cells: each ends where its column
    does, or begins there. ``below``: the cells of some rows, as many in each, with where they stand. A column of one unit alone
    belongs to that before it. Empty: some heading stands elsewhere."""
    if not below or len({len(cells) for cells in below}) != 1:
        return []
    columns = list(zip(*below, strict=True))
    groups = list[list[int]]()
    for k, column in enumerate(columns):
        units = {word for word, _ in column}
        rest = bool(groups) and len(units) == 1 and known_unit(next(iter(units)))
        groups = [*groups[:-1], [*groups[-1], k]] if rest else [*groups, [k]]
    words = [m.span() for m in re.finditer(r"\S+", text)]
    if len(words) <= len(groups) or len(groups) < 2:
        return []
    ends = [max(span[1] for k in group for _, span in columns[k]) for group in groups]
    starts = [min(span[0] for k in group for _, span in columns[k]) for group in groups]
    found: list[Span] = []
    if words[-1][1] == ends[-1] and set(ends) <= {end for _, end in words}:
        found = [(min(a for a, b in words if before < b <= end), end) for before, end in zip([0, *ends], ends, strict=False)]
    elif words[0][0] == starts[0] and set(starts) <= {start for start, _ in words}:
        bounds = [*starts[1:], len(text) + 1]
        found = [(start, max(b for a, b in words if start <= a < end)) for start, end in zip(starts, bounds, strict=True)]
    return [span for span, group in zip(found, groups, strict=True) for _ in group] if found else []


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
