"""What is said of a comparison whose rows all have a partner, and what that rests on. Pure."""

from __future__ import annotations

from typing import Literal

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data import day_zero
from bayescope.engine.problem.data.comparison import column, measured_values

FITS = "✓  Every measured value has its predicted one."


def fits_words(problem: d.Problem, row: int, guessed: float | None) -> tuple[str, Literal["ok", "warning"]]:
    """Of comparison ``row``, and how it is said. ``guessed``: day 0 of its dates (s since 1970) where nobody confirmed it."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match = problem.meaning.matches[row]
    every = int((~np.isnan(column(problem.data, match.column))).sum())
    left = int((~np.isnan(measured_values(match, problem.data))).sum())
    said = FITS if left == every else f"✓  {left} of {every} rows are paired; {every - left} {_are(every - left)} left out."
    if guessed is None:
        return said, "ok"
    return f"⚠{said[1:-1]}, if day 0 is {day_zero.written(guessed)}: nobody said so yet.", "warning"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
