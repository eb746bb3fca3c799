"""A constant that an output and what was measured for it differ by: kelvins against degrees Celsius, Julian dates against days
that are counted from some later day, energies from another zero. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.brackets import bracket_of
from bayescope.engine.problem.data.names.column_names import without_unit
from bayescope.engine.problem.data.units.unit_scales import day_zeros
from bayescope.engine.problem.numbers.number_text import NumberError, typed

Array = NDArray[np.float64]

ICE = 273.15  # K at 0 degrees Celsius
NEAR_ICE = 60.0  # K that every difference may be off that: the parameters of a test run are not the answer
SHARE = 0.05  # of the spread of what was measured that differences which are the same may be apart
CLEAR = 3.0  # sds: ... or of their errors
NEARLY_ALL = 0.8  # of the values: one of a loose wire, or a row or two before a season, may be off by themselves
FEWEST = 3  # values of which the differences tell a constant: of two, a factor does as well
FAR = 10.0  # times their spread and their errors that both are apart: nearer ones may be parameters
MOST_DIGITS = 12  # of a constant
_STATED = re.compile(r"(?P<name>[^\W\d]\w*)\s*=\s*[^\W\d]\w*\s*(?P<sign>[-+\u2212\u2013])\s*(?P<number>[0-9][0-9.]*)")


def common_offset(measured: Array, predicted: Array, sds: Array, temperature: bool | None) -> float | None:
    """What is to be added to the ``predicted`` values (m,) to be the ``measured`` ones (m,) with errors ``sds`` (m,), NaN where
    they are not known; None: not nearly all differences are the same, or one factor brings both nearer to one another.

    ``temperature``: a unit says that both are; None: nothing says that they are none.
    """
    apart = measured - predicted
    if not len(apart):
        return None
    if temperature and (ice := ice_between(measured, predicted)) is not None:
        return ice
    middle, spread = float(np.median(apart)), float(np.ptp(measured))
    errors = np.nan_to_num(sds, nan=0.0)
    same = np.abs(apart - middle) <= np.maximum(CLEAR * errors, SHARE * spread)
    if np.mean(same) < NEARLY_ALL or len(apart) < FEWEST:
        return None
    apart = apart[same]
    if _by_a_factor(measured[same], predicted[same]) <= float(np.abs(apart - middle).max()):
        return None
    if temperature is None and (ice := _ice(apart)) is not None:
        return ice
    if abs(middle) < FAR * max(spread, float(errors.max())) or middle == 0.0:
        return None
    zeros = day_zeros()
    known = {a - b for a in zeros for b in zeros if abs(a - b - middle) <= SHARE * spread and a != b}
    return min(known, key=lambda one: abs(one - middle)) if known else _plainest(float(apart.min()), float(apart.max()), middle)


def stated_offset(lines: Sequence[str], column: str, about: float) -> tuple[float, str] | None:
    """What a remark such as ``BTJD = BJD - 2457000.0`` says of a ``column`` of that name or unit, near ``about``, and its words;
    None: there is none."""
    names = {part.casefold() for part in (column.strip(), without_unit(column), bracket_of(column)) if part}
    for line in lines:
        for found in _STATED.finditer(line):
            try:
                offset = typed(found["number"].rstrip(".")) * (1.0 if found["sign"] == "+" else -1.0)
            except NumberError:
                continue
            if found["name"].casefold() in names and abs(offset - about) <= SHARE * abs(about):
                return offset, found[0]
    return None


def ice_between(measured: Array, predicted: Array) -> float | None:
    """What is added to ``predicted`` (m,) where nearly all of them are about as far from ``measured`` (m,) as kelvins are from
    degrees Celsius; None: they are not, or what was measured goes farther than that."""
    return _ice(measured - predicted) if len(measured) and np.ptp(measured) < ICE else None


def _ice(apart: Array) -> float | None:
    return next((offset for offset in (ICE, -ICE) if np.mean(np.abs(apart - offset) < NEAR_ICE) >= NEARLY_ALL), None)


def _by_a_factor(measured: Array, predicted: Array) -> float:
    """How far the furthest is from what was measured with the one factor that is best for all; infinite: there is none."""
    ratios = measured[predicted != 0.0] / predicted[predicted != 0.0]
    if not len(ratios) or not (np.all(ratios > 0.0) or np.all(ratios < 0.0)):
        return float("inf")
    return float(np.abs(measured - float(np.median(ratios)) * predicted).max())


def _plainest(low: float, high: float, middle: float) -> float:
    """The number with the fewest digits from ``low`` to ``high``."""
    rounded = (float(f"{middle:.{digits}g}") for digits in range(1, MOST_DIGITS + 1))
    return next((one for one in rounded if low <= one <= high), float(f"{middle:.{MOST_DIGITS}g}"))
