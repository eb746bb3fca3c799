"""Summaries that take the values one by one: does a test run give as many as were measured?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, unpaired
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import read_now
from bayescope.gui.models.plain import one_line

ADVICE = (
    "Pair by a key that both have, such as the day (“Pair by the output” on the tab Comparison), let the program print only the "
    "rows that were measured, or choose another summary, such as the mean."
)


def unfit_summary(problem: d.Problem, report: TrialRunReport) -> tuple[int, str] | None:
    """The first summary of single values whose output and column differ in length, and that as a sentence."""
    if problem.data is None or not isinstance(problem.meaning, (d.SyntheticLikelihood, d.ApproximateBayes)):
        return None
    found = read_now(problem, report)
    values = {name: np.array([np.nan if v is None else v for v in o.values], dtype=float) for name, o in found.items()}
    read = {name: len(o.values) for name, o in found.items()}
    for index, summary in enumerate(problem.meaning.summaries):
        column = problem.data.columns.get(summary.column)
        if column is None:
            continue  # it is asked for
        if summary.key_output is not None and summary.key_column is not None:
            why = _unpaired(problem.data, summary, values)
            if why:
                return index, why
            continue
        gave = read.get(summary.output)
        if summary.statistic != "values" or gave is None:
            continue
        measured = sum(v is not None and v == v for v in column)  # NaN is unequal to itself
        if gave not in (measured, len(column)):
            many = f"{gave} value{'' if gave == 1 else 's'}"
            words = f"The program gave {many} of “{one_line(summary.output, 40)}”, but {measured} were measured"
            return index, f"{words}: they cannot be compared one by one."
    return None


def _unpaired(data: d.DataTable, summary: d.Summary, values: Mapping[str, NDArray[np.float64]]) -> str:
    """Which measured rows have no row of the output with their key, a sentence; empty: all have one, or it is not known."""
    key, column = summary.key_output or "", summary.key_column
    match = d.Match(output=summary.output, column=summary.column, key_output=key, key_column=column)
    if summary.output not in values or key not in values or len(values[key]) != len(values[summary.output]):
        return ""
    try:
        lost = unpaired(match, data, values)
    except ComparisonError as error:
        return error.what
    if not lost:
        return ""
    first = f"row {lost[0].row} of the data, whose key is {one_line(lost[0].key or 'none', 30)}"
    more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
    return f"The program gave no value of “{one_line(summary.output, 40)}” for {first}{more}."
