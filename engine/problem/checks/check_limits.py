"""Cells that give a limit only (<0.05): that they can be read, and that their noise model has a use for them."""

from __future__ import annotations

import numpy as np

from .. import definition as d
from ..data.rows.censored import limits_in, read
from ..findings import Findings, shorten
from ..numbers.shown_digits import spoken

LIMITED = "cells that give a limit only"
NOT_WITH = f"“{{}}” has {LIMITED}, and {{}}"
OFF = "beside a program that may be off every value itself is needed."
WAYS = "Leave these rows out, or choose errors that are independent of each other."
MOST_NAMED = 5


def why_not(noise: d.NoiseModel) -> str:
    """Why limits are of no use beside this noise, the end of a sentence; '' where they are."""
    match noise:
        case d.Ar1Noise():
            return "errors that depend on their neighbours need every value itself."
        case d.CovarianceNoise():
            return "errors with a covariance matrix need every value itself."
        case d.GaussianIntegrated(per_point=False):
            return "one unknown size of all errors that is averaged over needs every value itself."
    return ""


def limited_rows(match: d.Match, data: d.DataTable) -> list[int]:
    """The rows, from 1, of the limits that ``match`` takes part with."""
    if match.column not in data.limits:
        return []
    return [int(i) + 1 for i in np.flatnonzero(limits_in(data, match.column)[1].there) if int(i) + 1 not in match.left_out]


def check_limits(findings: Findings, problem: d.Problem) -> None:
    """The cells themselves, and what they are compared as."""
    data, meaning = problem.data, problem.meaning
    if data is None or not data.limits:
        return
    for name, cells in data.limits.items():
        _check_cells(findings, f"data.limits.{name}", name, cells, data)
    if isinstance(meaning, d.Predictions):
        for i, match in enumerate(meaning.matches):
            _check_match(findings, i, match, match.noise or meaning.noise, data)
        return
    columns = [getattr(meaning, "column", ""), *(s.column for s in getattr(meaning, "summaries", ()))]
    for name in dict.fromkeys(column for column in columns if column in data.limits):
        findings.error(
            "meaning", f"“{shorten(name)}” has cells that give a limit only, which are no part of a summary.",
            "Compare predictions with the data, or leave these rows out of the table.",
        )  # fmt: skip


def _check_cells(findings: Findings, where: str, name: str, cells: tuple[str | None, ...], data: d.DataTable) -> None:
    if name not in data.columns:
        findings.error(where, f"There are limits of a column “{shorten(name)}”, but the data have none of that name.",
                       "Give the column too, with null in these rows.")  # fmt: skip
        return
    values = data.columns[name]
    if len(values) != len(cells):
        findings.error(where, f"The column “{shorten(name)}” has {len(values)} rows, its limits have {len(cells)}.",
                       "Give one for each row, null where there is none.")  # fmt: skip
        return
    wrong = next((i for i, cell in enumerate(cells) if cell is not None and read(cell) is None), None)
    if wrong is not None:
        findings.error(where, f"Row {wrong + 1} of “{shorten(name)}” has the limit “{shorten(cells[wrong] or '')}”.",
                       "Write <0.05 or >200.")  # fmt: skip
    both = next((i for i, cell in enumerate(cells) if cell is not None and values[i] is not None), None)
    if both is not None:
        findings.error(where, f"Row {both + 1} of “{shorten(name)}” has a value and a limit.", "Leave one of them.")


def _check_match(findings: Findings, i: int, match: d.Match, noise: d.NoiseModel, data: d.DataTable) -> None:
    rows = limited_rows(match, data)
    if not rows:
        return
    where, column = f"meaning.matches[{i}].column", shorten(match.column)
    named = ", ".join(str(row) for row in rows[:MOST_NAMED]) + (", …" if len(rows) > MOST_NAMED else "")
    which = f"(row{'s' if len(rows) > 1 else ''} {named})"
    if why := why_not(noise):
        findings.error(where, f"{NOT_WITH.format(column, why)[:-1]} {which}.", WAYS)
    elif match.discrepancy is not None:
        findings.error(
            where, f"{NOT_WITH.format(column, OFF)[:-1]} {which}.",
            "Leave these rows out, or do not let the program be off there.",
        )  # fmt: skip
    for row in rows:
        found = read(data.limits[match.column][row - 1] or "")
        if found is None:
            continue
        side, closed, limit = found
        if isinstance(noise, d.LogNormalNoise) and limit <= 0.0:
            findings.error(where,
            f"Row {row} of “{column}” has the limit {spoken(limit)}; log-normal noise needs values greater than "
                           "zero.", "Choose another noise model, or leave the row out.")  # fmt: skip
            return
        counts = isinstance(noise, d.PoissonNoise | d.NegativeBinomialNoise)
        if counts and side < 0 and (limit < 0.0 or (limit == 0.0 and not closed)):
            findings.error(where, f"Row {row} of “{column}” is below {spoken(limit)}, as no count is.", "Correct the table.")
            return
