"""The pairing of one comparison for all the others that have the same keys. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from bayescope.engine.problem import definition as d
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.other_key import paired_alike


@dataclass(frozen=True)
class SamePairing:
    """``problem`` with ``count`` more comparisons paired as one is, by the data columns ``columns`` (words)."""

    problem: d.Problem
    columns: str
    count: int


def for_all(problem: d.Problem, index: int, report: TrialRunReport | None) -> SamePairing | None:
    """The pairing of comparison ``index`` for the others whose rows it pairs too; None: there are none, or it has no key."""
    meaning = problem.meaning
    if report is None or not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    mine, count = meaning.matches[index], 0
    columns = tuple(column for _, column in mine.keys)
    for i, match in enumerate(meaning.matches) if columns else ():
        if i != index and tuple(column for _, column in match.keys) != columns:
            changed = paired_alike(problem, i, report, mine)
            problem, count = (changed, count + 1) if changed is not None else (problem, count)
    return SamePairing(problem, " and ".join(columns), count) if count else None
