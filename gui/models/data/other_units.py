"""Comparisons whose predictions are so far from all measured values that the two seem to have other units. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.comparison import ComparisonError, compare_match
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.plain import one_line, shown

LEAST = 1.9  # powers of ten between every prediction and its measured value; nearer ones may be parameters far from the answer
USUAL = np.array([2.0, 3.0, 6.0, 9.0, 12.0, 15.0])  # powers of ten between units: per cent, milli, micro and so on
ICE = 273.15  # K at 0 degrees Celsius
NEAR_ICE = 60.0  # K that every difference may be off that: the parameters of a test run are not the answer


@dataclass(frozen=True)
class OtherUnit:
    """``words``: the doubt, a sentence; ``button``: what mends it; ``problem``: with that.

    ``every``: with all such outputs mended, if there are others; ``count``: how many in all.
    """

    words: str
    button: str
    problem: d.Problem
    every: d.Problem | None = None
    count: int = 1


@dataclass(frozen=True)
class _Change:
    """Of the output, to have the unit of the data: times ten to ``power``, plus ``offset``."""

    power: float = 0.0
    offset: float = 0.0

    def of(self, match: d.Match) -> d.Match:
        times = 10.0**self.power
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
    if change.offset:
        side, sign = ("smaller", "+") if change.offset > 0 else ("larger", "−")
        words = f"Every value of “{name}” is about 273 {side} than what was measured, as kelvins are against degrees Celsius."
        button = f"{sign} {ICE:g}"
    else:
        times = f"{10.0 ** abs(change.power):,.0f} times {'smaller' if change.power > 0 else 'larger'}"
        words = f"Every value of “{name}” is some {times} than what was measured."
        button = f"M&ultiply by {shown(10.0**change.power)}"
    every = _changed(problem, changes) if len(changes) > 1 else None
    return OtherUnit(words, button, _changed(problem, {index: change}), every, len(changes))


def doubtful_columns(problem: d.Problem, report: TrialRunReport | None) -> list[str]:
    """The measured columns that seem to have another unit than what is predicted for them."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    return [match.column for i, match in enumerate(matches) if _change(problem, i, report) is not None]


def _change(problem: d.Problem, index: int, report: TrialRunReport | None) -> _Change | None:
    """What would bring the predictions near the measured values; None: they are not so far apart, or not known."""
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _ = found
    try:
        comparison = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    measured, predicted = comparison.data[comparison.present], comparison.prediction[comparison.present]
    apart = measured - predicted
    if len(apart) and np.ptp(measured) < ICE:
        for offset in (ICE, -ICE):
            if np.all(np.abs(apart - offset) < NEAR_ICE):
                return _Change(offset=offset)
    some = (measured != 0.0) & (predicted != 0.0)
    powers = np.log10(np.abs(measured[some] / predicted[some]))
    if not len(powers) or not (np.all(powers > LEAST) or np.all(powers < -LEAST)):
        return None
    middle = float(np.median(powers))
    return _Change(power=float(np.copysign(USUAL[np.argmin(np.abs(USUAL - abs(middle)))], middle)))


def _changed(problem: d.Problem, changes: dict[int, _Change]) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(changes[i].of(m) if i in changes else m for i, m in enumerate(problem.meaning.matches))
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))
