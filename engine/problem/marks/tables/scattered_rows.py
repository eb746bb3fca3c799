"""Rows of numbers that a program prints one by one between other lines, and the heading far above that names their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ...definition import Region
from ...extract.reading import Line
from ...extract.region import REACH, appearances, squeezed
from ...extract.region_places import digits_alike
from ...extract.row_cells import cells_of, form_of, is_rule
from ..anchors.lines_beside import shape_of
from .block import SAMPLED, Block, Column

LEAST = 2  # rows, and names in a heading
LEAST_SINGLE = 3  # rows of one number each
LEAST_NAMED = 3  # cells of a row that begins with a name
LEAST_ALONE = 3  # names of a heading below which a single row stands far away
MOST_LINES = 200_000  # that are looked at
_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_SAYS = re.compile(r"[=:?]|\.\.\.|[.!]$|^[-+.\d]+$|\s[-+]?\d")  # of a sentence, a label, a value
_LETTERS = re.compile(r"[^\W\deEdDnNaAiIfF_]")  # that are in no number


def heading_words(text: str) -> list[str]:
    """The names in a line that may head columns, one word each, units in brackets aside; empty: it heads none."""
    plain = _BRACKETS.sub(" ", text.strip().lstrip("#%! ")).strip()
    words = plain.split()
    named = all(any(c.isalpha() for c in word) for word in words) and len(set(words)) == len(words)
    return words if len(words) >= LEAST and named and not _SAYS.search(plain) else []


def lone_row(lines: Sequence[Line], at: int, block: Block) -> Block | None:
    """Line ``at`` of ``block`` by itself, if it holds numbers and nothing else, and the lines beside it not as many."""
    start = lines[at].start
    cells = cells_of(lines[at].text, start, comma=block.comma)
    form = form_of(cells)
    shape = block.shape
    if not cells or set(form) != {"n"} or any(c.problem for c in cells) or shape.delimiter is not None or shape.on_line:
        return None
    if len(block.rows) > 1:
        others = (form_of(cells_of(lines[i].text, comma=block.comma)) for i in block.rows if i != at)
        if not shape.characters or any(other.count("n") == len(form) for other in others):
            return None
    columns = tuple(Column(k + 1, c.start - start, c.end - start) for k, c in enumerate(cells))
    return Block((at,), Region(by="word", form=form), columns, block.comma)


def rows_alike(lone: Block, lines: Sequence[Line]) -> Block | None:
    """All rows of as many numbers as the one of ``lone`` has, if each stands by itself between other lines, with the heading
    that names their columns, if there is one; None: it is the only one."""
    count = len(lone.columns)
    headed = _rows(lines, 0, len(lines), "n" * count, lone.comma)
    rows = _of_one_kind([i for i, heading in headed.items() if heading == headed.get(lone.rows[0])], lone.rows[0], lines)
    beside = any(_are_neighbours(lines, a, b) for a, b in pairwise(rows))
    if len(rows) < (LEAST if count > 1 else LEAST_SINGLE) or lone.rows[0] not in rows or beside:
        return None
    return replace(_block(lines, rows, "n" * count, lone.comma), heading=_heading(lines, rows[0], count))


def _of_one_kind(rows: Sequence[int], at: int, lines: Sequence[Line]) -> list[int]:
    """Those of ``rows`` that are printed where row ``at`` is: the same words above or below, or those of another such row. One
    pass may have a warning above it, and below the last something else follows."""
    around = {i: {(step, words) for step in (-1, 1) if (words := _beside(lines, i, step))} for i in rows}
    known, seen = {at}, set(around.get(at, ()))
    while more := {i for i in rows if i not in known and around[i] & seen}:
        known |= more
        seen = seen.union(*(around[i] for i in more))
    return sorted(known)


def _beside(lines: Sequence[Line], at: int, step: int) -> str:
    """The words of the nearest line above or below that has some."""
    for i in range(at + step, max(-1, min(len(lines), at + step * REACH)), step):
        if any(c.isalpha() for c in lines[i].text) and not is_rule(lines[i].text):
            return shape_of(lines[i].text)
    return ""


def rows_of_heading(lines: Sequence[Line], at: int, comma: bool) -> Block | None:
    """The rows with a number below each name of line ``at`` alone, whatever stands between them; None: it is no such heading."""
    names = heading_words(lines[at].text)
    if not names:
        return None
    text = squeezed(lines[at].text)
    last = next((i for i in range(at + 1, len(lines)) if squeezed(lines[i].text) == text), len(lines))
    for form in _forms(len(names)):
        rows = [i for i, heading in _rows(lines, at, last, form, comma).items() if heading in ("", text)]
        if len(rows) >= (LEAST if len(names) < LEAST_ALONE or "t" in form else 1):
            return replace(_block(lines, rows, form, comma), heading=at)
    return None


def _forms(count: int) -> tuple[str, ...]:
    """Numbers, or a name before them: of so few cells that would be a label and its value."""
    return ("n" * count, "t" + "n" * (count - 1)) if count >= LEAST_NAMED else ("n" * count,)


def _rows(lines: Sequence[Line], first: int, last: int, form: str, comma: bool) -> dict[int, str]:
    """The lines from ``first`` up to ``last`` whose cells are of this form, each with the heading of as many names that stands
    right above it and rows like it; an empty one: something else does."""
    known: dict[str, bool] = {}
    found: dict[int, str] = {}
    words = ""
    for i in range(first, min(last, first + MOST_LINES)):
        text = lines[i].text
        if ("t" not in form and _LETTERS.search(text)) or not any(c.isdigit() for c in text):
            words = text if text.strip() and not is_rule(text) else words
            continue
        shape = digits_alike(text)
        if shape not in known:
            known[shape] = form_of(cells_of(text, comma=comma)) == form
        if known[shape]:
            found[i] = squeezed(words) if len(heading_words(words)) == len(form) else ""
        else:
            words = text
    return found


def _block(lines: Sequence[Line], rows: Sequence[int], form: str, comma: bool) -> Block:
    seen = rows if len(rows) <= 2 * SAMPLED else [*rows[:SAMPLED], *rows[-SAMPLED:]]
    cells = [(lines[i].start, cells_of(lines[i].text, lines[i].start, comma=comma)) for i in seen]
    columns = tuple(
        Column(k + 1, min(row[k].start - a for a, row in cells), max(row[k].end - a for a, row in cells))
        for k, kind in enumerate(form) if kind == "n"
    )  # fmt: skip
    return Block(tuple(rows), Region(by="word", form=form, gaps="text"), columns, comma)


def _are_neighbours(lines: Sequence[Line], a: int, b: int) -> bool:
    return all(not lines[i].text.strip() or is_rule(lines[i].text) for i in range(a + 1, b))


def _heading(lines: Sequence[Line], top: int, count: int) -> int | None:
    """The nearest line above the rows with a name for each of their cells, if that stands in the text once: before the loop."""
    for i in range(top - 1, max(-1, top - MOST_LINES), -1):
        if len(heading_words(lines[i].text)) == count and sum(1 for _ in appearances(squeezed(lines[i].text), lines)) == 1:
            return i
    return None


def goes_below(rows: Block, line: Line) -> bool:
    """Whether a line has as many cells as these rows, so that their heading may be its own."""
    return len(cells_of(line.text, comma=rows.comma)) == len(rows.shape.form)


def named_column(block: Block, lines: Sequence[Line], across: tuple[int, int]) -> tuple[int, ...]:
    """The columns of ``block`` whose names are touched by characters ``across`` of its heading; empty: none."""
    if block.heading is None:
        return ()
    text = lines[block.heading].text
    bare = _BRACKETS.sub(lambda found: " " * len(found[0]), text)
    words = list(re.finditer(r"\S+", bare.replace("#", " ").replace("%", " ")))
    point = across[0] == across[1]
    hit = [k + 1 for k, w in enumerate(words) if (w.start() <= across[1] and across[0] <= w.end() if point
                                              else w.start() < across[1] and across[0] < w.end())]  # fmt: skip
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)

