"""What is known of runs in which each parameter was moved alone: which changed nothing that is read from the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bayescope.engine.answer.no_effect import read_alone
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.plain import one_line


def show_use(names: Sequence[str]) -> str:
    """The button that leads to where the first of ``names`` stands."""
    return f"Show where {one_line(names[0], 20)} stands"


@dataclass
class MovedAlone:
    """``of``: the problem that the runs were of; None: none were made. ``names``: the parameters without effect."""

    of: Problem | None = None
    names: tuple[str, ...] = ()

    def idle(self, problem: Problem) -> tuple[str, ...]:
        """Names of parameters without effect, as ``problem`` is declared now."""
        return self.names if self._knows(problem) else ()

    def wanted(self, problem: Problem) -> bool:
        """Whether it is worth runs to find out."""
        return bool(problem.outputs) and not self._knows(problem) and bool(read_alone(problem))

    def begin(self, problem: Problem) -> None:
        self.of, self.names = problem, ()

    def end(self, found: tuple[str, ...] | None, cut_off: bool) -> None:
        """Runs that were ``cut_off`` are made again some other time; ``found`` None: nothing could be found."""
        self.names = found or ()
        if cut_off:
            self.of = None

    def _knows(self, problem: Problem) -> bool:
        """Whether the same values would be put in at the same places, and the same numbers read."""
        of = self.of
        if of is None or of is problem:
            return of is problem
        now = problem.simulator, problem.outputs, problem.parameters, problem.meaning
        return now == (of.simulator, of.outputs, of.parameters, of.meaning)
