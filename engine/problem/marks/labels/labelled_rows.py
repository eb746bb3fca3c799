"""Rows that begin with the same text wherever they stand, as a program prints them between others: tmfreqs:, 1, 0.25, 0.16."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ...definition import Region
from ...extract.reading import Line
from ...extract.region import appearances, row_of, squeezed
from ...extract.region_places import behind, digits_alike, lines_of_form
from ...extract.row_cells import Cell, cells_of, form_of, is_rule
from ...numbers.dates_in_text import dates_in
from ...numbers.numbers_in_text import numbers, overlaps
from ..anchors.anchor_texts import MOST_WORDS
from ..tables.block import SAMPLED, Block, Column, common_form

SIGNS = (";", "\t", ",", "|")
LEAST = 2  # cells behind the text, so that they are a row
MOST_ROWS = 200_000  # lines that are looked at


@dataclass(frozen=True)
class Labelled:
    """A line of a text and cells behind it. ``label``: that text, as an anchor; ``cells``: with their characters in the whole
    text; ``sign``: what separates them (None: white space)."""

    label: str
    cells: tuple[Cell, ...]
    sign: str | None

    @property
    def form(self) -> str:
        return form_of(list(self.cells))


def labelled_line(line: Line, comma: bool) -> Labelled | None:
    """``line`` as a text without numbers and the cells behind it, of which half at least are numbers; None if it is none."""
    found = _split(line, comma)
    if found is None or 2 * found.form.count("n") < len(found.cells):
        return None
    return found


def _split(line: Line, comma: bool) -> Labelled | None:
    """The first cell as a text, and what follows it, whatever that is."""
    text = line.text
    for sign in SIGNS:
        if text.count(sign) < LEAST or (sign == "," and comma):
            continue
        first = text.split(sign, 1)[0]
        label = squeezed(first if sign == "\t" else first + sign)
        if not _is_label(first) or len(label) > MOST_WORDS:
            continue
        end = len(first) + (0 if sign == "\t" else 1)
        at = behind(text, end, sign)
        return Labelled(label, tuple(cells_of(text[at:], line.start + at, delimiter=sign, comma=comma)), sign)
    words = text.split()
    if len(words) <= LEAST or words[0][-1] not in ":>=#" or not _is_label(words[0]):
        return None  # RES: 1 2.5, but no sentence
    at = behind(text, text.index(words[0]) + len(words[0]))
    return Labelled(words[0], tuple(cells_of(text[at:], line.start + at, by="word", comma=comma)), None)


def _is_label(text: str) -> bool:
    return any(c.isalpha() for c in text) and next(numbers(text), None) is None and not dates_in(text)


def rows_like(lines: Sequence[Line], at: int, comma: bool) -> Block | None:
    """The rows of all lines that begin as line ``at`` does, a row itself; None: it is none, or the only one."""
    mine = labelled_line(lines[at], comma)
    return _block(lines, mine, comma, at) if mine is not None else None


def rows_below(lines: Sequence[Line], at: int, comma: bool) -> Block | None:
    """The rows that begin as the heading ``at`` of their columns does, wherever they stand below it; None if there are none."""
    heading = _split(lines[at], comma)
    if heading is None or "n" in heading.form:
        return None
    below = next((i for i in range(at + 1, len(lines)) if lines[i].text.strip() and not is_rule(lines[i].text)), at)
    found = _block(lines, heading, comma, at)
    if found is None or (_begins(lines[below], heading.label) and len(_headings(found, lines)) != 1):
        return None  # an ordinary table, one of several
    return found


def _block(lines: Sequence[Line], like: Labelled, comma: bool, at: int) -> Block | None:
    """The rows with the label of ``like`` and as many cells, the commonest number of them if that is a heading."""
    known: dict[str, str] = {}
    forms: dict[int, str] = {}
    for i in _beginning(lines, like.label):
        shape = digits_alike(lines[i].text)  # such lines are many, and look like each other
        if shape not in known:
            one = labelled_line(lines[i], comma)
            known[shape] = one.form if one is not None and (one.label, one.sign) == (like.label, like.sign) else ""
        if known[shape] and (i == at or _alike(known[shape], like.form)):
            forms[i] = known[shape]
    if not LEAST <= len(forms) <= MOST_ROWS:
        return None
    count = len(forms[at]) if at in forms else Counter(map(len, forms.values())).most_common(1)[0][0]
    form = common_form(list({one for one in forms.values() if len(one) == count}))
    shape_of_all = Region(
        anchor=like.label, on_line=True, occurrence="all", count=1, by="word", form=form, delimiter=like.sign
    )  # fmt: skip
    rows = tuple(lines_of_form(shape_of_all, lines, comma)[0])
    if len(rows) < LEAST or (at in forms and at not in rows):
        return None
    seen = rows if len(rows) <= 2 * SAMPLED else (*rows[:SAMPLED], *rows[-SAMPLED:])
    cells = [(lines[i].start, one.cells) for i in seen if i in forms and (one := labelled_line(lines[i], comma)) is not None]
    return Block(rows, shape_of_all, _columns(cells, form), comma)


def is_better(again: Block, block: Block, lines: Sequence[Line]) -> bool:
    """Whether rows are rather known by the text that they begin with: it has more of them, or stands before names, or ends as
    a label does. Not those below each other, with others below the same heading elsewhere."""
    if len(block.rows) > 1 and len(_headings(again, lines)) > 1:
        return False
    if set(again.rows) == set(block.rows):
        return (again.shape.anchor or "").rstrip(";,|").endswith(":") or bool(heading_of(again, lines))
    return set(again.rows) > set(block.rows)


def _beginning(lines: Sequence[Line], label: str) -> Iterator[int]:
    """The lines that begin with ``label``, white space aside."""
    first = label.split()[0]
    return (i for i, line in enumerate(lines) if line.text.lstrip().startswith(first) and _begins(line, label))


def _begins(line: Line, label: str) -> bool:
    return squeezed(line.text).startswith(label)


def _alike(form: str, like: str) -> bool:
    """Whether a row is one of the form ``like``, or of the table of which that is the heading."""
    return "n" not in like or (len(form) == len(like) and form[:1] == like[:1])


def _columns(rows: Sequence[tuple[int, tuple[Cell, ...]]], form: str) -> tuple[Column, ...]:
    """The columns of ``rows`` (where the line begins, its cells) in which there are numbers, not all of them unreadable."""
    columns = []
    for k, kind in enumerate(form.rstrip("*")):
        cells = [(row[k], start) for start, row in rows if k < len(row)]
        if kind == "n" and not all(cell.problem for cell, _ in cells):  # complex numbers, say
            columns.append(Column(k + 1, min(c.start - a for c, a in cells), max(c.end - a for c, a in cells)))
    return tuple(columns)


def columns_at(block: Block, lines: Sequence[Line], at: int, cells: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Which columns of rows like these hold the ``cells`` (their characters in the text) of line ``at``."""
    found = []
    for k, column in enumerate(block.columns):
        cell = cell_of(block, lines[at], column)
        if cell is not None and any(a < cell.end and cell.start < b for a, b in cells):
            found.append(k)
    return tuple(found)


