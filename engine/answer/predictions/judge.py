"""How far data lie from what is predicted for them, judged in one place: whether chance gives as much, or as little.

Everything that speaks of it asks here, so that no two places contradict each other: the best fit, the predictions, the residuals,
the report. A doubt of the whole answer (``answer.doubt``) takes far more than this.
"""

from __future__ import annotations

import math
from typing import Literal

TESTS = 4  # of each column: too far off, too near, runs of one sign, the normal plot
ANY = 0.1  # share of data sets that a right model makes of which anything is said
SURPRISING = ANY / TESTS  # of one test, so that of all of them no more is said (Bonferroni)

IF_RIGHT = "the answer holds if the program and its errors are right: chance seldom leaves such residuals"

Level = Literal["fits", "too large", "too small", "unknown"]


def surprising(share: float, among: int = 1) -> bool:
    """Whether chance hardly gives it; ``share``: of data sets with as much (NaN: not known), for one of so many columns that are
    judged at once: of twenty one would be odd by chance."""
    return share < SURPRISING / max(among, 1)


def of_any_test(share: float, among: int = 1) -> float:
    """The most by which chance makes any test of so many columns as odd as this one, with that ``share`` (Bonferroni)."""
    return min(1.0, TESTS * max(among, 1) * share)


def level_of(larger: float, smaller: float, among: int = 1) -> Level:
    """``larger``, ``smaller``: shares of data sets that lie as far off, and as near; NaN: not known."""
    if math.isnan(larger) or math.isnan(smaller):
        return "unknown"
    if surprising(larger, among):
        return "too large"
    return "too small" if surprising(smaller, among) else "fits"


def chances(chi2: float, count: int, parameters: int) -> tuple[float, float]:
    """Shares of data sets with a larger, and with a smaller chi^2 of ``count`` data to which so many parameters are fitted. With
    no more data than parameters none is too small, and what is too large for all the data is too large."""
    from scipy.special import chdtr, chdtrc

    free = count - parameters
    if free < 1:
        larger = float(chdtrc(max(count, 1), chi2))
        return (larger, 1.0) if surprising(larger) else (math.nan, math.nan)
    return float(chdtrc(free, chi2)), float(chdtr(free, chi2))
