"""Summaries of a test run that could not be compared with those of the data: every point would fail."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, compare_match, unpaired
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.plain import one_line

ADVICE = (
    "Pair by a key that both have, such as the day (“Pair by the output” on the tab Comparison), let the program print only the "
    "rows that were measured, or choose another summary, such as the mean."
)


def unfit_summary(problem: d.Problem, report: TrialRunReport) -> tuple[int, str] | None:
    """The first summary that cannot be worked out or paired, as a sentence."""
    if problem.data is None or not isinstance(problem.meaning, (d.SyntheticLikelihood, d.ApproximateBayes)):
        return None
    found = read_now(problem, report)
    values = {name: np.array([np.nan if v is None else v for v in o.values], dtype=float) for name, o in found.items()}
    for index, summary in enumerate(problem.meaning.summaries):
        if summary.column not in problem.data.columns:
            continue  # it is asked for
        if why := _unfit(problem.data, summary, values):
            return index, why
    return None


def _unfit(data: d.DataTable, summary: d.Summary, values: Mapping[str, NDArray[np.float64]]) -> str:
    """Why the summary cannot be compared, a sentence; empty: it can, or it is not known."""
    if summary.output not in values:
        return ""
    name, column = one_line(summary.output, 40), one_line(summary.column, 40)
    gave = int(np.isfinite(values[summary.output]).sum())  # what is missing is left out of both
    measured = sum(v is not None and v == v for v in data.columns[summary.column])  # NaN is unequal to itself
    if summary.key_output is not None and summary.key_column is not None:
        if why := _unpaired(data, summary, values):
            return why
        gave = measured  # those at the keys of the data
    elif summary.statistic == "values" and gave != measured:
        words = f"The program gave {_values(gave)} of “{name}”, but {measured} were measured"
        return f"{words}: they cannot be compared one by one."
    needed = {"sd": 2, "log_sd": 2, "autocorrelation": summary.lags + 2}.get(summary.statistic, 1)
    said = {"autocorrelation": f"autocorrelations up to lag {summary.lags}"}.get(summary.statistic, "a standard deviation")
    said = "a summary" if needed == 1 else said
    each = (gave, f"The program gave {_values(gave)} of “{name}”"), (measured, f"“{column}” holds {_values(measured)}")
    for count, what in each:
        if count < needed:
            return f"{what}: {said} need{'' if said.startswith('auto') else 's'} at least {needed}."
    return ""


def _values(count: int) -> str:
    return f"{count} value{'' if count == 1 else 's'}"


def _unpaired(data: d.DataTable, summary: d.Summary, values: Mapping[str, NDArray[np.float64]]) -> str:
    """Which measured rows have no row of the output with their key, a sentence; empty: all have one, or it is not known."""
    key, column = summary.key_output or "", summary.key_column
    match = d.Match(output=summary.output, column=summary.column, key_output=key, key_column=column)
    if key not in values:
        return ""
    if len(values[key]) != len(values[summary.output]):
        gave, keys = (_values(len(values[one])) for one in (summary.output, key))
        name, its = one_line(summary.output, 40), one_line(key, 40)
        return f"The program gave {gave} of “{name}”, but {keys} of “{its}”, by which they are to be paired."
    try:
        lost = unpaired(match, data, values)
    except ComparisonError as error:
        return error.what
    if not lost:
        try:
            compare_match(match, data, values)
        except ComparisonError as error:
            return error.what
        return ""
    first = f"row {lost[0].row} of the data, whose key is {one_line(lost[0].key or 'none', 30)}"
    more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
    return f"The program gave no value of “{one_line(summary.output, 40)}” for {first}{more}."
