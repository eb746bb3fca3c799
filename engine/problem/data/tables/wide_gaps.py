"""Cells of several words, set apart by two blanks or more, in a table whose single blanks part words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from .table_runs import numbers_held
from .trailing_remarks import with_trailing_remarks

_GAP = re.compile(r"\s{2,}|\t")
FEWEST = 3  # lines, the names with them, that gaps must cut alike: fewer may do so by chance

Row = tuple[str, ...]


def wide_cells(line: str) -> Row:
    return tuple(_GAP.split(line.strip()))


def cut_at_wide_gaps(lines: Sequence[str], comma: bool, out: Collection[int] = ()) -> list[Row] | None:
    """``lines`` cut at gaps of two blanks or more, titles above them as one cell each; None: single blanks cut them alike from
    the names on, or gaps make no even table with a column of numbers. ``out``: of which lines (from 0) nothing is asked."""
    wide = [wide_cells(line) for line in lines]
    top = next((k for k, row in enumerate(wide) if len(row) > 1), len(wide))
    kept = [k for k in range(top, len(wide)) if k not in out]
    table = with_trailing_remarks([wide[k] for k in kept], comma)
    if len(table) < FEWEST or len({len(row) for row in table}) > 1 or len({len(lines[k].split()) for k in kept}) == 1:
        return None
    if not numbers_held(table, comma):
        return None
    even = dict(zip(kept, table, strict=True))
    return [even.get(k, row) for k, row in enumerate(wide)]
