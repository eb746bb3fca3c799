"""Outputs are learnt in units of the noise as it is known now, where its size is inferred and was thought to be another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...loop_interface import OutputCells

Array = NDArray[np.float64]

KEPT_WITHIN = 0.75  # doublings: rounded at a half, factors would go to and fro between two runs that are best in turn


def noise_factors(cells: OutputCells, u: Array, f: Array, before: Array | None) -> Array:
    """By which powers of two (outputs,) the noise of each comparison is larger than ``cells.units`` say, by a run at u (D,) with
    predictions f (L,); ``before`` (outputs,): what it was, kept while it is about right."""
    doublings = np.log2(cells.units_at(u, f) / cells.units)
    now = np.array([doublings[part].mean() if part.stop > part.start else 0.0 for part in cells.outputs])
    kept = np.zeros(len(now)) if before is None else np.log2(before)
    return np.asarray(2.0 ** np.where(np.abs(now - kept) <= KEPT_WITHIN, kept, np.round(now)))
