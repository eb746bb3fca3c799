"""A line of units below the names of a table between blanks, where columns of labels have none: each goes below its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .table_cells import is_number_or_missing

MOST_ABOVE = 12  # lines within which the names of a table stand
SLACK = 1  # characters that a unit may begin beside its name
_UNIT = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}")
_WORD = re.compile(r"\S+")

Row = tuple[str, ...]


def with_units_in_place(rows: Sequence[Row], body: Sequence[str], comma: bool) -> list[Row]:
    """``rows``, the lines of ``body`` cut at blanks, with an empty cell in such a line for each name that has no unit: those of
    labels before the first number, where they are as many as lack one; else by where its words stand."""
    found = list(rows)
    for k in range(1, min(len(rows), MOST_ABOVE)):
        above, units = rows[k - 1], rows[k]
        if not 0 < len(units) < len(above) or not all(_UNIT.fullmatch(cell) for cell in units):
            continue
        if any(is_number_or_missing(cell, comma) for cell in above):
            continue
        labels = len(above) - len(units)
        first = next((i for i, c in enumerate(rows[k + 1] if k + 1 < len(rows) else ()) if is_number_or_missing(c, comma)), 0)
        found[k] = ("",) * labels + units if first == labels else _placed(body[k - 1], body[k], len(above)) or units
        break
    return found


def _placed(names: str, units: str, count: int) -> Row | None:
    """The units below the one name each that they stand under; None: not each does."""
    above = [m.span() for m in _WORD.finditer(names.expandtabs())]
    cells = [""] * count
    if len(above) != count:
        return None
    for unit in _WORD.finditer(units.expandtabs()):
        under = [i for i, (low, high) in enumerate(above) if low - SLACK < unit.end() and unit.start() < high + SLACK]
        if len(under) != 1 or cells[under[0]]:
            return None
        cells[under[0]] = unit.group()
    return tuple(cells)
