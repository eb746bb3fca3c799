"""Names of columns that a title lists in brackets: displacements (vx,vy,vz). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...extract.reading import Line
from ...extract.row_cells import cells_of
from .block import Block, Column

_LISTED = re.compile(r"\(([^()]*,[^()]*)\)")


def listed_name(block: Block, column: Column, lines: Sequence[Line], above: Sequence[Line]) -> str:
    """The name in a title that lists in brackets what stands in the rows, with or without the number before it:
    displacements (vx,vy,vz) above a number and three values."""
    if block.shape.characters or block.shape.by == "number":
        return ""
    n = len(cells_of(lines[block.rows[0]].text, by=block.shape.by, delimiter=block.shape.delimiter, comma=block.comma))
    for line in above:
        for listed in _LISTED.finditer(line.text):
            names = [name.strip() for name in listed[1].split(",")]
            at = column.number - 1 - (n - len(names))
            if n - len(names) in (0, 1) and at >= 0 and any(c.isalpha() for c in names[at]):
                return names[at]
    return ""
