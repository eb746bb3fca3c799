"""Columns that hold repeated measurements of one quantity side by side: by their names and their values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...definition import DataTable
from ..names.column_names import same_names
from ..names.series_names import quantity_repeated, without_repeat

ALIKE = 0.2  # of the range of one, up to which repeated measurements differ usually


def are_repeats(data: DataTable, one: str, other: str) -> bool:
    """Whether two columns are repeated measurements of the same in the same rows."""
    if one not in data.columns or other not in data.columns or one == other:
        return False
    base = without_repeat(one)
    if not base or base != without_repeat(other):
        return False
    a, b = (_numbers(data.columns[name]) for name in (one, other))
    both = np.isfinite(a) & np.isfinite(b)
    span = float(np.ptp(a[both])) if both.sum() > 1 else 0.0
    return span > 0.0 and float(np.median(np.abs(a - b)[both])) <= ALIKE * span


def repeats_in(data: DataTable, columns: Sequence[str]) -> dict[str, str]:
    """Each of the ``columns`` that repeats another one, with the first of its kind."""
    found: dict[str, str] = {}
    for at, column in enumerate(columns):
        first = next((c for c in columns[:at] if c not in found and are_repeats(data, c, column)), None)
        if first is not None:
            found[column] = first
    return found


def repeats_of_outputs(data: DataTable, outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Those of the ``columns`` that are repeated measurements of an output of their name, each with it: CC I, CC II, CC III (%)
    with CC. A column of the output's very name is meant rather than they."""
    groups: dict[str, list[str]] = {}
    for column in columns:
        if quantity := quantity_repeated(column):
            groups.setdefault(quantity, []).append(column)
    named = same_names(outputs, [*columns, *(base for base, group in groups.items() if len(group) > 1 and base not in columns)])
    told = {base: output for output, base in named.items() if base in groups and base not in columns}
    free = {base: [c for c in groups[base] if c not in named.values()] for base in told}
    return {c: told[base] for base, group in free.items() for c in group if any(are_repeats(data, c, o) for o in group)}


def _numbers(cells: Sequence[float | None]) -> NDArray[np.float64]:
    return np.array([np.nan if v is None else v for v in cells], dtype=float)
