"""A drag from a number to one below it in an input file: those between them, one a line. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem import placeholders
from bayescope.engine.problem.marks.labels.label_names import short_name
from bayescope.engine.problem.numbers.numbers_in_text import Number, line_bounds, numbers, overlaps

_WORDS = re.compile(r"(?<!\S)[^\W\d_][^\W\d_.'-]*(?:[ _-][^\W\d_]+)*")


def column_under(text: str, start: int, end: int) -> list[Number]:
    """Those of the drag [start, end), of two lines or more; [] where it does not end below the number in which it began (blanks
    beside it count): it means all that it touches. Below: in the same characters of the line, or the k-th number of lines with as
    many numbers."""
    lines = _lines(text, start, end)
    if len(lines) < 2:
        return []
    first = next((n for n in lines[0][1] if start < n.end and not text[start : n.start].strip()), None)
    last = next((n for n in reversed(lines[-1][1]) if n.start < end and not text[n.end : end].strip()), None)
    if first is None or last is None:
        return []
    k, across = lines[0][1].index(first), (first.start - lines[0][0], first.end - lines[0][0])
    if overlaps(*across, last.start - lines[-1][0], last.end - lines[-1][0]):
        low, high = min(across[0], last.start - lines[-1][0]), max(across[1], last.end - lines[-1][0])
        below = [[n for n in found if overlaps(n.start - at, n.end - at, low, high)] for at, found in lines]
        if all(len(found) == 1 for found in below):
            return [found[0] for found in below]
    counts = {len(found) for _, found in lines}
    return [found[k] for _, found in lines] if counts == {len(lines[-1][1])} and lines[-1][1].index(last) == k else []


def row_names(text: str, column: list[Number]) -> list[str]:
    """A name for each number by the words of its line, the first behind it, else the first before it; '' where they are not
    different ones."""
    found = [_row_name(text, number) for number in column]
    return found if all(found) and len(set(found)) == len(found) else [""] * len(found)


def _row_name(text: str, number: Number) -> str:
    low, high = line_bounds(text, number.start)
    words = _WORDS.search(text[number.end : high]) or _WORDS.search(text[low : number.start])
    return "" if words is None else short_name(words.group())


def _lines(text: str, start: int, end: int) -> list[tuple[int, list[Number]]]:
    """Where each line of the drag begins, and its numbers that are no parameters yet; lines without any are left out between the
    first and the last."""
    taken = placeholders.find(text)
    found: list[tuple[int, list[Number]]] = []
    low = line_bounds(text, start)[0]
    while low < end:
        high = line_bounds(text, low)[1]
        here = [n for n in numbers(text, low, high) if not any(a < n.end and n.start < b for _, a, b in taken)]
        found += [(low, here)] if here else []
        low = high + 1 + text.startswith("\r\n", high)
    return found
