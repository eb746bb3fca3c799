"""The value of a parameter stands again in the inputs: the places are shown, and offered to be marked too."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.simulator.numbers.elsewhere import Elsewhere, Place, elsewhere, marked_too
from bayescope.gui.models.simulator.trials.trial import Trial
from bayescope.gui.widgets.notices import Notice


class ElsewhereNotice(Notice):
    """Of one parameter at a time, until it is answered. ``found``: the places to be shown; ``pointed`` carries the one that the
    pointer is on in the list of them."""

    found = Signal()
    pointed = Signal(object)

    def __init__(self, problem: DeclaredProblem, trial: Trial, parent: QWidget | None = None) -> None:
        super().__init__(parent, two_below=True)
        self.problem, self.trial = problem, trial
        self.name = ""
        self._found: Elsewhere | None = None
        self._of: tuple[object, str, float | None] | None = None  # what was searched last: many signals ask again
        self._searched: Elsewhere | None = None
        self.pressed.connect(lambda: self._mark())
        self.dismissed.connect(self._leave)
        self.one = QPushButton("Only &one of them")
        self.one.setToolTip("Choose the place; what is left is asked about again.")
        self.places = QMenu(self.one)
        self.one.setMenu(self.places)
        self.add_between(self.one)

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
            self.found.emit()
            return
        listed, self._found = self._found == found, found
        self.say("info", f"{found.words}.", found.where, *found.buttons)
        self.one.setVisible(len(found.places) > 1)
        if not listed:  # the list may be open
            self._list(found)
        self.found.emit()

    def _list(self, found: Elsewhere) -> None:
        self.places.clear()
        for place in found.places:
            entry = self.places.addAction(f"{place.words[:1].upper()}{place.words[1:]}".replace("&", "&&"))
            entry.hovered.connect(lambda at=place: self.pointed.emit(at))
            entry.triggered.connect(lambda _=False, at=place: self._mark(at))

    def places_in(self, template: int) -> list[tuple[int, int]]:
        """The characters of the places in this input file that are asked about."""
        return [] if self._found is None else [(p.start, p.end) for p in self._found.places if p.template == template]

    def _mark(self, only: Place | None = None) -> None:
        if self._found is not None:
            where = "more places" if only is None else "one more place"
            self.problem.replace(marked_too(self.problem.declared, self._found, only), f"Mark {self._found.name} in {where}")

    def _leave(self) -> None:
        if self._found is not None:
            self.trial.answers.keep(_kept(self._found))
        self.refresh()


def _kept(found: Elsewhere) -> str:
    """What is remembered of the answer that these places are something else."""
    return f"{found.words}: {'; '.join(p.words for p in found.places)}"
