"""Commands to a running analysis, from any thread, obeyed within a fraction of a second; and its own giving up."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ..problem.definition import MAX_WORKERS
from ..problem.errors import Correct


class Control:
    """One per run. All waits of the analysis are on ``changed``, so every command wakes it up."""

    def __init__(self) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.cancel_simulators = threading.Event()  # set: runs under way are ended
        self.leave_jobs = threading.Event()  # set: jobs on other computers go on without us, whatever else is set
        self.stop_cancels = False  # runs under way on other computers may take days: a stop ends them
        self.cancel_computing = threading.Event()  # set: a long update of the loop is given up
        self._paused = False
        self._stopping = False
        self._budget: int | None = None
        self._workers: int | None = None
        self._arrivals = False
        self.reach: Callable[[], None] = lambda: None  # a place that does not answer is tried again at once
        self.given_up = ""  # why the run ends by itself: a sentence
        self.correct: Correct = ""  # what has to be corrected first

    def pause(self) -> None:
        """Start no new simulator run; those under way finish."""
        with self.changed:
            self._paused = True
            self.changed.notify_all()

    def go_on(self) -> None:
        with self.changed:
            self._paused = False
            self.changed.notify_all()

    def stop(self, kill: bool = False) -> None:
        """End the run. ``kill``: runs under way are ended and forgotten (run again later); else they finish and count."""
        with self.changed:
            self._stopping = True
            self.cancel_computing.set()
            if kill or self.stop_cancels:
                self.cancel_simulators.set()
            self.changed.notify_all()

    def give_up(self, words: str, correct: Correct = "") -> None:
        """The run ends by itself; the first reason is the one that is told, with what a person has to correct."""
        with self.changed:
            self.correct = self.correct if self.given_up else correct
            self.given_up = self.given_up or words
            self.cancel_computing.set()
            self.changed.notify_all()

    def leave(self) -> None:
        """End the run here; runs on this machine end, jobs on other computers go on and are collected by the next start."""
        self.leave_jobs.set()
        self.stop(kill=True)

    def extend(self, max_evaluations: int) -> None:
        """Change the budget while running; never below what has been asked for already."""
        with self.changed:
            self._budget = int(max_evaluations)
            self.changed.notify_all()

    def set_workers(self, workers: int) -> None:
        """Change how many runs go on at a time; those under way finish."""
        with self.changed:
            self._workers = min(max(int(workers), 1), MAX_WORKERS)
            self.changed.notify_all()

    def archive_grew(self) -> None:
        """Evaluations were imported into the session."""
        with self.changed:
            self._arrivals = True
            self.changed.notify_all()

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def stopping(self) -> bool:
        return self._stopping

    @property
    def over(self) -> bool:
        """Whether the run ends, so that nothing waits any more."""
        return self._stopping or bool(self.given_up)

    @property
    def has_new_budget(self) -> bool:
        return self._budget is not None

    @property
    def has_arrivals(self) -> bool:
        return self._arrivals

    def take_arrivals(self) -> bool:
        """Whether evaluations were imported, once."""
        with self.changed:
            arrived, self._arrivals = self._arrivals, False
            return arrived

    def take_budget(self) -> int | None:
        """A new budget, once."""
        with self.changed:
            budget, self._budget = self._budget, None
            return budget

    def take_workers(self) -> int | None:
        """A new number of runs at a time, once."""
        with self.changed:
            workers, self._workers = self._workers, None
            return workers
