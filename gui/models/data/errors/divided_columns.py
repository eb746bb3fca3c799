"""Columns of errors that hold several standard deviations each, divided to be one. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.gui.models.data.errors.doubtful_errors import sd_of


def columns_of_errors(problem: d.Problem, row: int | None = None) -> tuple[str, ...]:
    """The columns that comparisons take their errors from, or the one of comparison ``row``."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, d.Predictions) or data is None:
        return ()
    matches = meaning.matches if row is None else meaning.matches[row : row + 1]
    return tuple(dict.fromkeys(sds for m in matches if m.column and (sds := sd_of(meaning, m)) in data.columns))


def noted(problem: d.Problem, columns: tuple[str, ...], factor: float) -> dict[str, tuple[float, float]]:
    """Of each of these ``columns``, which were divided by ``factor``: that, and the sum of its numbers as it is now."""
    return {name: (factor, _sum(problem, name)) for name in columns if problem.data is not None and name in problem.data.columns}


def still_divided(problem: d.Problem, notes: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """The columns of ``notes`` whose numbers are as they were when it was noted, and by what they were divided."""
    there = problem.data.columns if problem.data is not None else {}
    return {
        name: factor for name, (factor, total) in notes.items()
        if name in there and math.isclose(_sum(problem, name), total, rel_tol=1e-9)
    }  # fmt: skip


def _sum(problem: d.Problem, name: str) -> float:
    cells = problem.data.columns[name] if problem.data is not None else ()
    return math.fsum(v for v in cells if v is not None and math.isfinite(v))


def divided_by(problem: d.Problem, columns: tuple[str, ...], factor: float) -> d.Problem:
    """``problem`` with the numbers of these ``columns`` divided by ``factor`` > 0."""
    data = problem.data
    if data is None:
        return problem
    made = {
        name: tuple(None if v is None else float(f"{v / factor:.12g}") for v in cells) if name in columns else cells
        for name, cells in data.columns.items()
    }
    return msgspec.structs.replace(problem, data=msgspec.structs.replace(data, columns=made))
