"""The nearest key for every comparison whose rows find no partner with the same one. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.nearest_key import nearest_key
from bayescope.gui.models.data.rows.unfit import unfit_words


@dataclass(frozen=True)
class NearestForAll:
    """``problem`` with ``count`` comparisons mended; ``words`` for the button that does it."""

    problem: d.Problem
    count: int
    words: str


def nearest_for_all(problem: d.Problem, index: int, one: d.Problem | None, report: TrialRunReport | None) -> NearestForAll | None:
    """None where it mends no more than ``one`` does, the problem with the nearest key in comparison ``index`` alone."""
    meaning = problem.meaning
    if one is None or report is None or not isinstance(meaning, d.Predictions) or len(meaning.matches) < 2:
        return None
    unfit = [i for i in range(len(meaning.matches)) if unfit_words(problem, i, report)]
    left, changed, far = [i for i in unfit if unfit_words(one, i, report)], one, []
    for i in left:
        near, away = nearest_key(changed, i, report)
        changed = changed if near is None else near
        far += [] if away is None else [away]
    mended = [i for i in unfit if i not in left or not unfit_words(changed, i, report)]
    if len(mended) <= len(unfit) - len(left):
        return None
    largest = max(far, key=lambda away: away.largest, default=None)
    size = "" if largest is None else f", up to {largest.size} away"
    return NearestForAll(changed, len(mended), f"Nearest key in all {len(mended)}{size}")
