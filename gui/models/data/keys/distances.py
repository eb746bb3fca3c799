"""How far the rows of a comparison lie from the keys that they are paired with by a tolerance. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes, key_values, measured_values
from bayescope.engine.problem.data.rows.pairing import by_keys
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL, UNITS, unit_of
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.dates.lasting import lasting
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
FEWEST, POWERS = 4, 10.0  # keys, and how many times the least the largest is, for them to be spread over powers of ten
SHARE = 1e-3  # of the spacing of the keys: less is the rounding of what a program prints


@dataclass(frozen=True)
class Distance:
    """``largest`` of any row from its partner's key; ``spacing`` of the output's keys, NaN: one key only.

    ``unit`` of both, '' if not known; ``key``: the output that is the key. ``relative``: both are parts of a key, as the keys
    are spread over powers of ten.
    """

    largest: float
    spacing: float
    unit: str
    key: str
    relative: bool = False

    @property
    def far(self) -> bool:
        """Whether a row lies further off than half way to the next key, so that it may belong to another one."""
        return self.largest > 0.5 * self.spacing

    @property
    def size(self) -> str:
        return self._long(self.largest)

    def _long(self, size: float) -> str:
        if self.relative:
            return f"{spoken(100.0 * size, 2)} %"
        return lasting(size * UNITS[self.unit]) if self.unit else spoken(size, 3)

    @property
    def words(self) -> str:
        """A sentence; empty where all lie at their partner's key."""
        if not self.largest > SHARE * (self.spacing if np.isfinite(self.spacing) else 0.0):
            return ""
        far = f", whose keys are {self._long(self.spacing)} apart" if self.far else ""
        return f"Rows are up to {self.size} away from the nearest key of “{one_line(self.key, 30)}”{far}."


def distance(problem: d.Problem, index: int, report: TrialRunReport | None) -> Distance | None:
    """In comparison ``index`` of the newest test run; None: its rows are not paired by a tolerance, or that is not known."""
    found = compared(problem, index, report)
    if found is None or found[0].key_tolerance is None:
        return None
    return largest(found[0], found[1], found[2])


def largest(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]) -> Distance | None:
    """Of the rows that ``match`` pairs by the nearest key; None where there are none, or where their keys are labels."""
    if not match.keys or match.interpolate or match.by_day:
        return None
    try:
        measured = measured_values(match, data)
        keys = [key_codes(data, name) for _, name in match.keys]
        found = key_values(match, outputs)
    except ComparisonError:
        return None
    if any(len(k) != len(measured) for k in keys) or len({len(f) for f in found}) > 1:
        return None
    rows = by_keys(match, keys, found)
    paired = (rows >= 0) & ~np.isnan(measured) & (keys[0] < FIRST_LABEL)
    if not paired.any():
        return None
    places = np.unique(found[0][np.isfinite(found[0])])
    output, name = match.keys[0]
    dates = day_zero.counted(name)
    unit = dates.unit if dates is not None else "s" if unit_of(data.texts.get(name, ())) else ""
    theirs, mine = found[0][rows[paired]], keys[0][paired]
    if not unit and spread_over_powers(places):
        step = float(np.expm1(np.median(np.diff(np.log(places)))))
        return Distance(float(np.max(np.abs(theirs / mine - 1.0))), step, "", output, relative=True)
    spacing = float(np.median(np.diff(places))) if len(places) > 1 else float("nan")
    return Distance(float(np.max(np.abs(theirs - mine))), spacing, unit, output)


def spread_over_powers(places: Array) -> bool:
    """Whether rising ``places`` (n,) are spread over powers of ten: their ratios are more alike than their differences."""
    if len(places) < FEWEST or places[0] <= 0.0 or places[-1] < POWERS * places[0]:
        return False
    steps, ratios = np.diff(places), np.diff(np.log(places))
    return bool(np.std(ratios) / np.mean(ratios) < np.std(steps) / np.mean(steps))
