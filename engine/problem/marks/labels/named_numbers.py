"""The numbers of one line each of which is named there: fx = 1.25  fy = 2.5, or 12.5 kPa (p_max), 3.25 s (t_peak). Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...data.units.unit_names import known_unit
from ...numbers.numbers_in_text import Number, line_bounds, numbers, overlaps
from .number_label import label_of

_WORD = r"[^\W\d][\w.*'-]*"
_BEHIND = re.compile(rf"[ \t]*(?:(\S{{1,14}}?)[ \t]*)?(?:\(\s*({_WORD}(?: {_WORD})*)\s*\)|\[\s*({_WORD}(?: {_WORD})*)\s*\])")
_PLAIN_BEHIND = re.compile(rf"[ \t]{{1,3}}({_WORD})[ \t]*(?=[,;|]|$|[ \t][-+.\d])")


@dataclass(frozen=True)
class Named:
    """A number, the words that name it, and its unit; empty: none is printed."""

    number: Number
    words: str
    unit: str = ""


def named_numbers(text: str, start: int, end: int) -> list[Named]:
    """The numbers that [start, end) of one line touches, if each of them has a name of its own; else none.

    The name stands before the number, or behind it: in brackets, or as a word where the line begins with a number.
    """
    low, high = line_bounds(text, start)
    there = [n for n in numbers(text, low, high) if not _is_in_a_word(text, n)]
    hits = [n for n in there if overlaps(n.start, n.end, start, end)]
    if len(hits) < 2:
        return []
    for found in (_behind(text, hits, there, high), _before(text, hits)):
        if len(found) == len(hits) and len({one.words for one in found}) == len(found):
            return found
    return []


def _is_in_a_word(text: str, number: Number) -> bool:
    return text[number.start - 1 : number.start].isalpha()


def _before(text: str, hits: Sequence[Number]) -> list[Named]:
    labels = [(n, label_of(text, n.start, n.end)) for n in hits]
    return [Named(n, one.words, one.unit) for n, one in labels if one is not None]


def _behind(text: str, hits: Sequence[Number], there: Sequence[Number], high: int) -> list[Named]:
    """Those named by what stands behind them, up to the next number."""
    ends = {n: following.start for n, following in itertools.pairwise(there)}
    rest = {n: text[n.end : ends.get(n, high)] for n in hits}
    found = []
    for n in hits:
        told = _BEHIND.match(rest[n])
        name = (told[2] or told[3]) if told is not None else ""
        if told is None or known_unit(name) or (told[1] and not known_unit(told[1])):
            break
        found.append(Named(n, name, told[1] or ""))
    if len(found) == len(hits):
        return found
    if any(c.isalpha() for c in text[line_bounds(text, hits[0].start)[0] : there[0].start]):
        return []
    plain = [(n, _PLAIN_BEHIND.match(rest[n])) for n in hits]
    return [Named(n, told[1]) for n, told in plain if told is not None and not known_unit(told[1])]
