"""Why a key by which every row finds its partner may be the wrong one all the same: it tells the rows apart nowhere. Pure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, key_codes, key_values
from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.gaps import FEWEST, has_tie, in_one_gap
from bayescope.gui.models.plain import one_line

EQUAL = 1e-9  # of the range of an output: smaller differences of its values are rounding


def key_doubt(problem: Problem, index: int, report: TrialRunReport | None) -> str:
    """What is wrong with how comparison ``index`` is paired in the newest test run, a part of a sentence; '' for nothing, or
    where that is not known."""
    found = compared(problem, index, report)
    if found is None or len(found[0].keys) != 1:
        return ""
    match, data, outputs, _ = found
    try:
        whole = compare_match(match, data, outputs)
    except ComparisonError:
        return ""
    there, made = whole.present & np.isfinite(whole.prediction), whole.prediction
    output, column = match.keys[0]
    wanted, places, values = key_codes(data, column)[there], key_values(match, outputs)[0], outputs[match.output]
    if len(np.unique(wanted)) < FEWEST or not len(values):
        return ""
    name = one_line(output, 30)
    if in_one_gap(wanted, places):
        return f"but all its rows lie between the same two keys of “{name}”, which says something else"
    if float(np.ptp(made[there])) <= EQUAL * float(np.ptp(values)) * abs(match.factor) and np.ptp(values) > 0.0:
        return f"but all predictions come out equal: “{name}” says something else"
    if match.key_tolerance and not match.interpolate and has_tie(wanted, places):
        return f"but some lie half way between two keys of “{name}”, and either could be theirs"
    return ""
