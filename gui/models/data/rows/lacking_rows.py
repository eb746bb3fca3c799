"""Whether a test run lacks rows that were measured, or has them all. Pure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.clock_zones import in_doubt
from bayescope.engine.problem.data.rows.comparison import measured_values
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.rows_between import FAILS
from bayescope.gui.models.data.rows.unfit import unfit

OTHERS = "Test run at &other values"
ANOTHER_HAD = "Another test run had all rows, so the analysis can start."
NONE_HAD = "None of the {} test runs had all rows."
LACKING = f"{ANOTHER_HAD} {FAILS}"


def whole(problem: d.Problem, report: TrialRunReport) -> bool:
    """Whether every comparison can be made with this test run."""
    matches = problem.meaning.matches if isinstance(problem.meaning, d.Predictions) else ()
    every = (compared(problem, index, report) for index in range(len(matches)))
    return bool(matches) and all(found is not None and not unfit(*found)[0] for found in every)


def lacks_rows(problem: d.Problem, index: int, report: TrialRunReport | None) -> bool:
    """Whether comparison ``index`` cannot be made because this test run has no values for some measured rows."""
    found = compared(problem, index, report)
    if found is None or in_doubt(found[1], found[0], found[3]) is not None:
        return False
    words, lost = unfit(*found)
    match, data, outputs, _ = found
    fewer = not match.keys and len(outputs[match.output]) < int((~np.isnan(measured_values(match, data))).sum())
    return bool(words) and (bool(lost) or fewer)
