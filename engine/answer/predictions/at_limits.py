"""How the predictions of one run keep to limits, where these are all that is known of a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...problem.data.rows.comparison import Comparison

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)  # holds arrays
class AtLimits:
    """Of k values: rows of the table from 0, limits, what is predicted, ``sides`` as ``Limits``, and by how many standard
    deviations of the noise the prediction lies beyond the limit (0: on its side)."""

    rows: NDArray[np.intp]
    limit: Array
    predicted: Array
    sides: NDArray[np.int8]
    beyond: Array

    @classmethod
    def of(cls, c: Comparison, z: Array) -> Self | None:
        """``z``: of all rows with a value or a limit the residuals as if these had been measured. None: there are no limits."""
        present = np.flatnonzero(c.present)
        limited = c.limited[present]
        if not limited.any():
            return None
        rows = present[limited]
        sides = c.limits.sides[rows]
        return cls(rows, c.data[rows], c.prediction[rows], sides, np.maximum(sides * z[limited], 0.0))

    @property
    def words(self) -> str:
        """How the predictions keep to them, a clause: ``3 limits, all kept``."""
        count, off = len(self.rows), int((self.beyond > 0.0).sum())
        many = f"{count} limit{'s' * (count != 1)}"
        if not off:
            return f"{many}, {'kept' if count == 1 else 'all kept'}"
        worst = int(np.argmax(self.beyond))
        return f"{many}, {off} passed: row {int(self.rows[worst]) + 1} by {self.beyond[worst]:.1f} sd"
