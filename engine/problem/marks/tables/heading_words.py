"""The column whose name was marked in the row of headings above a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.names.classes import is_class
from ...extract.reading import Line
from ...extract.row_cells import is_rule
from ..words import column_name
from .block import Block

_BETWEEN = " \t,;|"  # headings
_WORD = re.compile(rf"[^{_BETWEEN}]+")
_MARKS = "\"'#"


def column_named(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> int | None:
    """The place in ``block.columns`` of the one column whose name has all that is marked in line ``at``; None: there is none.

    ``across``: the marked characters of the line; of words that are touched the whole ones are meant. A title above the table
    says words that are no names of its columns.
    """
    if len(block.columns) < 2 or any(_is_text(line) for line in lines[at + 1 : block.rows[0]]):
        return None
    touched = _touched(lines[at].text, across)
    marked = [w.group().strip(_MARKS) for w in touched]
    names = [_WORD.findall(column_name(block, column, lines)) for column in block.columns]
    if not marked or not any(is_class(word) or any(c.isalpha() for c in word) for word in marked):
        return None
    hit = [k for k, name in enumerate(names) if _holds([w.strip(_MARKS) for w in name], marked)]
    stood = [w.strip(_MARKS) for w in _WORD.findall(lines[at].text)]
    others = sum(bool(name) and {w.strip(_MARKS) for w in name} <= set(stood) for name in names)
    if len(hit) > 1 and len(marked) == 1 and stood.count(marked[0]) == len(hit):  # a heading that comes again: this one of them
        before = [w.strip(_MARKS) for w in _WORD.findall(lines[at].text[: touched[0].start()])]
        hit = [hit[before.count(marked[0])]]
    return hit[0] if len(hit) == 1 and others > 1 else None


def _is_text(line: Line) -> bool:
    """Whether a line between headings and rows says more than units: then what stands above it is a title."""
    if not line.text.strip() or is_rule(line.text):
        return False
    return not all(word.strip(_MARKS)[:1] in ("", "[", "(", "-", "<") for word in _WORD.findall(line.text))


def _touched(text: str, across: tuple[int, int]) -> list[re.Match[str]]:
    left, right = across
    found = [w for w in _WORD.finditer(text) if w.start() <= right and left <= w.end()]
    if left < right:  # what is only touched at its edge is not meant by a drag
        found = [w for w in found if w.start() < right and left < w.end()] or found
    return found


def _holds(name: Sequence[str], marked: Sequence[str]) -> bool:
    return any(list(name[k : k + len(marked)]) == list(marked) for k in range(len(name)))
