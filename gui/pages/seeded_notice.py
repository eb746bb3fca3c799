"""A program that gets a random seed in every run although its results count as exact: said, with the two ways out as buttons."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from bayescope.engine.problem.checks.check_random import seeded_but_exact
from bayescope.engine.problem.findings import Finding
from bayescope.gui.analysis.declared_problem import DeclaredProblem
from bayescope.gui.models.simulator.renaming import with_fixed_seed
from bayescope.gui.widgets.notices import Notice

WORDS = "@seed@ gives every run another random number, so two runs at the same values differ. But their results count as exact."
SUGGESTION = "Say on the tab Meaning that the program is random; or give every run the same seed, so that it is not."


class SeededNotice(Notice):
    """``meaning_wanted``: it is to be said what the random results mean."""

    meaning_wanted = Signal()

    def __init__(self, problem: DeclaredProblem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.problem = problem
        self.pressed.connect(self.meaning_wanted)
        self.dismissed.connect(lambda: problem.replace(with_fixed_seed(problem.declared), "One seed for every run"))

    def refresh(self, *places: str) -> None:
        """Say it if the seed stands in one of ``places`` of the problem."""
        found = seeded_but_exact(self.problem.declared)
        if found is None or self.problem.locked or not found.where.startswith(places):
            self.clear()
        else:
            self.say("error", WORDS, SUGGESTION, "It is ran&dom…", "&Same seed in every run")


def others(problem: DeclaredProblem, findings: list[Finding]) -> list[Finding]:
    """``findings`` without the one that ``SeededNotice`` says in other words, with buttons."""
    return [f for f in findings if f != seeded_but_exact(problem.declared)]
