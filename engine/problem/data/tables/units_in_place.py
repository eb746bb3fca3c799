"""Headings of a table between blanks: names of several words cut at wide gaps, and units of some columns below their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..units.unit_names import known_unit
from .remark_columns import says_remark
from .table_cells import is_number_or_missing

MOST_ABOVE = 12  # lines within which the names of a table stand
SLACK = 1  # characters that a unit may begin beside its name
HALF = 0.5  # of the lines have as many cells as the table has columns, at least
_BRACKETED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}")
_WORD = re.compile(r"\S+")
_CELL = re.compile(r"\S+(?: \S+)*")  # between two blanks or more

Row = tuple[str, ...]


def with_units_in_place(rows: Sequence[Row], body: Sequence[str], comma: bool) -> list[Row]:
    """``rows``, the lines of ``body`` cut at blanks. Names of several words are one cell each where two blanks or more part as
    many as there are columns; a line of units below has an empty cell for each name that has none: those of labels before the
    first number, where they are as many as lack one; else by where its words stand."""
    found = _with_whole_names(rows, body, comma)
    for k in range(1, min(len(rows) - 1, MOST_ABOVE)):
        above, units, below = found[k - 1], found[k], found[k + 1]
        if not 0 < len(units) < len(above) or any(is_number_or_missing(cell, comma) for cell in above):
            continue
        bracketed = all(_BRACKETED.fullmatch(cell) for cell in units)
        if not bracketed and not (len(below) >= len(above) and len(units) > 1 and all(map(known_unit, units))):
            continue
        labels = len(above) - len(units)
        first = next((i for i, cell in enumerate(below) if is_number_or_missing(cell, comma)), 0)
        found[k] = ("",) * labels + units if first == labels else _placed(body[k - 1], body[k], len(above)) or units
        break
    return found


def _with_whole_names(rows: Sequence[Row], body: Sequence[str], comma: bool) -> list[Row]:
    found = list(rows)
    width, often = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    for k in range(min(len(rows) - 1, MOST_ABOVE)) if often >= HALF * len(rows) else ():
        if any(is_number_or_missing(cell, comma) for cell in rows[k]):
            continue
        cells = tuple(_CELL.findall(body[k].expandtabs()))
        if len(rows[k]) > width == len(cells) and not says_remark(rows[k][-1]):  # words behind the numbers make one more
            found[k] = cells
            break
    return found


def _placed(names: str, units: str, count: int) -> Row | None:
    """The units below the one name each that they stand under; None: not each does."""
    ways = ([m.span() for m in form.finditer(names.expandtabs())] for form in (_WORD, _CELL))
    above = next((spans for spans in ways if len(spans) == count), None)
    if above is None:
        return None
    cells = [""] * count
    for unit in _WORD.finditer(units.expandtabs()):
        under = [i for i, (low, high) in enumerate(above) if low - SLACK < unit.end() and unit.start() < high + SLACK]
        if len(under) != 1 or cells[under[0]]:
            return None
        cells[under[0]] = unit.group()
    return tuple(cells)
