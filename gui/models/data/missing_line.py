"""Why a test run gives no line over a measured column, in words. Pure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem.data.dates.clock_zones import in_doubt
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match
from bayescope.engine.problem.definition import Match, Problem
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.plain import one_line

NOT_SAID = "No line: it is not said yet which output predicts which column (tab Comparison)."


def missing_line(problem: Problem, match: Match, report: TrialRunReport) -> str:
    """A sentence for a match whose predictions could not be laid over its column."""
    columns = {*problem.data.columns, *problem.data.texts} if problem.data is not None else set()
    read = {o.name: o for o in report.outputs}
    for _, key in match.keys:
        if key not in columns:
            return f"No line: the data have no column {_called(key)} to pair the rows by (tab Comparison)."
    declared = {o.name for o in problem.outputs}
    for name in (match.output, *(output for output, _ in match.keys)):
        if name and name not in declared:
            return f"No line: the program has no output {_called(name)} any more. Choose another one (tab Comparison)."
        words = _unusable(name, read)
        if words:
            return f"No line: {words}"
    if problem.data is None:
        return ""
    outputs = {o.name: np.array([np.nan if v is None else v for v in o.values]) for o in report.outputs}
    try:
        doubt = in_doubt(problem.data, match, {o.name: o.texts for o in report.outputs})
        if doubt is not None:
            raise doubt.error
        compare_match(match, problem.data, outputs)
    except ComparisonError as error:
        words = f"{error.what[0].lower()}{error.what[1:]} {error.suggestion}"
        return one_line(f"No line: {words}{'' if 'tab Comparison' in words else ' (Tab Comparison.)'}", 400)
    return "No line: the values of the newest test run could not be paired with the measured ones."


def _unusable(name: str, read: dict[str, TrialOutput]) -> str:
    """Why nothing can be drawn of this output, a clause; empty if it can."""
    if not name:
        return "no output is chosen for this column (tab Comparison)."
    if name not in read:
        return f"the newest test run does not hold the output {_called(name)} yet. Press Test run again."
    output = read[name]
    if output.problem:
        return one_line(f"the newest test run could not read {_called(name)}: {output.problem}")
    if any(v is None for v in output.values):
        return f"some values of {_called(name)} in the newest test run are not numbers."
    return ""


def _called(name: str) -> str:
    return f"“{one_line(name, 40)}”"
