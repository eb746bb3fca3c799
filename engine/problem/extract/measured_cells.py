"""Cells of a table that are a number with its unit right behind it, 12.5ms and 3.2E-05[m]. Pure."""

from __future__ import annotations

import re

from ..data.units.unit_names import known_unit
from ..numbers.number_refusals import MANTISSA
from ..numbers.number_text import value_of
from .row_cells import Cell

_MEASURED = re.compile(rf"({MANTISSA}(?:[eE][-+]?[0-9]+)?)(?:([^\W\d_][^\s\[\]()]*)|\[([^\W\d_][^\[\]]*)\]|\(([^\W\d_][^()]*)\))")


def measured(cell: Cell, word: str) -> Cell | None:
    """The number in the text ``cell`` that says ``word``, without its unit; None: it is none."""
    found = _MEASURED.fullmatch(word) if cell.kind == "t" and word[:1] in "-+.0123456789" else None
    value = value_of(found[1]) if found is not None else None
    if found is None or value is None or not known_unit(next(unit for unit in found.groups()[1:] if unit)):
        return None
    return Cell(cell.start, cell.start + len(found[1]), "n", value)


def unit_behind(text: str, cell: Cell) -> str:
    """What stands right behind a number up to the next white space, where that begins as a unit does."""
    found = re.compile(r"[\[(]?[^\W\d_]\S*").match(text, cell.end)
    return found.group() if found is not None else ""
