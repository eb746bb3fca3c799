"""Summaries that take the values one by one: does a test run give as many as were measured?"""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.plain import one_line

ADVICE = "Read only the rows that were measured, let the program print these alone, or choose another summary, such as the mean."


def unfit_summary(problem: d.Problem, report: TrialRunReport) -> tuple[int, str] | None:
    """The first summary of single values whose output and column differ in length, and that as a sentence."""
    if problem.data is None or not isinstance(problem.meaning, (d.SyntheticLikelihood, d.ApproximateBayes)):
        return None
    read = {o.name: len(o.values) for o in report.outputs if o.values and not o.problem}
    for index, summary in enumerate(problem.meaning.summaries):
        column = problem.data.columns.get(summary.column)
        gave = read.get(summary.output)
        if summary.statistic != "values" or column is None or gave is None:
            continue
        measured = sum(v is not None and v == v for v in column)  # NaN is unequal to itself
        if gave not in (measured, len(column)):
            many = f"{gave} value{'' if gave == 1 else 's'}"
            words = f"The program gave {many} of “{one_line(summary.output, 40)}”, but {measured} were measured"
            return index, f"{words}: they cannot be compared one by one."
    return None
