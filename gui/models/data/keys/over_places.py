"""Over which places a comparison without a key is interpolated: those beside its values, in the unit that loses fewest rows."""

from __future__ import annotations

from collections.abc import Collection

from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.between_keys import BetweenKey, between_keys
from bayescope.gui.models.data.keys.by_places import ByPlaces, by_places


def over_places(
    problem: Problem, index: int, report: TrialRunReport | None, marked: Collection[str] = ()
) -> BetweenKey | ByPlaces | None:
    """As the places are where all rows lie between them, else in whatever unit; None: none fit, or several do equally well.
    ``marked``: columns that were said to be keys."""
    found = between_keys(problem, index, report, marked)
    if len(found) > 1 or (found and not found[0].out):
        return found[0] if len(found) == 1 else None
    other = by_places(problem, index, report, marked)
    if not found:
        return other
    return other if other is not None and other.problem is not None and other.out < found[0].out else found[0]
