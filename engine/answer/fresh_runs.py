"""Runs that checked an answer, as they are stored with it: what the surrogate predicted of them before, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Row = tuple[float, ...]  # one run, in the order of ``FreshRuns``

PREFIX = "fresh."  # before the names of the arrays
CAPTION = "Log density found against predicted, with two standard deviations of the surrogate; on the line: as predicted."
MOST = 500  # runs kept, the newest


@dataclass(frozen=True)
class FreshRuns:
    """Of n runs, (n,) each. ``predicted`` and its ``sd``, and ``found``: log joint in inference space; minus infinity: the
    density is zero. ``tail``: 0 at a draw from the posterior, 1 in its tails. ``known``: runs that the surrogate
    knew when it predicted, the same for all runs of one check."""

    index: Array
    predicted: Array
    sd: Array
    found: Array
    tail: Array
    known: Array

    @classmethod
    def of_rows(cls, rows: Sequence[Row]) -> Self:
        return cls(*np.array(rows[-MOST:], dtype=float).reshape(-1, len(fields(cls))).T)

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> Self | None:
        """None where none are stored; a file may be damaged or come from a stranger."""
        found = [np.asarray(arrays.get(PREFIX + f.name, ()), dtype=float) for f in fields(cls)]
        if any(a.ndim != 1 or len(a) != len(found[0]) for a in found) or not len(found[0]):
            return None
        made = cls(*found)
        sound = all(np.isfinite(a).all() for name, a in made._columns() if name != "found") and (made.sd >= 0.0).all()
        return made if sound and not np.isnan(made.found).any() and not np.isposinf(made.found).any() else None

    def _columns(self) -> list[tuple[str, Array]]:
        return [(f.name, getattr(self, f.name)) for f in fields(self)]

    def arrays(self) -> dict[str, Array]:
        return {PREFIX + name: values for name, values in self._columns()} if len(self.index) else {}

    def rows(self, chosen: NDArray[np.bool_]) -> Self:
        return type(self)(*(values[chosen] for _, values in self._columns()))

    @property
    def last(self) -> Self:
        """Those of the last check."""
        return self.rows(self.known == self.known[-1])

    @property
    def draws(self) -> Self:
        return self.rows(self.tail == 0.0)

    @property
    def residual(self) -> Array:
        """Found less predicted (n,)."""
        return self.found - self.predicted


def row_of(index: int, predicted: float, variance: float, found: float, tail: bool, known: int) -> Row:
    return float(index), float(predicted), float(np.sqrt(max(variance, 0.0))), float(found), float(tail), float(known)


def placed(fresh: FreshRuns) -> tuple[Array, Array, float, float]:
    """Predicted and found log densities (n,) below the best one found, and the ends of axes that hold them. Where the density
    turned out to be zero, at the low end."""
    finite = fresh.found[np.isfinite(fresh.found)]
    top = float(finite.max()) if len(finite) else float(fresh.predicted.max())
    x, y = fresh.predicted - top, fresh.found - top
    ends = np.concatenate([x, y[np.isfinite(y)]])
    margin = 0.06 * float(max(ends.max() - ends.min(), 1.0))
    low, high = float(ends.min()) - margin, float(ends.max()) + margin
    return x, np.where(np.isfinite(y), y, low), low, high
