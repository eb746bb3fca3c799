"""Data of one value each, or of a few, seen beside each other: every one measured in standard deviations of its own error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...problem.data.names.column_names import without_unit
from ...problem.numbers.shown_digits import spoken
from ..digits import typeset
from .predictive import Predicted, titles
from .residuals import Residuals

FEWEST = 2  # columns: one is seen in its own plot
FEW = 6  # values of a column that are no curve yet: too few for a test of their order
X_LABEL = "measured values"


@dataclass(frozen=True)
class Single:
    """``predicted``: the median. ``off``: measured less that, in standard deviations of the noise. ``sd``: of the error;
    ``place``: which of the values of its ``column`` it is, '' where it is the only one."""

    column: str
    place: str
    measured: float
    predicted: float
    off: float
    sd: float

    @property
    def name(self) -> str:
        return f"{self.column} {self.place}".strip()

    @property
    def short(self) -> str:
        """Without the unit."""
        return f"{without_unit(self.column)} {self.place}".strip()

    @property
    def words(self) -> str:
        """``D1 (mm): measured 3.130, predicted 3.147, -0.42 sd``: the sd shows two digits in both numbers."""
        measured, predicted = (typeset(v, self.sd) if self.sd > 0.0 else spoken(v, 5) for v in (self.measured, self.predicted))
        return f"{self.name}: measured {measured}, predicted {predicted}, {self.off:+.2f} sd"


def singles_of(found: Sequence[Predicted]) -> tuple[Single, ...]:
    """The values of those columns that hold one, or so few that nothing is tested of them; () where these columns are fewer than
    FEWEST."""
    every = [_of_column(p, name) for p, name in zip(found, titles(found), strict=True)]
    some = [values for values in every if values]
    return tuple(value for values in some for value in values) if len(some) >= FEWEST else ()


def _of_column(p: Predicted, name: str) -> list[Single]:
    """Its measured values; none where they are many."""
    kept, made = np.flatnonzero(~p.limited), list[Single]()
    if p.residuals is None or p.residuals.tested or not 0 < len(kept) == len(p.residuals.z) <= FEW:
        return made
    for i, z in zip(kept.tolist(), p.residuals.z.tolist(), strict=True):
        place = "" if len(kept) == 1 else p.names[i] if len(p.names) == len(p.x) else format(p.x[i], ".5g")
        measured, predicted = float(p.measured[i]), float(p.ends[1][i])
        sd = float(p.sds[i]) if len(p.sds) == len(p.x) else math.nan
        apart = abs((measured - predicted) / z) if z else math.nan
        made.append(Single(name, place, measured, predicted, z, sd if math.isfinite(sd) else apart))
    return made


def together(singles: Sequence[Single]) -> Predicted:
    """As one column whose places are the ``singles``. Nothing is tested of it: their order says nothing."""
    n = len(singles)
    none, untested = np.full(n, np.nan), np.full((1, 2), np.nan)
    residuals = Residuals(np.array([s.off for s in singles]), none, none, untested, untested, np.ones(1))
    return Predicted(
        x=np.arange(1.0, n + 1.0), measured=np.array([s.measured for s in singles]), runs=np.empty((0, n)), weights=np.empty(0),
        x_label=X_LABEL, y_label="", residuals=residuals, names=tuple(s.short for s in singles), apart=True,
    )  # fmt: skip
