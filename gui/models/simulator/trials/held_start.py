"""A start of the analysis that waits until it is known whether each parameter has an effect, and asks where one has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject

from bayescope.engine.problem.definition import Problem
from bayescope.gui.analysis.declared_problem import DeclaredProblem

HELD = "First each parameter is moved alone, to see that it has an effect; Start once more starts at once"
ASKED = "Not started: a parameter without effect was found, see below; Start once more starts all the same"
OPEN = "Not started: “{caption}” is open on the Data page, see above; Start once more starts all the same"
Standing = Literal["", "held", "asked", "open"]


class HeldStart(QObject):
    """``standing``: it waits, or was not begun since there is a question, perhaps one that was ``open`` before; it is another
    start after any change of the problem."""

    def __init__(self, problem: DeclaredProblem, told: Callable[[], None], parent: QObject) -> None:
        """``told`` is called where ``standing`` became another."""
        super().__init__(parent)
        self._problem, self._told = problem, told
        self._standing: Standing = ""
        self._of: Problem | None = None
        self._start: Callable[[], object] | None = None
        self.question = ""  # that was open when it was asked for

    @property
    def standing(self) -> Standing:
        return self._standing if self._of is self._problem.declared else ""

    @property
    def words(self) -> str:
        """What became of it; "": none was held."""
        return {"": "", "held": HELD, "asked": ASKED, "open": OPEN.format(caption=self.question)}[self.standing]

    def hold(self, start: Callable[[], object]) -> None:
        self._set("held", start)

    def ask(self, question: str) -> None:
        """It is not begun, since this ``question`` is open."""
        self.question = question
        self._set("open", None)

    def forget(self) -> None:
        """It was begun, or is not wanted any more."""
        if self._standing:
            self._set("", None)

    def let_go(self, question: bool) -> None:
        """It is known now; ``question``: something without effect was found. Nothing where none is held."""
        start = self._start if self.standing == "held" else None
        if start is None:
            return
        if question:
            self._set("asked", None)
        else:
            self._set("", None)
            start()

    def _set(self, standing: Standing, start: Callable[[], object] | None) -> None:
        self._standing, self._start, self._of = standing, start, self._problem.declared
        self._told()
