"""Says that one size of the errors holds for several comparisons, which may be of different quantities."""

from __future__ import annotations

from bayescope.engine.problem.definition import GaussianKnown, Predictions, Problem
from bayescope.gui.models.plain import one_line
from bayescope.gui.widgets.notices import Notice

MOST_NAMED = 3  # columns


class SharedSize(Notice):
    """``pressed``: one of them is to have a size of its own."""

    def show_problem(self, problem: Problem, locked: bool) -> None:
        rows, meaning = sharing(problem), problem.meaning
        if not rows or not isinstance(meaning, Predictions):
            self.clear()
            return
        names = [one_line(meaning.matches[i].column, 24) for i in rows]
        told = " and ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} comparisons"
        hint = "If one of them has errors of another size, say so for it alone."
        self.say("info", f"One size for {told}.", hint, "" if locked else "&Another size for one")


def sharing(problem: Problem) -> list[int]:
    """The comparisons whose errors are all of the one size that is given as a number; empty unless there are several."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or not isinstance(meaning.noise, GaussianKnown) or meaning.noise.sd is None:
        return []
    found = [i for i, match in enumerate(meaning.matches) if match.noise is None and match.sd_column is None]
    return found if len(found) > 1 else []
