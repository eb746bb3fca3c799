"""What is said of the line of the newest test run in the picture of the data. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.problem.numbers.shown_digits import among
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.data.rows.unfit import first_unfit
from bayescope.gui.models.data.units.other_units import doubtful_columns
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.outputs.output_views import reread

if TYPE_CHECKING:
    from bayescope.gui.models.simulator.trials.trial import Trial


def draws_line(problem: Problem) -> bool:
    """Whether a test run can be drawn over the data: its outputs are compared with columns of theirs."""
    return isinstance(problem.meaning, Predictions) or hasattr(problem.meaning, "summaries")


def line_words(problem: Problem, trial: Trial, no_line: str, dashes: bool = False) -> str:
    """What the line in the picture is, or its ``dashes``; where there is none (``no_line``: why in the picture), why."""
    report = reread(problem, trial.report)
    if problem.data is None or not draws_line(problem):
        return ""
    if trial.waiting:
        return "The simulator is running …"
    if report is None or report.outcome == "cancelled":
        return "Press Test run to see the program's predictions over the data."
    if report.outcome == "failed" and read_now(problem, report) and first_unfit(problem, report) is None:
        return "No line: the newest test run could not be compared as things were then. Now it can: press Test run again."
    if report.outcome == "failed":
        return one_line(f"The test run failed: {report.reason}", 200)
    if report.outcome == "impossible":
        return one_line(f"No line: the values of the test run are ruled out (likelihood 0). {report.reason}".strip(), 200)
    if not problem.outputs:
        return "No line: no number is marked in what the program writes yet (Simulator, tab Outputs)."
    if not report.outputs:
        return "No line: the newest test run read no outputs. Press Test run again."
    if not no_line and (columns := doubtful_columns(problem, report, trial.answers.settled.kept, trial.answers.lines)):
        others = f" and {len(columns) - 1} more" if len(columns) > 1 else ""
        return f"Is “{one_line(columns[0], 30)}”{others} in the unit of the program? See the tab Comparison."
    return no_line or f"{'Dashes' if dashes else 'Line'}: the newest test run, {_at(trial.values(), report.values)}"


def _at(now: Mapping[str, float], then: Mapping[str, float]) -> str:
    """At which values a test run was made, where the Simulator page has others now."""
    other = [(name, value, now[name]) for name, value in then.items() if name in now and now[name] != value]
    if not other:
        return "at the values on the Simulator page."
    name, value, present = other[0]
    more, both = f" and {len(other) - 1} more" if len(other) > 1 else "", (value, present)
    return f"at {one_line(name, 24)} = {among(value, both)}{more}; the Simulator page has {among(present, both)} now."
