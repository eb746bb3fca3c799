"""Kelvins against degrees Celsius, where values and the comparisons beside them tell it and no unit does. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.names.difference_words import says_difference
from bayescope.engine.problem.data.units.unit_scales import no_temperature
from bayescope.gui.models.data.units.heading_units import implied, unit_of_output
from bayescope.gui.models.data.units.offsets import ICE, ice_between
from bayescope.gui.models.data.units.own_changes import Change
from bayescope.gui.models.data.units.sides import Sides


def of_kelvins(problem: d.Problem, both: Mapping[int, Sides | None], own: Mapping[int, Change]) -> dict[int, Change]:
    """The changes of comparisons in the unit, or in no unit, of one that adds 273.15, or does already: of their kind is one mend.

    In a unit they need to be nearer to what was measured with it; in none, the test run must show it.
    """
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    told = {i: by for i, m in enumerate(matches) if (by := _ice_of(m, own.get(i)))}
    made: dict[int, Change] = {}
    for i, match in enumerate(matches):
        side, unit = both[i], unit_in(match.column)
        beside = {by for k, by in told.items() if unit_in(matches[k].column) == unit}
        if i in told or side is None or len(beside) != 1 or not _may_be(problem, i, own.get(i)):
            continue
        offset = beside.pop()
        nearer = bool(unit) and _off(side, offset) < _off(side, 0.0)
        if nearer or ice_between(side.measured, side.predicted) == offset:
            made[i] = Change(offset=offset)
    return made


def _ice_of(match: d.Match, change: Change | None) -> float:
    """What a comparison adds between kelvins and degrees Celsius, now or when it is changed; 0: nothing."""
    offset = change.of(match).offset if change is not None else match.offset
    return next((ice for ice in (ICE, -ICE) if abs(offset - ice) < 0.2), 0.0)


def _may_be(problem: d.Problem, index: int, change: Change | None) -> bool:
    """Whether nothing but values speaks of comparison ``index``, and it may be one of temperatures, taken as they are."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    units = (unit_in(match.column), unit_of_output(problem, match.output))
    plain = match.factor == 1.0 and not match.offset and (change is None or (change.units is None and change.molar is None))
    other = any(no_temperature(unit) for unit in units) or says_difference(match.column) or says_difference(match.output)
    return plain and not other and implied(problem, index) is None


def _off(side: Sides, offset: float) -> float:
    return float(np.median(np.abs(side.measured - side.predicted - offset))) if len(side.measured) else 0.0
