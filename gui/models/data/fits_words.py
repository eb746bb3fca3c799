"""What is said of a comparison whose rows all have a partner, and what that rests on. Pure."""

from __future__ import annotations

from typing import Literal

import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.rows.comparison import measured_cells, measured_values, with_limits
from bayescope.gui.models.data.dates.day_doubt import DayDoubt

FITS = "✓  Every measured value has its predicted one."


def fits_words(
    problem: d.Problem, row: int, doubt: DayDoubt | None, turned: bool = False, key: str = ""
) -> tuple[str, Literal["ok", "warning"]]:
    """Of comparison ``row``, and how it is said; ``doubt``: of day 0 of its dates; ``turned``: predictions have another
    sign; ``key``: what is wrong with its key, a part of a sentence."""
    assert isinstance(problem.meaning, d.Predictions)
    assert problem.data is not None
    match = problem.meaning.matches[row]
    every = int((~np.isnan(with_limits(problem.data, match.column))).sum())
    left = int((~np.isnan(measured_values(match, problem.data))).sum())
    keyless = left - int((~np.isnan(measured_cells(match, problem.data))).sum())
    lost = [f"{every - left} {_are(every - left)} left out"] if left != every else []
    lost += [f"{keyless} {'has' if keyless == 1 else 'have'} no key"] if keyless else []
    said = f"✓  {left - keyless} of {every} rows are paired; {', '.join(lost)}." if lost else FITS
    if key:
        return f"⚠{said[1:-1]}, {key}.", "warning"
    if turned:
        return f"⚠{said[1:-1]}, but the predictions have the opposite sign.", "warning"
    if doubt is None:
        return said, "ok"
    return f"⚠{said[1:-1]}, if day 0 is {day_zero.written(doubt.start)}: {doubt.why}.", "warning"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
