"""Says that one model of the errors holds for several comparisons, and that each can have its own."""

from __future__ import annotations

from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

MOST_NAMED = 3  # columns
EACH = "Each comparison can have errors of its own."


class SharedErrors(Notice):
    """``pressed``: one of them is to have its own."""

    def show_problem(self, problem: Problem, locked: bool) -> None:
        rows, meaning = sharing(problem), problem.meaning
        if not isinstance(meaning, Predictions) or len(meaning.matches) < 2 or not rows:
            self.clear()
            return
        known = isinstance(meaning.noise, GaussianKnown)
        told = f"{'One size' if known else 'One model'} for {_named([meaning.matches[i] for i in rows])}."
        if len(rows) < len(meaning.matches):
            others = [m for i, m in enumerate(meaning.matches) if i not in rows]
            own = f"{_named(others)} {'has its' if len(others) == 1 else 'have their'} own"
            told = f"For {_named([meaning.matches[i] for i in rows])}; {own}."
        self.say("info", told, EACH, "" if locked else "&Another size for one" if known else "&Another model for one")


def _named(matches: list[Match]) -> str:
    names = [one_line(match.column, 24) for match in matches]
    return " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} comparisons"


def sharing(problem: Problem) -> list[int]:
    """The comparisons whose errors are those of the common model, and not from a column of their own."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return []
    known = isinstance(meaning.noise, GaussianKnown)
    return [i for i, m in enumerate(meaning.matches) if m.column and m.noise is None and not (known and m.sd_column)]
