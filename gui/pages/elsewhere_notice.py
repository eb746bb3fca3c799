"""The value of a parameter stands again in the inputs: the places are shown, and offered to be marked too."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.simulator.elsewhere import Elsewhere, elsewhere, marked_too
from bayescope.gui.models.simulator.trial import Trial
from bayescope.gui.widgets.notices import Notice


class ElsewhereNotice(Notice):
    """Of one parameter at a time, until it is answered."""

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem, self.trial = problem, trial
        self.name = ""
        self._found: Elsewhere | None = None
        self._of: tuple[object, str, float | None] | None = None  # what was searched last: many signals ask again
        self._searched: Elsewhere | None = None
        self.pressed.connect(self._mark)
        self.dismissed.connect(self._leave)

    def look(self, name: str) -> None:
        """For other places of the parameter ``name``; "": of none."""
        self.name = name
        self.refresh()

    def refresh(self) -> None:
        problem, values = self.problem.declared, self.trial.values()
        of = problem.simulator.templates, self.name, values.get(self.name)
        if self._of is None or self._of[0] is not of[0] or self._of[1:] != of[1:]:
            self._of, self._searched = of, elsewhere(problem, self.name, values) if self.name else None
        found = self._searched
        if found is None or self.problem.locked or _kept(found) in self.trial.answers.settled.kept:
            self._found = None
            self.clear()
            return
        self._found = found
        self.say("info", f"{found.words}.", found.where, *found.buttons)

    def _mark(self) -> None:
        if self._found is not None:
            self.problem.replace(marked_too(self.problem.declared, self._found), f"Mark {self._found.name} in more places")

    def _leave(self) -> None:
        if self._found is not None:
            self.trial.answers.keep(_kept(self._found))
        self.refresh()


def _kept(found: Elsewhere) -> str:
    """What is remembered of the answer that these places are something else."""
    return f"{found.words}: {'; '.join(p.words for p in found.places)}"
