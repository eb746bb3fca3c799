"""Cells of several words, set apart by two blanks or more, in a table whose single blanks part words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .table_runs import numbers_held

_GAP = re.compile(r"\s{2,}|\t")
FEWEST = 3  # lines, the names with them, that gaps must cut alike: fewer may do so by chance

Row = tuple[str, ...]


def cut_at_wide_gaps(lines: Sequence[str], comma: bool) -> list[Row] | None:
    """``lines`` cut at gaps of two blanks or more, titles above them as one cell each; None: single blanks cut them alike from
    the names on, or gaps make no even table with a column of numbers."""
    wide = [tuple(_GAP.split(line.strip())) for line in lines]
    top = next((k for k, row in enumerate(wide) if len(row) > 1), len(wide))
    table = wide[top:]
    if len(table) < FEWEST or len({len(row) for row in table}) > 1 or len({len(line.split()) for line in lines[top:]}) == 1:
        return None
    return wide if numbers_held(table, comma) else None
