"""Columns of an input file's table that a comment line above heads: ``; name  mass  sigma (nm)  epsilon (kJ/mol)``. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bayescope.engine.problem.data.names.classes import is_class
from bayescope.engine.problem.data.units.unit_scales import times
from bayescope.engine.problem.marks.labels.label_names import heading_name, short_name
from bayescope.engine.problem.marks.labels.number_label import LOOSE_ENDS
from bayescope.engine.problem.numbers.number_text import value_of
from bayescope.engine.problem.numbers.numbers_in_text import line_bounds

FURTHEST = 200  # lines between a row and the comment that heads its column
_COMMENT = re.compile(r"\s*(?:[;#!%*$]|//|--)+\s*(?P<words>.*?)\s*")
_KEYWORD = re.compile(r"\s*\*[A-Za-z]\w*\s*")  # of a deck, between a comment and its rows: *SECTION
_NAMED_LIST = re.compile(r"\(([^()]*,[^()]*)\)")  # ; springs at the foot (node, dof, k)
_BRACKET = re.compile(r"[(\[]\s*([^()\[\],]+?)\s*[)\]]")
_WHOLE = re.compile(r"[-+]?\d+")
_BRACKETED = r"(?:\s?[(\[][^()\[\]]*[)\]])?"
_HEADING = re.compile(rf"[^\s,()\[\]]+{_BRACKETED}")
_GAP = re.compile(r"\s{2,}|\t|,")
_WIDE = re.compile(r"\s{2,}|\t+")
_SECTION = re.compile(r"\s*\[\s*(?P<name>\w+)\s*\]\s*")
_PARTICLES = frozenset("ASVD")  # of the column ptype of a force field of GROMACS: atom, shell, virtual site


@dataclass(frozen=True)
class Headed:
    """``name`` of a number by its column and, where several rows have the column, its row; ``unit`` that the heading says."""

    name: str
    unit: str


def headed(text: str, position: int) -> Headed | None:
    """What heads the column of the number at ``position``; None: no comment does, or its headings are not those of this row."""
    low, high = line_bounds(text, position)
    line = _uncommented(text[low:high])
    if position - low >= len(line) or re.search(r"[=:{}<>]", line):
        return None
    cells = _cells(line)
    column = next((k for k, cell in enumerate(cells) if cell.start() <= position - low < cell.end()), None)
    headings = _headings_above(text, low, cells)
    if column is None or headings is None or len(cells) < 2 or column < (keyed := len(cells) - len(headings)):
        return None
    name, unit = heading_name(headings[column - keyed])
    name, unit = short_name(name), unit or "%" * name.endswith("%")
    row = _row_label(cells[keyed][0].strip("\"'"))
    if not name or column == keyed or not row or not _several(text, low, high, len(cells)):
        return Headed(name, unit) if name else None
    return Headed(f"{name}_{row}", unit)


def _row_label(cell: str) -> str:
    """What tells a row from others: its first word, or a class of numbers such as 0-4 and 65+; '' for a plain number."""
    if cell[:1].isalpha():
        return short_name(cell)
    return re.sub(r"\W+", "_", cell).strip("_") if is_class(cell) else ""


def first_of_row(text: str, position: int) -> str:
    """The first word of a row of atom types of GROMACS, where only the letter of its kind stands before the number; else ''."""
    low, _ = line_bounds(text, position)
    words = [word for word in text[low:position].split() if word[0].isalpha()]
    if len(words) < 2 or words[-1] not in _PARTICLES:
        return ""
    sections = (match for line in reversed(text[:low].splitlines()) if (match := _SECTION.fullmatch(line)) is not None)
    section = next(sections, None)
    return short_name(words[0]) if section is not None and section["name"] == "atomtypes" else ""


def _headings_above(text: str, low: int, cells: list[re.Match[str]]) -> list[str] | None:
    """Of the nearest comment above that has as many, with nothing but such rows between; one fewer where each row begins with a
    word of its own, LAYER, and the headings, which may be of several words, stand over the other cells."""
    count = len(cells)
    for comment in _comments_above(text, low, count):
        words = comment["words"]
        if (phrases := _phrases_over(comment, cells)) is not None:
            return phrases
        found = [match[0] for match in _HEADING.finditer(words)]
        if (listed := _NAMED_LIST.search(words)) is not None and listed[1].count(",") == count - 1:
            found = [name.strip() for name in listed[1].split(",")]
        told = len(found) == count and (_GAP.search(words) is not None or not any(c.isalpha() for c in text[low : low + 1]))
        if told and all(h[:1].isalpha() for h in found) and not any(h.casefold() in LOOSE_ENDS for h in found[1:] if len(h) > 1):
            return found
        if any(c.isalnum() for c in words):
            return None
    return None


def _phrases_over(comment: re.Match[str], cells: list[re.Match[str]]) -> list[str] | None:
    """The headings between wide gaps, where one of them has several words and each stands over its own cell; None: it is no such
    line."""
    text, start, end = comment.string, *comment.span("words")
    gaps = list(_WIDE.finditer(text, start, end))
    spans = list(zip([start, *(gap.end() for gap in gaps)], [*(gap.start() for gap in gaps), end], strict=True))
    phrases = [text[a:b] for a, b in spans]
    keyed = len(cells) - len(phrases)
    several = any(" " in re.sub(_BRACKETED, "", phrase) for phrase in phrases)
    if len(phrases) < 2 or keyed not in (0, 1) or not (several or keyed) or (keyed and not cells[0][0].isalpha()):
        return None
    moved = any("@" in cell[0] for cell in cells)  # by a placeholder: the count alone tells
    over = moved or all(a < cell.end() and cell.start() < b for (a, b), cell in zip(spans, cells[keyed:], strict=True))
    return phrases if over and all(phrase[:1].isalpha() for phrase in phrases) else None


def _comments_above(text: str, low: int, count: int) -> Iterator[re.Match[str]]:
    """The comments over rows of as many cells as that at ``low``, the nearest first, keywords between passed over."""
    for line in reversed(text[:low].splitlines()[-FURTHEST:]):
        if _KEYWORD.fullmatch(line):
            continue
        comment = _COMMENT.fullmatch(line)
        if comment is not None:
            yield comment
        elif len(_cells(_uncommented(line))) != count:
            return


def unit_above(text: str, position: int) -> str:
    """The one unit in brackets of the comment over the rows of the number at ``position``, the only one of its row that is no
    whole number (; springs [kNm/rad], over node, direction and stiffness); '' else."""
    low, high = line_bounds(text, position)
    cells = _cells(_uncommented(text[low:high]))
    fractions = [c for c in cells if value_of(c[0]) is not None and not _WHOLE.fullmatch(c[0])]
    if len(fractions) != 1 or not fractions[0].start() <= position - low < fractions[0].end():
        return ""
    every = (comment["words"] for comment in _comments_above(text, low, len(cells)))
    said = next((words for words in every if any(c.isalnum() for c in words)), "")
    units = [b[1] for b in _BRACKET.finditer(said) if times(b[1], b[1]) is not None]
    return units[0] if len(units) == 1 else ""


def _several(text: str, low: int, high: int, count: int) -> bool:
    """Whether the line before or behind is a row of the table, too."""
    before = text[line_bounds(text, low - 1)[0] : low - 1] if low else ""
    behind = text[high + 1 : line_bounds(text, high + 1)[1]] if high + 1 < len(text) else ""
    return any(_COMMENT.fullmatch(line) is None and len(_cells(_uncommented(line))) == count for line in (before, behind))


def _uncommented(line: str) -> str:
    return re.split(r"\s[;#!%$]|//|^[;#!%$]", line, maxsplit=1)[0]


def _cells(line: str) -> list[re.Match[str]]:
    return list(re.finditer(r"[^,;\s]+" if "," in line else r"\S+", line))
