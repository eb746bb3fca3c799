"""Single outputs of one family, u_1, u_929, and the rows of a table, in the order of both where values rise and fall alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .whole_pairing import Side

Array = NDArray[np.float64]

FEWEST = 4  # rows with values on both sides: of fewer the order may be alike by chance
ALIKE = 0.9  # rank correlation from which on, or below minus which, they rise and fall alike; signs and units may differ
_NUMBERS = re.compile(r"[0-9]+")


def rows_in_order(outputs: Sequence[Side], rows: Sequence[Side | None]) -> dict[str, str]:
    """The column of each output of the one family that has as many outputs as there are ``rows``; None: nothing was measured in
    that row. Empty where no family, or more than one, is such."""
    families: dict[str, list[Side]] = {}
    for output in outputs:
        families.setdefault(_NUMBERS.sub("#", output.name), []).append(output)
    fits = [family for family in families.values() if len(family) == len(rows) and _alike(family, rows)]
    if len(fits) != 1:
        return {}
    return {output.name: row.name for output, row in zip(fits[0], rows, strict=True) if row is not None}


def _alike(family: Sequence[Side], rows: Sequence[Side | None]) -> bool:
    computed, measured = np.array([_one(side) for side in family]), np.array([_one(row) for row in rows])
    there = np.isfinite(computed) & np.isfinite(measured)
    if there.sum() < FEWEST or np.ptp(computed[there]) == 0.0 or np.ptp(measured[there]) == 0.0:
        return False
    return abs(float(np.corrcoef(_ranks(computed[there]), _ranks(measured[there]))[0, 1])) >= ALIKE


def _one(side: Side | None) -> float:
    return float(side.values[0]) if side is not None and side.values is not None and len(side.values) == 1 else np.nan


def _ranks(values: Array) -> Array:
    return np.asarray(np.argsort(np.argsort(values)), dtype=float)
