"""In which units of the data an evidence is: a density of what was measured, which is another number in other units."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ... import definition as d
from ..names.column_names import unit_in
from ..rows.comparison import ComparisonError, column

MOST_NAMED = 6  # units in a sentence
COUNTS = (d.PoissonNoise, d.NegativeBinomialNoise)  # of them there are probabilities, whatever the unit


@dataclass(frozen=True)
class EvidenceUnits:
    """``units`` of the data, ``unnamed``: some columns say none; ``shift``: what is added to ln Z where the data are in the units
    of the program, sum of n ln|factor| over the comparisons with n measured values each. Limits count with probabilities, which
    no unit changes."""

    units: tuple[str, ...]
    shift: float
    unnamed: bool = False

    @property
    def words(self) -> str:
        """A sentence."""
        named = ", ".join(self.units[:MOST_NAMED]) + (", …" if len(self.units) > MOST_NAMED else "")
        beside = " and in units that their columns do not say" if self.unnamed else ""
        own = "their own units, not in those of the program"
        return f"It is of the data in {named}{beside}." if named else f"It is of the data in {own}."


def evidence_units(problem: d.Problem) -> EvidenceUnits | None:
    """None: no comparison has a factor, so that the data are in the units of the program, or none is known."""
    data, meaning = problem.data, problem.meaning
    if data is None or not isinstance(meaning, d.Predictions) or all(m.factor == 1.0 for m in meaning.matches):
        return None
    units, shift, unnamed = dict[str, None](), 0.0, False
    for match in meaning.matches:
        if isinstance(match.noise or meaning.noise, COUNTS):
            continue
        if unit := unit_in(match.column):
            units[unit] = None
        else:
            unnamed = True
        try:
            cells = column(data, match.column)
        except ComparisonError:
            return None
        cells[[row - 1 for row in match.left_out if 1 <= row <= len(cells)]] = math.nan
        if match.factor:
            shift += int(np.isfinite(cells).sum()) * math.log(abs(match.factor))
    return EvidenceUnits(tuple(units), shift, unnamed)
