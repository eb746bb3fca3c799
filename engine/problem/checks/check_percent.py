"""Errors in percent of what was measured: that each value gets one, and that none gets a far smaller one than others."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .. import definition as d
from ..data.rows.censored import limits_in
from ..data.rows.comparison import ComparisonError, measured_cells
from ..findings import Findings, shorten
from ..numbers.shown_digits import spoken

UNEVEN = 30.0  # the largest error by the smallest: from there on values near zero pull a thousand times as hard (1 / sd^2)
MIDDLE = 0.5  # of the percentage of the middle value: about what the size added to a percentage is on data sheets

Array = NDArray[np.float64]


def measured_sizes(match: d.Match, data: d.DataTable) -> tuple[Array, Array]:
    """The numbers, from 1, of the rows of ``match`` that count, and the values there without their signs, (m,) each; limits are
    none, but those at zero, of which no percentage is an error."""
    try:
        y = measured_cells(match, data)
    except ComparisonError:
        return np.empty(0), np.empty(0)  # said where columns and keys are checked
    limited = limits_in(data, match.column)[1].there
    rows = np.flatnonzero(np.isfinite(y) & (~limited | (y == 0.0)))
    return np.asarray(rows + 1.0, dtype=np.float64), np.asarray(np.abs(y[rows]), dtype=np.float64)


def size_to_add(measured: Array, percent: float) -> float | None:
    """A size that keeps values near zero from being taken for nearly exact, one digit; None: the percentage is fit for all of the
    values ``measured`` (m,) > = 0, or they are all zero."""
    largest = float(measured.max(initial=0.0))
    if not largest > 0.0 or float(measured.min()) * UNEVEN > largest:
        return None
    middle = float(np.median(measured)) or largest
    return float(f"{MIDDLE * percent / 100.0 * middle:.0e}") or None


def check_percent(
    findings: Findings, where: str, noise: d.GaussianKnown | d.StudentTNoise, matches: dict[int, d.Match], problem: d.Problem
) -> None:
    percent = noise.percent
    if percent is None:
        return
    if not (math.isfinite(percent) and percent > 0.0):
        findings.error(
            f"{where}.percent", f"The percentage of each measured value is {spoken(percent)}; it must be greater than zero."
        )
        return
    if isinstance(noise, d.StudentTNoise) and noise.parameter is not None:
        findings.error(
            f"{where}.percent", "A percentage is added to a scale that is known, not to one that is learned.",
            "Leave the percentage out, or give the scale as a number or a column.",
        )  # fmt: skip
        return
    if _size(noise) is not None or problem.data is None:
        return
    for match in matches.values():
        if match.sd_column is None and match.column in problem.data.columns:
            _check_alone(findings, f"{where}.percent", percent, match, problem.data)


def _size(noise: d.GaussianKnown | d.StudentTNoise) -> float | str | None:
    if isinstance(noise, d.GaussianKnown):
        return noise.sd if noise.sd is not None else noise.sd_column
    return noise.scale if noise.scale is not None else noise.scale_column


def _check_alone(findings: Findings, where: str, percent: float, match: d.Match, data: d.DataTable) -> None:
    """A percentage without a size."""
    rows, measured = measured_sizes(match, data)
    added = size_to_add(measured, percent) if len(measured) else None
    example = f"{spoken(percent)} % + {spoken(0.01 if added is None else added)}"
    if len(measured) and float(measured.min()) == 0.0:
        row = int(rows[int(np.argmin(measured))])
        findings.error(
            where, f"Row {row} of column “{shorten(match.column, 40)}” is 0, and {spoken(percent)} % of it is no error.",
            f"Add a size to the percentage, as data sheets do: {example}.",
        )  # fmt: skip
    elif added is not None:
        smallest, largest = float(measured.min()), float(measured.max())
        row, share = int(rows[int(np.argmin(measured))]), percent / 100.0
        findings.warning(
            where,
            f"The smallest error of “{shorten(match.column, 40)}” is {spoken(share * smallest, 2)} ({spoken(percent)} % of "
            f"{spoken(smallest)}, row {row}), the largest {spoken(share * largest, 2)}, {largest / smallest:.0f} times as "
            "large. Values that "
            "near to zero decide nearly alone.",
            f"If they were not measured as finely as that, add a size to the percentage: {example}.",
        )  # fmt: skip
