"""What to try where the number of values is not that of the rows, which are paired in order. Pure."""

from __future__ import annotations

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.data.rows.comparison import column, measured_values
from bayescope.engine.problem.data.rows.own_rows import counted, left_out_told, missing_rows
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, with_match
from bayescope.gui.models.data.rows.special_row import told_rows
from bayescope.gui.models.plain import one_line

FEWER = (
    "If a row of the table is no measurement, leave it out or take it out (tab Table). Else the order does not tell which is "
    "missing: pair the rows by a key that the program prints beside its values."
)
MORE = "Their order does not tell which of them were measured: pair the rows by a key that the program prints beside its values."
BACK = "Rows that were left out count here: to take them back mends it if the program has a value for each row."
WHICH = "For which of these rows does the program give no value?"
MOST_ASKED = 6  # rows without a measured value, one of which the program passes over: a button each
MOST_TOLD = 4  # rows without a measured value whose numbers are said


def fits_in_order(match: d.Match, data: d.DataTable, given: int) -> bool:
    """Whether so many values are one for each of some rows that are known, in order."""
    return counted(given, match, data) is not None


def measured_words(match: d.Match, data: d.DataTable, given: int) -> str:
    """How many values there are and how many were measured, a sentence."""
    there = len(rows_with_value(data, match.column))
    n = int((~np.isnan(measured_values(match, data))).sum())
    gave = "1 value" if given == 1 else f"{given} values"
    of = f", {n} of them left in" if n != there else ""
    words = f"The program gave {gave} of “{one_line(match.output, 40)}”, but {there} {'was' if there == 1 else 'were'} measured"
    return f"{words}{of}{_missing_words(missing_rows(data, match.column))}."


def advice(problem: d.Problem, match: d.Match, given: int) -> str:
    """What to try, sentences."""
    assert problem.data is not None
    if (row := next(told_rows(problem), None)) is not None:
        return f"{row.words} Take it out of the rows first: menu of the row, tab Table."
    n = int((~np.isnan(measured_values(match, problem.data))).sum())
    if given < n:
        return FEWER  # as many as are left in may be given
    if _one_passed_over(match, problem.data, given):
        return WHICH
    there = int((~np.isnan(column(problem.data, match.column))).sum())
    return f"{BACK} {MORE}" if n < there else MORE


def passed_over(problem: d.Problem, index: int, given: int) -> tuple[tuple[int, d.Problem], ...]:
    """The rows without a measured value, one of which the program gives no value for, each with the problem that says so."""
    if not isinstance(problem.meaning, d.Predictions) or problem.data is None:
        return ()
    match = problem.meaning.matches[index]
    return tuple((row, _leaving_out(problem, index, row)) for row in _one_passed_over(match, problem.data, given))


def left_out_note(problem: d.Problem, index: int, report: TrialRunReport | None) -> str:
    """Whether the program gives values for the rows that comparison ``index`` leaves out, a sentence; '' where a key pairs them,
    or it is not known."""
    found = compared(problem, index, report)
    if found is None or found[0].keys:
        return ""
    match, data, outputs, _ = found
    return left_out_told(len(outputs[match.output]), match, data)


def _one_passed_over(match: d.Match, data: d.DataTable, given: int) -> list[int]:
    """The rows (from 1) without a value that are left in, where one value is missing for all of the quantity's rows."""
    rows = [row for row in missing_rows(data, match.column) if row not in match.left_out]
    there = int((~np.isnan(column(data, match.column))).sum())
    if not 2 <= len(rows) <= MOST_ASKED or given != there + len(rows) - 1 or (
        rows_with_value(data, match.column) & {row - 1 for row in match.left_out}
    ):
        return []
    return rows


def _leaving_out(problem: d.Problem, index: int, row: int) -> d.Problem:
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    left_out = tuple(sorted({*match.left_out, row}))
    return with_match(problem, index, msgspec.structs.replace(match, left_out=left_out))


def _missing_words(rows: list[int]) -> str:
    """How many rows of the quantity have no value, the end of a sentence."""
    if not rows:
        return ""
    if len(rows) == 1:
        return f"; row {rows[0]} has no value"
    which = f" ({', '.join(map(str, rows))})" if len(rows) <= MOST_TOLD else ""
    return f"; {len(rows)} rows have no value{which}"
