"""Outputs that are multiplied as units say while no test run has told whether their sign is that of the data. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.units.heading_units import CLOSE, implied, sign_matters
from bayescope.gui.models.plain import one_line, shown

CAPTION = "Press Test run: is a sign the opposite one?"


def untold_sign(problem: d.Problem, report: TrialRunReport | None, kept: Collection[str]) -> tuple[int, str] | None:
    """The first such comparison, by number, and that in words, but for those in ``kept``, which are answered; None: none.

    ``report``: the newest test run that anything is known of.
    """
    if not isinstance(problem.meaning, d.Predictions) or not any(problem.simulator.command):
        return None
    for i, match in enumerate(problem.meaning.matches):
        if _by_units(problem, i, match) and compared(problem, i, report) is None:
            by = f"“{one_line(match.output, 30)}” is multiplied by {shown(match.factor)}, as units say"
            words = f"{by}. Whether its sign is that of the data, a test run tells."
            if words not in kept:
                return i, words
    return None


def _by_units(problem: d.Problem, index: int, match: d.Match) -> bool:
    """Whether the output is multiplied by what units in its own name and in the heading imply; its sign may be a direction."""
    found = implied(problem, index)
    if found is None or not found.sure or found.offset or match.offset or not sign_matters(match):
        return False
    size = abs(match.factor)
    return math.isclose(size, abs(found.factor), rel_tol=CLOSE) and not math.isclose(size, 1.0)
