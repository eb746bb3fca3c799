"""Why a test run gives no line over a measured column, in words. Pure."""

from __future__ import annotations

from bayescope.engine.problem.definition import Match, Problem
from bayescope.engine.protocol import TrialOutput, TrialRunReport
from bayescope.gui.models.plain import one_line

NOT_SAID = "No line: it is not said yet which output predicts which column (tab Comparison)."


def missing_line(problem: Problem, match: Match, report: TrialRunReport) -> str:
    """A sentence for a match whose predictions could not be laid over its column."""
    columns = problem.data.columns if problem.data is not None else {}
    read = {o.name: o for o in report.outputs}
    if match.key_column is not None and match.key_column not in columns:
        return f"No line: the data have no column {_called(match.key_column)} to pair the rows by (tab Comparison)."
    for name in (match.output, match.key_output):
        words = _unusable(name, read) if name is not None else ""
        if words:
            return f"No line: {words}"
    n, rows = len(read[match.output].values), len(columns.get(match.column, ()))
    if match.key_output is None or match.key_column is None:
        if n != rows:
            return (
                f"No line: the newest test run gave {_count(n, 'value')} of {_called(match.output)}, but the column "
                f"{_called(match.column)} has {_count(rows, 'row')}. Make them equally long, or pair them by a common "
                "quantity such as the time (tab Comparison)."
            )
        return "No line: the values of the newest test run could not be paired with the measured ones."
    keys = len(read[match.key_output].values)
    if keys != n:
        return (
            f"No line: the newest test run gave {_count(n, 'value')} of {_called(match.output)}, but {keys} of "
            f"{_called(match.key_output)}; to be paired they must be equally many."
        )
    if n < 2:
        return f"No line: the newest test run gave {_count(n, 'value')} of {_called(match.output)}; two are needed at least."
    return f"No line: some rows of the column {_called(match.key_column)}, by which the rows are paired, are empty."


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


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
