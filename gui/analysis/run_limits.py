"""How many simulator runs are allowed, in all and at a time, while the engine may know better than the declaration."""

from __future__ import annotations

from bayescope.engine import protocol


class RunLimits:
    """``budget`` and ``workers`` as the engine was told or says; 0: as declared."""

    def __init__(self) -> None:
        self.forget()

    def forget(self, budget: int = 0) -> None:
        """What is declared holds again; or ``budget``, with which a run starts."""
        self.budget, self.workers = budget, 0
        self._told = 0  # workers, not confirmed yet

    def tell_workers(self, workers: int) -> protocol.SetWorkers:
        self.workers = self._told = workers
        return protocol.SetWorkers(workers)

    def tell_budget(self, budget: int) -> protocol.ExtendRun:
        self.budget = budget
        return protocol.ExtendRun(budget)

    def hear(self, progress: protocol.Progress) -> None:
        self.budget = max(self.budget, progress.budget)  # one that was sent before the engine was told is smaller
        if self._told in (0, progress.workers):
            self.workers, self._told = progress.workers, 0
