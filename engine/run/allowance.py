"""What a run is allowed, and may be allowed while it goes on: its budget, and how many runs go on at a time."""

from __future__ import annotations

from msgspec.structs import replace

from ..problem.definition.declared import Settings
from .control import Control


class Allowance:
    """``budget``: simulator runs in all; ``workers``: runs at a time. Changes are taken between turns, when the loop is at rest,
    but for ``workers``, which holds for the next run."""

    def __init__(self, control: Control, budget: int, workers: int) -> None:
        self._control = control
        self.budget, self.workers = budget, workers
        self._new = False  # the turns have not heard of ``workers`` yet
        self._chosen = False  # ``workers`` was changed during the run

    @property
    def told_at_once(self) -> int:
        """Evaluations that the loop is told before it updates."""
        return 1 if self.workers <= 4 else -(-self.workers // 4)

    @property
    def changed(self) -> bool:
        return self._new or self._control.has_new_budget

    def use(self, workers: int) -> None:
        self.workers, self._new, self._chosen = workers, True, True

    def take_changes(self, asked: int) -> tuple[bool, bool]:
        """Whether there is a new budget, never below what was ``asked`` for already, and whether anything is new."""
        budget, new, self._new = self._control.take_budget(), self._new, False
        if budget is not None:
            self.budget = max(budget, asked)
        return budget is not None, new or budget is not None

    def take_last_changes(self) -> None:
        """What was changed during a pause, or while the run ended, is kept, although nothing ran with it."""
        self.budget = max(self._control.take_budget() or 0, self.budget)
        workers = self._control.take_workers()
        if workers is not None:
            self.use(workers)

    def settings(self, settings: Settings) -> Settings:
        """``settings`` of the session with what the next start is to see."""
        return replace(settings, max_evaluations=self.budget, workers=self.workers if self._chosen else settings.workers)
