"""What is known of runs in which each parameter was moved alone: which changed nothing that is read from the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer

from bayescope.engine.answer.no_effect import QUICK_S, read_alone
from bayescope.engine.problem.definition import Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.engine.session.settled import Settled, idle_in
from bayescope.gui.models.plain import one_line

SETTLED_MS = 1500  # without a change before more runs are made of what was declared meanwhile


def show_use(names: Sequence[str]) -> str:
    """The button that leads to where the first of ``names`` stands."""
    return f"Show where {one_line(names[0], 20)} stands"


class MovedAlone:
    """``of``: the problem that the runs were of; None: none were made. ``names``: the parameters without effect.

    ``settled`` runs out when the declaration has not changed for a while.
    """

    def __init__(self, parent: QObject, look: Callable[[], None]) -> None:
        self.settled = QTimer(parent, singleShot=True, interval=SETTLED_MS)
        self.settled.timeout.connect(look)
        self.forget()

    def forget(self) -> None:
        self.of: Problem | None = None
        self.names: tuple[str, ...] = ()
        self._recalled: tuple[Problem, Settled, tuple[str, ...]] | None = None

    def idle(self, problem: Problem, known: Settled) -> tuple[str, ...]:
        """Names of parameters without effect, as ``problem`` is declared now; ``known``: from before, where no runs were made."""
        if self._knows(problem):
            return self.names
        if self._recalled is None or self._recalled[0] is not problem or self._recalled[1] is not known:
            self._recalled = problem, known, idle_in(known, problem)
        return self._recalled[2]

    def wanted(self, problem: Problem) -> bool:
        """Whether it is worth runs to find out."""
        return bool(problem.outputs) and not self._knows(problem) and bool(read_alone(problem))

    def due(self, report: TrialRunReport, of: Problem | None, problem: Problem) -> bool:
        """Whether it is, after a good and quick test run ``of`` the same program as that of ``problem``."""
        quick = report.outcome == "ok" and report.duration_s <= QUICK_S
        return quick and of is not None and of.simulator == problem.simulator and self.wanted(problem)

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
