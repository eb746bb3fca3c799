"""What was measured and what is predicted for it in the newest test run, side by side. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.across import known_sds
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.units.size_ratio import common_power, powers_of_large
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.units.offsets import CLEAR

Array = NDArray[np.float64]
OPPOSITE = 0.9  # of the sum of sizes that was measured with the other sign: where both pass through zero, some may agree


@dataclass(frozen=True)
class Sides:
    """What was measured and what is predicted for it (m,), and which values are ``clear`` of zero, beyond their errors (m,)."""

    measured: Array
    predicted: Array
    clear: NDArray[np.bool_]
    sized: bool  # the errors of all of them are known
    sds: Array | None = None  # (m,) of their errors, NaN where they are not

    @property
    def powers(self) -> Array:
        """Of ten, between what was measured and what is predicted, of values that are clear of zero."""
        return np.log10(np.abs(self.measured[self.clear] / self.predicted[self.clear]))

    @property
    def larger(self) -> Array:
        """``powers`` where both sides are far from zero."""
        return powers_of_large(self.measured[self.clear], self.predicted[self.clear])

    @property
    def power(self) -> float | None:
        """Of ten, the middle one between both sides; None: their curves are too unlike for one to be told."""
        return common_power(self.measured[self.clear], self.predicted[self.clear])

    @property
    def opposite(self) -> bool:
        measured, predicted = self.measured[self.clear], self.predicted[self.clear]
        sizes = np.abs(measured)
        return bool(len(sizes)) and float(sizes[measured * predicted < 0.0].sum()) >= OPPOSITE * float(sizes.sum())


def opposite(problem: d.Problem, index: int, report: TrialRunReport | None) -> bool:
    """Whether what is predicted in comparison ``index`` has the opposite sign to what was measured, beyond the errors."""
    sides = sides_of(problem, index, report)
    return sides is not None and sides.opposite


def sides_of(problem: d.Problem, index: int, report: TrialRunReport | None) -> Sides | None:
    """Both sides of comparison ``index`` in the newest test run, without rows of which a limit is known only; None: not known."""
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _ = found
    try:
        comparison = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    there = comparison.present & ~comparison.limited
    measured, predicted = comparison.data[there], comparison.prediction[there]
    sds = known_sds(problem, match, len(there))[there]
    beyond = np.abs(measured) > CLEAR * np.nan_to_num(sds, nan=0.0)
    clear = (measured != 0.0) & (predicted != 0.0) & beyond
    return Sides(measured, predicted, clear, bool(np.isfinite(sds).all()), sds)
