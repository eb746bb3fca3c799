"""Numbers with the mark of a remark behind them, 1.5* and 2.5†, in columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .error_spellings import has_error
from .table_cells import MISSING, inside, is_number_or_missing
from .table_text import Cells

_MARKED = re.compile(r"(?P<number>[-+(\u2212]*[0-9].*?)\s?(?P<mark>[*†‡§¶#?!]{1,3}|\([*†‡§¶#?!]{1,3}\))")


def without_footnote_marks(cells: Cells, names: Sequence[str]) -> tuple[Cells, list[str]]:
    """``cells`` without such marks where all other filled cells of the column are numbers, and a sentence about each column."""
    columns, notes = [list(column) for column in zip(*cells.rows, strict=True)], list[str]()
    for i, column in enumerate(columns):
        marked = {k: m for k, cell in enumerate(column) if (m := _MARKED.fullmatch(inside(cell))) is not None}
        numbers = {k: m["number"] for k, m in marked.items() if _is_value(m["number"], cells.decimal_comma)}
        others = [c for k, c in enumerate(column) if k not in numbers and inside(c).lower() not in MISSING]
        if not numbers or not all(_is_value(c, cells.decimal_comma) for c in others):
            continue
        shown = ", ".join(dict.fromkeys(f"“{inside(column[k])}”" for k in list(numbers)[:3]))
        for k, number in numbers.items():
            column[k] = number
        which = "1 number has" if len(numbers) == 1 else f"{len(numbers)} numbers have"
        notes.append(f"Column “{names[i]}”: {which} the mark of a remark ({shown}); it is passed over.")
    if not notes:
        return cells, []
    return replace(cells, rows=tuple(tuple(row) for row in zip(*columns, strict=True))), notes


def _is_value(cell: str, decimal_comma: bool) -> bool:
    """Whether it is a number, or one with its error or interval."""
    return is_number_or_missing(cell, decimal_comma) or has_error(cell)
