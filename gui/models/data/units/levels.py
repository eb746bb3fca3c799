"""Outputs in one unit that factors alone do not explain, where one factor and a constant each explain all of them: depths below a
mark against drawdowns, which are counted from the level at rest. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.gui.models.data.units.own_changes import Change
from bayescope.gui.models.data.units.sides import Sides
from bayescope.gui.models.data.units.zeros import DIGITS, FAR, FEWEST, FROM_ZERO, STRAIGHT, WITHIN

Array = NDArray[np.float64]
MOST_POWER = 6.0  # of ten, of a factor between units


def of_levels(
    matches: tuple[d.Match, ...], both: Mapping[int, Sides | None], own: Mapping[int, Change]
) -> dict[int, Change]:
    """The changes of several comparisons in one unit, some of whose ``own`` ones multiply, though predictions that begin at zero
    stand beside values far from it: a constant for each and one factor for all; empty: that does not explain them."""
    groups: dict[str, list[int]] = {}
    for i, match in enumerate(matches):
        if both.get(i) is not None and unit_in(match.column) and match.factor == 1.0 and not match.offset:
            groups.setdefault(unit_in(match.column), []).append(i)
    made: dict[int, Change] = {}
    for group in groups.values():
        plain = [i for i in group if i in own and own[i].units is None and own[i].molar is None and not own[i].offset]
        if len(group) < 2 or all(own[i].times == 1.0 for i in plain):
            continue
        lines = {i: _line(side.measured, side.predicted) for i in group if (side := both[i]) is not None}
        powers = {round(line[0]) for line in lines.values() if line is not None}
        if len(powers) == 1 and all(line is not None and abs(line[0] - round(line[0])) < WITHIN for line in lines.values()):
            factor = 10.0 ** powers.pop()
            made |= {i: Change(times=factor, offset=_constant(both[i], factor)) for i in group if both[i] is not None}
    return made


def _line(measured: Array, predicted: Array) -> tuple[float, float] | None:
    """The power of ten of the slope and the constant of ``measured`` (m,) over ``predicted`` (m,); None: they lie on no rising
    line, or on one through zero."""
    spread = float(np.ptp(measured)) if len(measured) >= FEWEST else 0.0
    if spread == 0.0 or float(np.abs(predicted).min()) >= FROM_ZERO * float(np.ptp(predicted)):
        return None
    if np.corrcoef(measured, predicted)[0, 1] < STRAIGHT:
        return None
    slope = spread / float(np.ptp(predicted))
    constant = float(np.median(measured - slope * predicted))
    power = float(np.log10(slope))
    return (power, constant) if abs(constant) > FAR * spread and abs(power) <= MOST_POWER else None


def _constant(sides: Sides | None, factor: float) -> float:
    """What is left where the prediction is least: there a test run is nearest, whatever its parameters."""
    assert sides is not None
    least = int(np.argmin(np.abs(sides.predicted)))
    return float(f"{sides.measured[least] - factor * sides.predicted[least]:.{DIGITS}g}")
