"""A table between whose rows a program printed something else: a banner, a warning, a line of progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...extract.reading import Line
from ...extract.row_cells import Cell, cells_of, fits, is_rule
from .block import Block, block_around
from .scattered_rows import heading_words

MOST_BETWEEN = 3  # lines with text between two rows; more are another part of the report
LEAST = 3  # rows, so that the first column is seen to count on
MOST_ROWS = 100_000


def whole_table(block: Block, lines: Sequence[Line]) -> Block | None:
    """The table of which ``block`` is a part up to a line that is no row: its first column goes on rising, or falling, across
    it, no other heading comes, and the rows have the same cells. None: it goes no further."""
    shape = block.shape
    if not shape.form.startswith("n") or shape.form.endswith("*") or shape.characters or shape.on_line or len(block.columns) < 2:
        return None
    after, before = list(_further(block, lines, 1)), list(_further(block, lines, -1))
    rows = sorted((*block.rows, *after, *before))
    if len(rows) < max(LEAST, len(block.rows) + 1) or not _counts_on([_cells(block, lines[i])[0].value for i in rows]):
        return None
    cell = next(c for c in _cells(block, lines[block.rows[0]]) if c.kind == "n")
    found = block_around(lines, block.rows[0], cell, block.comma, (rows[0] - 1, rows[-1] + 1))
    return found if set(found.rows) == set(rows) and len(found.columns) == len(block.columns) else None


def _further(block: Block, lines: Sequence[Line], step: int) -> Iterator[int]:
    """The rows beyond the end of the block in one direction; an empty line beside another text begins another part."""
    at, passed, empty = block.rows[-1 if step > 0 else 0] + step, 0, False
    while 0 <= at < len(lines) and passed <= MOST_BETWEEN and abs(at - block.rows[0]) < MOST_ROWS:
        text = lines[at].text
        if not text.strip():
            empty = True
        elif not is_rule(text):
            if passed and empty:
                return
            if fits(block.shape.form, _cells(block, lines[at])):
                yield at
                passed, empty = 0, False
            elif len(heading_words(text)) == len(block.shape.form):
                return
            else:
                passed += 1
        at += step


def _cells(block: Block, line: Line) -> list[Cell]:
    return cells_of(line.text, line.start, by=block.shape.by, delimiter=block.shape.delimiter, comma=block.comma)


def _counts_on(values: Sequence[float]) -> bool:
    return all(a < b for a, b in pairwise(values)) or all(a > b for a, b in pairwise(values))
