"""Columns that number conditions, such as load cases: they say of which one a row is, and nothing is compared with them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.data.tables.index_columns import is_index
from bayescope.engine.problem.definition import DataTable


def index_columns(data: DataTable) -> frozenset[str]:
    """Columns of whole numbers by which others of the table are split: load case beside ux 1 and ux 2; without a unit: what has
    one was measured. And those called like a count: band."""
    endings: dict[str, set[str]] = {}
    for column in data.columns:
        stem, _, last = without_unit(column).rpartition(" ")
        if stem:
            endings.setdefault(stem, set()).add(last)
    return frozenset(c for c, cells in data.columns.items() if _splits(c, cells, endings) or is_index(data, c))


def _splits(column: str, cells: Sequence[float | None], endings: dict[str, set[str]]) -> bool:
    numbers = {v for v in cells if v is not None}
    whole = len(numbers) > 1 and all(v.is_integer() for v in numbers) and without_unit(column) == column
    return whole and any({f"{v:.0f}" for v in numbers} <= found for found in endings.values())
