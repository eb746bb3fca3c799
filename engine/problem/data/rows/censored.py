"""Cells of a data table that say only on which side of a limit a value lies: censored measurements."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from ...numbers.number_text import value_of

Array = NDArray[np.float64]
Cells = tuple[str | None, ...]
SIGNS = ("<=", ">=", "<", ">")  # the longer ones first


@dataclass(frozen=True)
class Limits:
    """``sides`` (n,): -1 where a value lies below its limit, 1 above, 0 where it was measured or nothing was; ``closed`` (n,):
    whether it may be the limit itself."""

    sides: NDArray[np.int8]
    closed: NDArray[np.bool_]

    @classmethod
    def none(cls, n: int) -> Limits:
        return cls(np.zeros(n, dtype=np.int8), np.zeros(n, dtype=bool))

    def at(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Limits:
        """Those of ``rows``."""
        return Limits(self.sides[rows], self.closed[rows])

    @property
    def any(self) -> bool:
        return bool(self.sides.any())

    @property
    def there(self) -> NDArray[np.bool_]:
        """(n,)"""
        return np.asarray(self.sides != 0)


def read(cell: str) -> tuple[int, bool, float] | None:
    """Side, whether the limit itself is possible, and the limit; None: the text is no limit."""
    sign = next((s for s in SIGNS if cell.startswith(s)), "")
    value = value_of(cell[len(sign) :].strip(), False) if sign else None
    if value is None or not math.isfinite(value):
        return None
    return (-1 if sign[0] == "<" else 1), len(sign) == 2, value


def limits_in(data: d.DataTable, column: str) -> tuple[Array, Limits]:
    """The limits (n,) in a column, NaN where there is none, and their sides."""
    n = len(data.columns.get(column, ()))
    values, found = np.full(n, math.nan), Limits.none(n)
    for i, cell in enumerate(data.limits.get(column, ())[:n]):
        one = None if cell is None else read(cell)
        if one is not None:
            found.sides[i], found.closed[i], values[i] = one
    return values, found


def cells_shown(data: d.DataTable) -> dict[str, tuple[float | str | None, ...]]:
    """The columns of numbers, limits among them as ``<0.05``."""
    shown: dict[str, tuple[float | str | None, ...]] = dict(data.columns)
    for name, limits in of_columns(data.limits, data.columns).items():
        shown[name] = tuple(v if limit is None else limit for v, limit in zip(data.columns[name], limits, strict=False))
    return shown


def has_value(data: d.DataTable, column: str) -> list[bool]:
    """Of each row, whether a value or a limit stands in ``column``."""
    cells = data.columns.get(column, ())
    limits = data.limits.get(column) or (None,) * len(cells)
    return [v is not None or limit is not None for v, limit in zip(cells, limits, strict=False)]


def rows_with_value(data: d.DataTable, column: str) -> set[int]:
    """The rows, from 0, in which a number or a limit stands in ``column``."""
    numbers = data.columns.get(column, ())
    return {i for i, (has, v) in enumerate(zip(has_value(data, column), numbers, strict=False)) if has and v == v}


def renamed(limits: Mapping[str, Cells], names: Mapping[str, str]) -> dict[str, Cells]:
    """``limits`` by the new names of their columns; old names that are in no ``names`` stay."""
    return {names.get(column, column): cells for column, cells in limits.items()}


def of_columns(limits: Mapping[str, Cells], columns: Collection[str]) -> dict[str, Cells]:
    """Those of ``columns`` alone, without columns that have none."""
    return {name: cells for name, cells in limits.items() if name in columns and any(cell is not None for cell in cells)}
