"""Comparisons whose predictions are so far from all measured values that the two seem to have other units. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.comparison import ComparisonError, compare_match
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.compared_outputs import compared
from bayescope.gui.models.plain import one_line, shown

LEAST = 1.9  # powers of ten between every prediction and its measured value; nearer ones may be parameters far from the answer
USUAL = np.array([2.0, 3.0, 6.0, 9.0, 12.0, 15.0])  # powers of ten between units: per cent, milli, micro and so on


@dataclass(frozen=True)
class OtherUnit:
    """``words``: the doubt, a sentence; ``times``: what the output would be multiplied by; ``problem``: with that.

    ``every``: with all such outputs multiplied, if there are others; ``count``: how many in all.
    """

    words: str
    times: str
    problem: d.Problem
    every: d.Problem | None = None
    count: int = 1


def other_unit(problem: d.Problem, index: int, report: TrialRunReport | None) -> OtherUnit | None:
    """What speaks for another unit in comparison ``index`` of the newest test run; None: nothing, or not known."""
    power = _power(problem, index, report)
    if power is None or not isinstance(problem.meaning, d.Predictions):
        return None
    match = problem.meaning.matches[index]
    powers = {i: p for i in range(len(problem.meaning.matches)) if (p := _power(problem, i, report)) is not None}
    factor = float(10.0 ** abs(power))
    words = (
        f"Every value of “{one_line(match.output, 30)}” is some {factor:,.0f} times {'smaller' if power > 0 else 'larger'} than "
        f"what was measured."
    )
    return OtherUnit(
        words, shown(10.0**power), _times(problem, {index: power}),
        _times(problem, powers) if len(powers) > 1 else None, len(powers),
    )  # fmt: skip


def doubtful_columns(problem: d.Problem, report: TrialRunReport | None) -> list[str]:
    """The measured columns that seem to have another unit than what is predicted for them."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    return [match.column for i, match in enumerate(matches) if _power(problem, i, report) is not None]


def _power(problem: d.Problem, index: int, report: TrialRunReport | None) -> float | None:
    """The usual power of ten that is nearest to measured over predicted; None: they are not so far apart."""
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _ = found
    try:
        comparison = compare_match(match, data, outputs)
    except ComparisonError:
        return None
    measured, predicted = comparison.data[comparison.present], comparison.prediction[comparison.present]
    some = (measured != 0.0) & (predicted != 0.0)
    apart = np.log10(np.abs(measured[some] / predicted[some]))
    if not len(apart) or not (np.all(apart > LEAST) or np.all(apart < -LEAST)):
        return None
    middle = float(np.median(apart))
    return float(np.copysign(USUAL[np.argmin(np.abs(USUAL - abs(middle)))], middle))


def _times(problem: d.Problem, powers: dict[int, float]) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    matches = tuple(
        msgspec.structs.replace(m, factor=float(f"{m.factor * 10.0 ** powers[i]:.12g}")) if i in powers else m
        for i, m in enumerate(problem.meaning.matches)
    )
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))
