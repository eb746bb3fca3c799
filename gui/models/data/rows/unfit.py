"""Whether a comparison can be made with the newest test run, and the rows of the data that find no partner. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.clock_zones import in_doubt
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, measured_values, unpaired
from bayescope.engine.problem.data.rows.pairing import Unpaired
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.rows.lost_rows import outside
from bayescope.gui.models.data.rows.row_advice import fits_in_order, measured_words
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
UNFIT = "Every run like this would fail. On the Data page, the tab Comparison says what does not fit, with the ways to mend it."
UNFIT_HERE = "Every run like this would fail. The tab Comparison says what does not fit, with the ways to mend it."  # on its page
UNFIT_ROWS = "Every run like this would fail. If only some rows of the output were measured, type their numbers here."


def first_unfit(problem: d.Problem, report: TrialRunReport) -> tuple[int, str] | None:
    """The first comparison that cannot be made with the newest test run, and why, a sentence."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    words = (unfit_words(problem, index, report) for index in range(len(matches)))
    return next(((index, why) for index, why in enumerate(words) if why), None)


def unfit_words(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """Why comparison ``index`` cannot be made with the newest test run, a sentence; empty: it can, or it is not known."""
    found = compared(problem, index, report)
    return "" if found is None else unfit(*found)[0]


def unfit(
    match: d.Match, data: d.DataTable, outputs: dict[str, Array], texts: dict[str, tuple[str, ...]]
) -> tuple[str, list[Unpaired]]:
    """Why the comparison cannot be made, and the rows without a partner; an empty sentence if it can."""
    if (doubt := in_doubt(data, match, texts)) is not None:
        return doubt.words, []
    try:
        compare_match(match, data, outputs)
        return "", []
    except ComparisonError as error:
        reason = error.what
    given, n = len(outputs[match.output]), int((~np.isnan(measured_values(match, data))).sum())
    if match.keys:
        lost = []
        if all(len(outputs[output]) == given for output, _ in match.keys):
            lost = unpaired(match, data, outputs, texts.get(match.keys[0][0], ()))
        many, one = f"{len(lost)} of {n} measured rows", len(lost) == 1
        key, beyond = "day" if match.by_day else "key", outside(match, data, outputs, lost)
        if lost and match.interpolate:
            where = "lies beyond" if one else "lie beyond"
            return f"{many} {where} the rows of {_called(match.output)}: nothing can be interpolated there.{beyond}", lost
        have = "has" if one else "have"
        return (f"{many} {have} no row of {_called(match.output)} with the same {key}.{beyond}" if lost else reason), lost
    if fits_in_order(match, data, given):
        return reason, []  # the numbers are at fault, not how many there are
    return measured_words(match, data, given), []


def _called(name: str) -> str:
    return f"“{one_line(name, 40)}”"
