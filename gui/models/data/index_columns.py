"""Columns that number conditions, such as load cases: they say of which one a row is, and nothing is compared with them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.problem.data.column_names import without_unit
from bayescope.engine.problem.definition import DataTable, Match


def index_columns(data: DataTable, matches: Sequence[Match]) -> frozenset[str]:
    """Columns of whole numbers by which others of the table are split (ux 1 and ux 2 beside load case), and those that count the
    rows of a compared column: 1, 2, 3. Without a unit: what has one was measured."""
    endings: dict[str, set[str]] = {}
    for column in data.columns:
        stem, _, last = without_unit(column).rpartition(" ")
        if stem:
            endings.setdefault(stem, set()).add(last)
    compared = [data.columns[m.column] for m in matches if m.column in data.columns]
    return frozenset(c for c, cells in data.columns.items() if _splits(c, cells, endings) or _counts(c, cells, compared))


def _splits(column: str, cells: Sequence[float | None], endings: dict[str, set[str]]) -> bool:
    numbers = {v for v in cells if v is not None}
    whole = len(numbers) > 1 and all(v.is_integer() for v in numbers) and without_unit(column) == column
    return whole and any({f"{v:.0f}" for v in numbers} <= found for found in endings.values())


def _counts(column: str, cells: Sequence[float | None], compared: Sequence[Sequence[float | None]]) -> bool:
    there = [i for i, v in enumerate(cells) if v is not None]
    counted = len(there) > 1 and [cells[i] for i in there] == [k + 1.0 for k in range(len(there))]
    if not counted or without_unit(column) != column:
        return False
    return any(all(values[i] is not None for i in there) for values in compared if values is not cells)
