"""Comparisons whose predictions are so far from all measured values that the two seem to have other units. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.data.units.unit_scales import no_temperature, times
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.units.heading_units import Implied, implied
from bayescope.gui.models.plain import one_line, shown

Array = NDArray[np.float64]

LEAST = 1.9  # powers of ten between every prediction and its measured value; nearer ones may be parameters far from the answer
USUAL = np.array([2.0, 3.0, 4.0, 5.0, 6.0, 9.0, 12.0, 15.0])  # powers of ten between units: per cent, milli, bar and GPa, micro
LONGEST_ON_BUTTON = 24  # characters of an output's name
ICE = 273.15  # K at 0 degrees Celsius
NEARER = 0.5  # powers of ten that another unit must bring predictions nearer to what was measured
NEAR_ICE = 60.0  # K that every difference may be off that: the parameters of a test run are not the answer


@dataclass(frozen=True)
class OtherUnit:
    """``words``: the doubt, a sentence; ``hint``: what is asked; ``button``: what mends it; ``problem``: with that.

    ``every``: with all such outputs mended, if there are others; ``count``: how many in all. ``same``: with all of them mended
    that are off alike and compared in the same unit, if there are others, by ``same_button``. ``known``: another output that is
    compared in this unit is multiplied so already.
    """

    words: str
    button: str
    problem: d.Problem
    every: d.Problem | None = None
    count: int = 1
    hint: str = "Has it another unit?"
    same: d.Problem | None = None
    same_button: str = ""
    known: bool = False


@dataclass(frozen=True)
class _Change:
    """Of the output, to have the unit of the data: times ten to ``power``, plus ``offset``; or ``units``: as headings say."""

    power: float = 0.0
    offset: float = 0.0
    units: Implied | None = None

    def of(self, match: d.Match) -> d.Match:
        times = 10.0**self.power if self.units is None else self.units.factor / match.factor
        factor, offset = float(f"{match.factor * times:.12g}"), float(f"{match.offset * times + self.offset:.12g}")
        return msgspec.structs.replace(match, factor=factor, offset=offset)


def other_unit(problem: d.Problem, index: int, report: TrialRunReport | None) -> OtherUnit | None:
    """What speaks for another unit in comparison ``index`` of the newest test run; None: nothing, or not known."""
    change = _change(problem, index, report)
    if change is None or not isinstance(problem.meaning, d.Predictions):
        return None
    matches = problem.meaning.matches
    changes = {i: c for i in range(len(matches)) if (c := _change(problem, i, report)) is not None}
    name = one_line(matches[index].output, 30)
    if change.units is not None:
        match = matches[index]
        now = f" It is multiplied by {shown(match.factor)}." if match.factor != 1.0 or match.offset else " It is taken as it is."
        words = change.units.words + now if change.units.sure else change.units.words
        called = one_line(match.output, LONGEST_ON_BUTTON).replace("&", "&&")
        button = f"M&ultiply {called} by {shown(change.units.factor)}"
    elif change.offset:
        side, sign = ("smaller", "+") if change.offset > 0 else ("larger", "−")
        words = f"Every value of “{name}” is about 273 {side} than what was measured, as kelvins are against degrees Celsius."
        button = f"{sign} {ICE:g}"
    else:
        times = f"{10.0 ** abs(change.power):,.0f} times {'smaller' if change.power > 0 else 'larger'}"
        words = f"Every value of “{name}” is some {times} than what was measured."
        button = f"M&ultiply by {shown(10.0**change.power)}"
    every = _changed(problem, changes) if len(changes) > 1 else None
    hint = "" if change.units is not None else OtherUnit.hint
    found = OtherUnit(words, button, _changed(problem, {index: change}), every, len(changes), hint)
    return found if change.units is not None else _with_the_same(found, problem, index, changes)


def _with_the_same(found: OtherUnit, problem: d.Problem, index: int, changes: dict[int, _Change]) -> OtherUnit:
    """``found`` of comparison ``index``, with what others that are compared in the same unit say: they are off alike, or are
    multiplied so already."""
    assert isinstance(problem.meaning, d.Predictions)
    matches = problem.meaning.matches
    mine, unit = changes[index].of(matches[index]), unit_in(matches[index].column)
    beside = [i for i, m in enumerate(matches) if i != index and unit and unit_in(m.column) == unit]
    same = {i: changes[i] for i in beside if changes.get(i) == changes[index]}
    so = next((matches[i] for i in beside if i not in changes and _scaling(matches[i]) == _scaling(mine)), None)
    words = found.words
    if so is not None:
        words += f" “{one_line(so.output, 30)}”, also compared in {unit}, is multiplied so already."
    if not same:
        return replace(found, words=words, known=so is not None)
    names = [f"“{one_line(matches[i].output, 30)}”" for i in same]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    words += f" So is {listed}." if len(names) == 1 else f" So are {listed}."
    change = changes[index]
    how = f"{'+' if change.offset > 0 else '−'} {ICE:g}" if change.offset else f"by {shown(10.0**change.power)}"
    every = "both" if len(same) == 1 else f"all {len(same) + 1}"
    button = f"{every.capitalize()} {how}" if change.offset else f"M&ultiply {every} {how}"
    return replace(
        found, words=words, same=_changed(problem, {index: change, **same}), same_button=button, known=so is not None
    )


def _scaling(match: d.Match) -> tuple[float, float]:
    return match.factor, match.offset


def doubtful_columns(problem: d.Problem, report: TrialRunReport | None, kept: Collection[str] = ()) -> list[str]:
    """The measured columns that seem to have another unit than what is predicted for them, but for doubts in ``kept``."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    found = {match.column: other_unit(problem, i, report) for i, match in enumerate(matches)}
    return [column for column, doubt in found.items() if doubt is not None and doubt.words not in kept]