def cell_of(block: Block, line: Line, column: Column) -> Cell | None:
    """The cell of one column in a line that begins with the text of the rows."""
    place = next(appearances(block.shape.anchor or "", [line]), None)
    if place is None:
        return None
    shape = msgspec.structs.replace(block.shape, columns=(column.number,))
    row = row_of(shape, line, behind(line.text, place[1], shape.delimiter), block.comma)
    return row.chosen[0] if row is not None else None


def heading_of(block: Block, lines: Sequence[Line]) -> tuple[str, ...]:
    """The names of all cells of such rows, from the nearest line above that begins as they do; empty if it has not as many."""
    above = [i for i in _headings(block, lines) if i < block.rows[0]]
    heading = _split(lines[above[-1]], block.comma) if above else None
    return tuple(_text(lines[above[-1]], c) for c in heading.cells) if heading is not None else ()


def _headings(block: Block, lines: Sequence[Line]) -> list[int]:
    """The lines that begin as the rows do, with a name for each of their cells."""
    label, known = block.shape.anchor or "", dict[str, bool]()
    found = []
    for i in _beginning(lines, label):
        shape = digits_alike(lines[i].text)
        if shape not in known:
            one = _split(lines[i], block.comma)
            known[shape] = one is not None and one.label == label and _names_all(one, block)
        found += [i] if known[shape] else []
    return found


def named_columns(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...]:
    """The columns whose names in heading ``at`` lie in characters ``across`` of that line."""
    heading = _split(lines[at], block.comma)
    if heading is None or not _names_all(heading, block):
        return ()
    start, low, high = lines[at].start, *across
    hit = {k + 1 for k, c in enumerate(heading.cells) if overlaps(c.start - start, c.end - start, low, high)}
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)


def _names_all(heading: Labelled, block: Block) -> bool:
    return len(heading.cells) == len(block.shape.form.rstrip("*")) and "n" not in heading.form


def _text(line: Line, cell: Cell) -> str:
    return line.text[cell.start - line.start : cell.end - line.start].strip("\"' ")
