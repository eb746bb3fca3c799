"""Rows of dates that find no partner, paired by the day where that mends it. Pure."""

from __future__ import annotations

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.dates.day_pairing import ByDay, by_day
from bayescope.gui.models.data.rows.unfit import unfit_words


def mending_by_day(problem: d.Problem, index: int, report: TrialRunReport | None) -> ByDay | None:
    """Comparison ``index``, whose rows do not fit, paired by the day; None where that does not mend it."""
    daily = by_day(problem, index, report)
    return daily if daily is not None and not unfit_words(daily.problem, index, report) else None