def _change(problem: d.Problem, index: int, report: TrialRunReport | None) -> _Change | None:
    """What would bring the predictions near the measured values, or is said by units in headings; None: neither, or not known."""
    units, both = implied(problem, index), _both(problem, index, report)
    if units is not None and _doubted(problem, index, units, both):
        return _Change(units=units)
    if both is None:
        return None
    assert isinstance(problem.meaning, d.Predictions)
    return _far_off(*both, degrees=not no_temperature(unit_in(problem.meaning.matches[index].column)))


def _both(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[Array, Array] | None:
    """What was measured, and what the newest test run predicts for it (m,); None: not known."""
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _ = found
    try:
        comparison = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    return comparison.data[comparison.present], comparison.prediction[comparison.present]


def _doubted(problem: d.Problem, index: int, units: Implied, both: tuple[Array, Array] | None) -> bool:
    """Whether the factor that ``units`` imply is not the present one, and nothing that a test run shows speaks against it.

    Without a test run, units of two columns say only that one of the two is multiplied: the later one.
    """
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    if match.offset or not match.factor or not units.differs(match):
        return False
    if both is None:
        others = [m for m in problem.meaning.matches[:index] if times(unit_in(m.column), unit_in(match.column)) is not None]
        return units.sure or any(m.factor == match.factor for m in others)
    measured, predicted = both
    some = (measured != 0.0) & (predicted != 0.0)
    if not some.any():
        return units.sure
    power = float(np.median(np.log10(np.abs(measured[some] / predicted[some]))))
    gain = abs(power) - abs(power - np.log10(abs(units.factor / match.factor)))
    return bool(gain > (-NEARER if units.sure else NEARER))


def _far_off(measured: Array, predicted: Array, degrees: bool) -> _Change | None:
    """``degrees``: both may be temperatures."""
    apart = measured - predicted
    if degrees and len(apart) and np.ptp(measured) < ICE:
        for offset in (ICE, -ICE):
            if np.all(np.abs(apart - offset) < NEAR_ICE):
                return _Change(offset=offset)
    some = (measured != 0.0) & (predicted != 0.0)
    powers = np.log10(np.abs(measured[some] / predicted[some]))
    if not len(powers) or not (np.all(powers > LEAST) or np.all(powers < -LEAST)):
        return None
    middle = float(np.median(powers))
    return _Change(power=float(np.copysign(USUAL[np.argmin(np.abs(USUAL - abs(middle)))], middle)))


def first_by_headings(problem: d.Problem, report: TrialRunReport | None) -> tuple[int, OtherUnit] | None:
    """The first comparison whose factor is not the one that units in headings imply, and what mends it; None: there is none of
    which the output's own name or the test run says so."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    for i in range(len(matches)):
        change = _change(problem, i, report)
        known = change is not None and change.units is not None and (change.units.sure or _both(problem, i, report) is not None)
        if known and (found := other_unit(problem, i, report)) is not None:
            return i, found
    return None


def first_far_off(problem: d.Problem, report: TrialRunReport | None) -> tuple[int, OtherUnit] | None:
    """The first comparison all of whose predictions of the newest test run are so far off that the unit may be another one."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    for i in range(len(matches)):
        change = _change(problem, i, report)
        if change is not None and change.units is None and (found := other_unit(problem, i, report)) is not None:
            return i, found
    return None


def _changed(problem: d.Problem, changes: dict[int, _Change]) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(changes[i].of(m) if i in changes else m for i, m in enumerate(problem.meaning.matches))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))
