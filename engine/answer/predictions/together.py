"""Data of one value each, seen beside each other: every one measured in standard deviations of its own error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...problem.data.names.column_names import without_unit
from ..digits import typeset
from .predictive import Predicted, titles
from .residuals import Residuals

FEWEST = 2  # values: one is seen in its own plot
X_LABEL = "values measured once each"


@dataclass(frozen=True)
class Single:
    """``predicted``: the median. ``off``: measured less that, in standard deviations of the noise. ``sd``: of the error."""

    name: str
    measured: float
    predicted: float
    off: float
    sd: float

    @property
    def words(self) -> str:
        """``D1 (mm): measured 3.130, predicted 3.147, -0.42 sd``: the sd shows two digits in both numbers."""
        measured, predicted = (typeset(v, self.sd) if self.sd > 0.0 else f"{v:.5g}" for v in (self.measured, self.predicted))
        return f"{self.name}: measured {measured}, predicted {predicted}, {self.off:+.2f} sd"


def singles_of(found: Sequence[Predicted]) -> tuple[Single, ...]:
    """Those of the columns that hold one measured value; () where they are fewer than FEWEST."""
    made = []
    for p, name in zip(found, titles(found), strict=True):
        kept = np.flatnonzero(~p.limited)
        if len(kept) == 1 and p.residuals is not None and len(p.residuals.z) == 1:
            i = int(kept[0])
            measured, predicted, off = float(p.measured[i]), float(p.ends[1][i]), float(p.residuals.z[0])
            sd = float(p.sds[i]) if len(p.sds) == len(p.x) else math.nan
            apart = abs((measured - predicted) / off) if off else math.nan
            made.append(Single(name, measured, predicted, off, sd if math.isfinite(sd) else apart))
    return tuple(made) if len(made) >= FEWEST else ()


def together(singles: Sequence[Single]) -> Predicted:
    """As one column whose places are the ``singles``. Nothing is tested of it: their order says nothing."""
    n = len(singles)
    none, untested = np.full(n, np.nan), np.full((1, 2), np.nan)
    residuals = Residuals(np.array([s.off for s in singles]), none, none, untested, untested, np.ones(1))
    return Predicted(
        x=np.arange(1.0, n + 1.0), measured=np.array([s.measured for s in singles]), runs=np.empty((0, n)), weights=np.empty(0),
        x_label=X_LABEL, y_label="", residuals=residuals, names=tuple(without_unit(s.name) for s in singles), apart=True,
    )  # fmt: skip
