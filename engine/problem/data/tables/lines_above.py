"""The lines of a file above the rows of a table: its heading, titles, notes."""

from __future__ import annotations

from dataclasses import dataclass

from .table_text import Cells, cells_of
from .text_lines import is_blank
from .wide_gaps import wide_cells

MOST_ABOVE = 12  # lines: a heading stands near its rows
MOST_FIRST = 20_000  # lines of a text that is no table as it is read: more than a person goes through


@dataclass(frozen=True)
class LineAbove:
    """``line``: its number in the file; ``cells``: one where it is not cut as the table is; ``heading``: it holds names."""

    line: int
    cells: tuple[str, ...]
    heading: bool = False


def lines_above(text: str, cells: Cells) -> tuple[LineAbove, ...]:
    """The last lines of ``text`` above the rows of ``cells`` that are not blank."""
    lines, first = text.splitlines(), min(cells.lines, default=1)
    there = [number for number in range(1, min(first, len(lines) + 1)) if not is_blank(lines[number - 1])]
    width = len(cells.rows[0]) if cells.rows else 1
    return tuple(_above(lines[number - 1], number, cells, width) for number in there[-MOST_ABOVE:])


def _above(line: str, number: int, cells: Cells, width: int) -> LineAbove:
    found = cells_of(line, cells.delimiter)
    if cells.delimiter == " " and len(found) != width and len(wide := wide_cells(line)) == width:
        found = wide  # as its rows are
    is_heading = number in cells.heading_lines
    if not is_heading and len(found) != width:
        found = (" ".join(line.split()),)
    return LineAbove(number, found, is_heading)


def words_above(line: LineAbove) -> str:
    """What it says, in one line."""
    return " ".join(cell for cell in line.cells if cell.strip())


def first_lines(text: str) -> tuple[LineAbove, ...]:
    """The first lines of ``text`` that are not blank, uncut: of a text that is no table as it is read."""
    there = ((number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), start=1))
    return tuple(LineAbove(number, (line,)) for number, line in there if line)[:MOST_FIRST]
