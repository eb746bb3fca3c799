"""What to try where the number of values is not that of the rows, which are paired in order. Pure."""

from __future__ import annotations

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.comparison import column, measured_values
from bayescope.engine.problem.data.pairing import counted_rows, left_out_told
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.special_row import told_rows
from bayescope.gui.models.plain import one_line

FEWER = (
    "If a row of the table is no measurement, leave it out or take it out (tab Table). Else the order does not tell which is "
    "missing: pair the rows by a key that the program prints beside its values."
)
MORE = "Their order does not tell which of them were measured: pair the rows by a key that the program prints beside its values."


def fits_in_order(match: d.Match, data: d.DataTable, given: int) -> bool:
    """Whether so many values are one for each of some rows that are known, in order."""
    return counted_rows(given, ~np.isnan(column(data, match.column)), match.left_out) is not None


def measured_words(match: d.Match, data: d.DataTable, given: int) -> str:
    """How many values there are and how many were measured, a sentence."""
    there = int((~np.isnan(column(data, match.column))).sum())
    n = int((~np.isnan(measured_values(match, data))).sum())
    gave = "1 value" if given == 1 else f"{given} values"
    of = f", {n} of them left in" if n != there else ""
    words = f"The program gave {gave} of “{one_line(match.output, 40)}”, but {there} {'was' if there == 1 else 'were'} measured"
    return f"{words}{of}."


def advice(problem: d.Problem, match: d.Match, given: int) -> str:
    """What to try, sentences."""
    assert problem.data is not None
    if (row := next(told_rows(problem), None)) is not None:
        return f"{row.words} Take it out of the rows first: menu of the row, tab Table."
    n = int((~np.isnan(measured_values(match, problem.data))).sum())
    return FEWER if given < n or match.left_out else MORE


def left_out_note(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """Whether the program gives values for the rows that comparison ``index`` leaves out, a sentence; '' where a key pairs them,
    or it is not known."""
    found = compared(problem, index, report)
    if found is None or found[0].keys:
        return ""
    match, data, outputs, _ = found
    return left_out_told(len(outputs[match.output]), ~np.isnan(column(data, match.column)), match.left_out)
