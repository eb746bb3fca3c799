"""The size of the noise: numbers of the noise model, values of parameters, and columns of the data."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..problem.data.rows.comparison import Comparison
from ..problem.numbers.shown_digits import spoken
from .errors import LikelihoodError

Array = NDArray[np.float64]


def scales(c: Comparison, rows: NDArray[np.bool_], common: float | None) -> Array | float:
    """Of the measured ``rows`` (n,) of a comparison: their own (m,), or ``common``. Raises LikelihoodError."""
    if c.scale is None:
        if common is None:
            raise LikelihoodError("The size of the noise is not given.")
        return common
    scale = c.scale[rows]
    bad = ~(np.isfinite(scale) & (scale > 0.0))
    if np.any(bad):
        row = int(np.flatnonzero(rows)[np.argmax(bad)]) + 1
        raise LikelihoodError(f"The standard deviation of “{c.match.column}” in row {row} is missing or not greater than zero.")
    return scale


def value(values: Mapping[str, float], name: str) -> float:
    """Of a parameter. Raises LikelihoodError."""
    if name not in values:
        raise LikelihoodError(f"The noise parameter “{name}” has no value.")
    return float(values[name])


def positive(values: Mapping[str, float], name: str) -> float:
    """Of a parameter that is a size. Raises LikelihoodError."""
    found = value(values, name)
    if not 0.0 < found < math.inf:
        raise LikelihoodError(f"The noise parameter “{name}” is {spoken(found)}; it must be greater than zero.")
    return found


def given(values: Mapping[str, float], number: float | None, parameter: str | None, words: str) -> float:
    """A size: that of the parameter, else the number. Raises LikelihoodError."""
    if parameter is not None:
        return positive(values, parameter)
    if number is None:
        raise LikelihoodError(f"The size of the {words} is not given.")
    return number
