"""An output that is counted from zero beside what was measured from another one: depths below the sea floor against those below
the sea. Pure."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FEWEST = 5  # values of which a line is told
STRAIGHT = 0.9  # correlation of both sides: the parameters of a test run are not the answer, but curves are alike
WITHIN = 0.5  # powers of ten that the slope may be off the factor
FAR = 1.0  # times the spread of what was measured that the constant is larger than
FROM_ZERO = 0.5  # times its spread that a prediction is nearest to zero at most: else its own level may be wrong
REST = 0.25  # of the constant that is left of the furthest value at most
ERRORS = 10.0  # sds that the constant is at least, where no unit tells the factor
DIGITS = 3  # of a constant that a test run tells


def from_another_zero(measured: Array, predicted: Array, sds: Array, factor: float, told: bool) -> tuple[float, float] | None:
    """By what ``predicted`` (m,) is multiplied, ``factor`` or its opposite, and what is then added, to be ``measured`` (m,) with
    errors ``sds`` (m,), NaN where they are not known. ``told``: units tell the factor. None: no constant lies between them."""
    spreads = (float(np.ptp(measured)), float(np.ptp(predicted))) if len(measured) >= FEWEST else (0.0, 0.0)
    if min(spreads) == 0.0 or float(np.abs(predicted).min()) >= FROM_ZERO * spreads[1]:
        return None
    alike = float(np.corrcoef(measured, predicted)[0, 1])
    if abs(alike) < STRAIGHT or abs(math.log10(spreads[0] / spreads[1] / abs(factor))) >= WITHIN:
        return None
    times = math.copysign(abs(factor), alike)
    rest = measured - times * predicted
    constant = float(f"{rest[int(np.argmin(np.abs(predicted)))]:.{DIGITS}g}")  # there a test run is nearest
    enough = told or (bool(np.isfinite(sds).all()) and abs(constant) > ERRORS * float(np.median(sds)))
    if not enough or abs(constant) <= FAR * spreads[0] or float(np.abs(rest - constant).max()) > REST * abs(constant):
        return None
    return times, constant
