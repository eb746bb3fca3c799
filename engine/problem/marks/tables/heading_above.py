"""The table below a heading that was marked, and which of its columns are meant."""

from __future__ import annotations

from collections.abc import Sequence

from ...extract.measured_cells import measured
from ...extract.reading import Line
from ...extract.region import REACH
from ...extract.row_cells import Cell, cells_of, is_rule
from ...numbers.numbers_in_text import number_at
from ..labels.labelled_rows import named_columns, rows_below
from ..selected import Selection
from ..words import flush_words, united_over
from .block import Block, block_around
from .heading_words import column_named, unit_marked
from .numbered_headings import numbered_headings
from .placed_headings import placed_headings
from .scattered_rows import goes_below, named_column, rows_of_heading
from .unit_lines import two_lines
from .united_headings import has_parted_units

HEADING_LINES = 8  # lines with text between a heading that is marked and the first row


def heading_above(
    text: str, lines: Sequence[Line], at: int, across: tuple[int, int], delimited: bool = False
) -> Selection | None:
    """The table below line ``at``; ``columns``: those below the marked part of the heading."""
    again = rows_below(lines, at, decimal_comma(text, lines[at], delimited))
    if again is not None:
        hit = named_columns(again, lines, at, across)
        return Selection("heading", again, again.rows, hit, again=again, again_columns=hit)
    passed, lone = 0, rows_of_heading(lines, at, decimal_comma(text, lines[at], delimited))
    for i in range(at + 1, min(at + 1 + REACH, len(lines))):
        if not lines[i].text.strip() or is_rule(lines[i].text):
            continue
        comma = decimal_comma(text, lines[i], delimited)
        cell = next((c for c in numbers_of(lines[i], comma) if not c.problem), None)
        if cell is not None:
            block = block_around(lines, i, cell, comma)
            if lone is not None and i not in lone.rows and (passed or not goes_below(lone, lines[i])):  # among words
                break
            if block.columns and (len(block.rows) > 1 or len(block.columns) > 1):
                rows = tuple(r for r in block.rows if r > at)
                if len(own := _numbered_below(block, lines, at, across)) == 1:
                    return Selection("heading", block, rows, own, named=True)
                united = _united_below(block, lines, at, across)
                if len(united) == 1:
                    return Selection("heading", block, rows, united, named=True)
                flush = flush_words(block, lines[at])
                below = tuple(k for k, w in enumerate(flush) if w.start() <= across[1] and across[0] <= w.end()) or None
                below = below or united or _counted_below(block, lines, at, across)
                if below is None:
                    below = tuple(k for k, c in enumerate(block.columns) if c.left <= across[1] and across[0] <= c.right)
                named = column_named(block, lines, at, across)
                own = below if named is None else (named,)
                is_named = named is not None or unit_marked(block, lines, at, across, below)
                return Selection("heading", block, rows, own, named=is_named)
        passed += 1
        if passed > HEADING_LINES:
            break
    if lone is None:
        return None
    hit = named_column(lone, lines, across)
    return Selection("heading", lone, lone.rows, hit, None, (), lone, hit, len(hit) == 1)


def _numbered_below(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...]:
    """The columns whose headings, deme 1, are marked right above the rows; empty: it is no such line."""
    if any(line.text.strip() and not is_rule(line.text) for line in lines[at + 1 : block.rows[0]]):
        return ()
    spans = numbered_headings(lines[at].text, block.columns)
    point = across[0] == across[1]
    return tuple(k for k, (a, b) in enumerate(spans) if (a <= across[0] <= b if point else a < across[1] and across[0] < b))


def _united_below(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...]:
    """The columns whose headings are marked where units in them are written with blanks, or stand on a line of their own below
    the names, or they are known by their places; empty: it is no such line."""
    two = two_lines(block, lines)
    own = () if two is None else two.spans_of(at)
    if not own and any(line.text.strip() and not is_rule(line.text) for line in lines[at + 1 : block.rows[0]]):
        return ()
    placed = placed_headings(block, lines, lines[at].text)
    spans = placed.items() if placed else enumerate(own or united_over(block, lines, lines[at].text), 1)
    point = across[0] == across[1]  # what is only touched is not meant by a drag
    hit = {k for k, (a, b) in spans if (a <= across[0] <= b if point else a < across[1] and across[0] < b)}
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)


def _counted_below(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...] | None:
    """The columns whose names are marked, where heading ``at`` has as many cells as the rows; None: they cannot be counted."""
    delimiter = block.shape.delimiter
    if block.shape.characters or block.shape.by == "number" or (delimiter and delimiter not in lines[at].text):
        return None
    by = block.shape.by
    if delimiter is None and by == "word" and has_parted_units(lines[at].text):
        return None
    names = cells_of(lines[at].text, by=by, delimiter=delimiter, comma=block.comma)
    if len(names) != len(cells_of(lines[block.rows[0]].text, by=by, delimiter=delimiter, comma=block.comma)):
        return None
    hit = {k + 1 for k, name in enumerate(names) if name.start <= across[1] and across[0] <= name.end}
    if across[0] < across[1]:  # what is only touched is not meant by a drag
        hit = {k + 1 for k, name in enumerate(names) if name.start < across[1] and across[0] < name.end} or hit
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)


def decimal_comma(text: str, line: Line, delimited: bool) -> bool:
    """Whether the numbers of the line have decimal commas."""
    if "," not in line.text or delimited:
        return False
    found = number_at(text, line.start, line.start + len(line.text), True)
    words = [w for w in line.text.split() if "," in w.strip(",")]
    return found is not None and any(
        (n := number_at(text, line.start + line.text.find(w), line.start + line.text.find(w) + len(w))) is not None
        and n.decimal_comma
        for w in words
    )


def measured_of(line: Line) -> list[Cell]:
    """The numbers of a line that end with their units, as 12.5ms does."""
    words = ((c, line.text[c.start - line.start : c.end - line.start]) for c in cells_of(line.text, line.start))
    return [number for c, word in words if (number := measured(c, word)) is not None]


def numbers_of(line: Line, comma: bool) -> list[Cell]:
    found = [c for c in cells_of(line.text, line.start, by="number", comma=comma) if c.kind == "n"]
    for sign in (";", ","):
        if sign in line.text and not (sign == "," and comma):
            known = {c.start for c in found if not c.problem}
            found += [
                c for c in cells_of(line.text, line.start, delimiter=sign) if c.kind == "n" and c.start not in known
            ]
    return sorted(found)
