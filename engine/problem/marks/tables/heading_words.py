"""The column whose name was marked in the row of headings above a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...data.names.classes import is_class
from ...extract.reading import Line
from ...extract.row_cells import is_rule
from ..words import column_name
from .block import Block
from .unit_lines import are_units

_BETWEEN = " \t,;|"  # headings
_WORD = re.compile(rf"[^{_BETWEEN}]+")
_MARKS = "\"'#"
_PHRASE = re.compile(r"\S+(?: \S+)*")
MOST_WORDS = 4  # for each column, of a line of headings


def column_named(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> int | None:
    """The place in ``block.columns`` of the one column whose name has all that is marked in line ``at``; None: there is none.

    ``across``: the marked characters of the line; of words that are touched the whole ones are meant. A title above the table
    says words that are no names of its columns.
    """
    if len(block.columns) < 2:
        return None
    between = [line.text for line in lines[at + 1 : block.rows[0]] if _is_text(line)]
    if any(len(_words(text)) > MOST_WORDS * len(block.columns) for text in between):
        return None
    touched = _touched(lines[at].text, across)
    marked = [w.group().strip(_MARKS) for w in touched]
    if not marked or not any(is_class(word) or any(c.isalpha() for c in word) for word in marked):
        return None
    names = [_words(column_name(block, column, lines)) for column in block.columns]
    stood = _words(lines[at].text)
    if not _heads(names, stood, [_words(text) for text in between]) and not _goes_on(names, lines[at].text, between):
        return None
    hit = [k for k, name in enumerate(names) if _holds(name, marked)]
    if len(hit) > 1 and len(marked) == 1 and stood.count(marked[0]) == len(hit):  # a heading that comes again: this one of them
        hit = [hit[_words(lines[at].text[: touched[0].start()]).count(marked[0])]]
    return hit[0] if len(hit) == 1 else None


def unit_marked(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int], below: Sequence[int]) -> bool:
    """Whether the unit of the one column ``below`` is marked in line ``at``, which says those of others, too."""
    marked = _touched(lines[at].text, across)
    if len(below) != 1 or len(marked) != 1 or not are_units(_words(lines[at].text)):
        return False
    if any(_is_text(line) for line in lines[at + 1 : block.rows[0]]):
        return False
    names = [column_name(block, column, lines) for column in block.columns]
    named = bool(names[below[0]]) and sum(bool(name) for name in names) > 1
    return named and not any(_words(name) == _words(marked[0][0]) for name in names)


def _words(text: str) -> list[str]:
    return [word.strip(_MARKS) for word in _WORD.findall(text) if word.strip(_MARKS)]


def _heads(names: Sequence[Sequence[str]], stood: Sequence[str], between: Sequence[Sequence[str]]) -> bool:
    """Whether a line that says ``stood`` names columns, with the lines ``between`` it and the rows as more of their names."""
    known = {word for name in names for word in name}
    below = {word for words in between for word in words}
    if not below:
        whole = sum(bool(name) and set(name) <= set(stood) for name in names)
        return whole > 1 or (set(stood) <= known and sum(bool(set(name) & set(stood)) for name in names) > 1)
    return (below | set(stood)) <= known and any(set(name) & set(stood) - below for name in names)


def _goes_on(names: Sequence[Sequence[str]], text: str, between: Sequence[str]) -> bool:
    """Whether each word or two of the lines ``between`` stands below one of a line of several names, none two below one."""
    over = [m.span() for m in _PHRASE.finditer(text)]
    for line in between:
        hit = [[k for k, (a, b) in enumerate(over) if m.start() < b and a < m.end()] for m in _PHRASE.finditer(line)]
        if any(len(one) != 1 for one in hit) or len({one[0] for one in hit}) < len(hit):
            return False
    return bool(between) and len(over) > 1 and sum(bool(set(name) & set(_words(text))) for name in names) > 1


def _is_text(line: Line) -> bool:
    """Whether a line between headings and rows says more than units."""
    if not line.text.strip() or is_rule(line.text):
        return False
    return not are_units(_words(line.text)) and not all(word[:1] in ("[", "(", "-", "<") for word in _words(line.text))


def _touched(text: str, across: tuple[int, int]) -> list[re.Match[str]]:
    left, right = across
    found = [w for w in _WORD.finditer(text) if w.start() <= right and left <= w.end()]
    if left < right:  # what is only touched at its edge is not meant by a drag
        found = [w for w in found if w.start() < right and left < w.end()] or found
    return found


def _holds(name: Sequence[str], marked: Sequence[str]) -> bool:
    return any(list(name[k : k + len(marked)]) == list(marked) for k in range(len(name)))
