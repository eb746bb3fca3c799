"""What may be changed while a run goes on: its budget, and how many runs go on at a time."""

from __future__ import annotations

from concurrent.futures import Executor

from msgspec.structs import replace

from .. import protocol
from ..loop_interface import InferenceLoop
from ..machine.thread_start import NoThread
from .collector import Collector


class Adjustable(Collector):
    """Between ``Collector`` and ``Analysis``."""

    _executor: Executor | None
    _loop: InferenceLoop
    _asked: int
    _new_workers: bool  # not taken into account and not kept in the session yet
    told_at_once: int

    def _change_workers(self, workers: int) -> None:
        """From the next run on; those under way go on where they are."""
        try:
            if self._executor is None and workers > self.workers:
                self._evaluator.executor = self._threads.pool(workers)
        except NoThread as error:
            self._observe(protocol.Report(level="warning", what=str(error)))
            return
        self._use_workers(workers)
        self._new_workers = True
        self._report_progress()

    def _use_workers(self, workers: int) -> None:
        self.workers = workers
        self.told_at_once = 1 if workers <= 4 else -(-workers // 4)

    def _obey_settings(self) -> bool:
        """Take a new budget or number of runs at a time; only between turns, when the loop is at rest. True if there was one."""
        budget, changed = self.control.take_budget(), self._new_workers
        self._new_workers = False
        if budget is not None:
            self.budget = max(budget, self._asked)
            self._loop.extend(self.budget)
        if budget is None and not changed:
            return False
        self._keep_settings(self.workers if changed else None)
        self._report_progress()
        return True

    def _keep_last_changes(self) -> None:
        """What was changed during a pause, or while the run ended, is kept, although nothing ran with it."""
        budget, workers = self.control.take_budget(), self.control.take_workers()
        self.budget = max(budget or 0, self.budget)
        self.workers = workers or self.workers
        self._keep_settings(self.workers if workers or self._new_workers else None)

    def _keep_settings(self, workers: int | None = None) -> None:
        """A new budget (and number of runs at a time) becomes the session's, so that the window and the next start see it."""
        settings = self.problem.settings
        now = replace(settings, max_evaluations=self.budget, workers=workers or settings.workers)
        if now != settings:
            self.problem = replace(self.problem, settings=now)
            self._writes.save(lambda: self.store.save_problem(self.problem), "the new settings")
