"""One list of numbers printed over several lines: full lines of as many numbers each, and a shorter last one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...extract.reading import Line
from ...extract.row_cells import Cell, cells_of
from ..tables.block import AROUND

_FRACTION = re.compile(r"[.,eEdD]")


def wrapped_list(lines: Sequence[Line], at: int, comma: bool) -> tuple[int, ...]:
    """The lines, from 0, of the list of which line ``at`` is a part; empty: it is not surely one.

    Lines of numbers and nothing else, all of one kind: whole ones or not. A table whose last cells are missing may look the
    same, so that headings of columns are for the caller to look for.
    """

    def width(i: int) -> int:
        return len(lines[i].text.split()) if 0 <= i < len(lines) and _has_numbers_only(lines[i].text) else 0

    here = width(at)
    full = max(width(at - 1), here)
    if full < 2 or here == 0:
        return ()
    first = _last_alike(lambda i: width(i) == full, at - 1 if here < full else at, -1)
    last = at if here < full else _last_alike(lambda i: width(i) == full, at, 1) + 1
    above = width(first - 1)
    if not 0 < width(last) < full or width(last + 1) or above > 1 or last - first > AROUND:
        return ()
    rows = tuple(range(first, last + 1))
    cells = [listed_cells(lines[i], comma) for i in rows]
    kinds = {bool(_FRACTION.search(lines[i].text[c.start - lines[i].start : c.end - lines[i].start])) for i, row in
             zip(rows, cells, strict=True) for c in row}  # fmt: skip
    alike = all(len(row) == width(i) and all(c.kind == "n" for c in row) for i, row in zip(rows, cells, strict=True))
    return rows if alike and len(kinds) == 1 else ()


def listed_cells(line: Line, comma: bool) -> list[Cell]:
    """The numbers of a line of such a list, with their characters in the text."""
    return cells_of(line.text, line.start, comma=comma)


def _has_numbers_only(text: str) -> bool:
    """Whether it looks so: a quick look before the cells are told apart."""
    return text.strip()[:1] in "-+.0123456789" and all(any(c.isdigit() for c in word) for word in text.split())


def _last_alike(alike: Callable[[int], bool], at: int, step: int) -> int:
    while alike(at + step):
        at += step
    return at
