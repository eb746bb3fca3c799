"""Columns that only number the rows of a file: they are no place of a quantity that has one. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.column_names import says_where, without_unit
from bayescope.engine.problem.definition import DataTable

FEWEST = 3  # rows: fewer whole numbers are some by chance


def numbers_rows(data: DataTable, column: str) -> bool:
    """Whether ``column`` counts the rows from 0 or 1, in a name that says neither where or when nor a unit."""
    cells = data.columns.get(column, ())
    if says_where(column) or without_unit(column) != column:
        return False
    known = [(i, v) for i, v in enumerate(cells) if v is not None]
    first = known[0][1] if known else None
    return len(known) >= FEWEST and first in (0.0, 1.0) and all(v == first + k for k, (_, v) in enumerate(known))


def counts(values: NDArray[np.float64]) -> bool:
    """Whether an output's ``values`` (n,) are 0, 1, 2 … or 1, 2, 3 …: they number the rows of a table, or are such places."""
    return len(values) >= FEWEST and values[0] in (0.0, 1.0) and bool((np.diff(values) == 1.0).all())


def only_numbers(data: DataTable, column: str, values: NDArray[np.float64]) -> bool:
    """Whether ``column`` numbers rows and an output's ``values`` (n,) count nothing: such entries agree by chance."""
    known = values[np.isfinite(values)]
    return numbers_rows(data, column) and len(known) > 0 and bool((known != np.round(known)).any())
