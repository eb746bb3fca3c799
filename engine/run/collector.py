"""Simulator runs of an analysis: started, collected, committed, announced; and when to give up.

The collector takes each finished run, commits its evaluation and only then announces it, whatever the inference loop is doing.
Where the session's file is gone, or takes nothing more when the run ends, the evaluation goes into a copy of the session.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial

from .. import protocol
from ..clusters.elsewhere import refuse_elsewhere
from ..clusters.site import Site
from ..machine.computing_time import ComputingTime
from ..machine.thread_start import start_thread
from ..problem.definition import Problem
from ..session.errors import SessionError
from ..session.job_owner import claim_jobs
from ..session.ledger import Ledger
from ..session.records import AskRecord, EvaluationRecord
from ..session.same_outputs import SameOutputsWatch
from ..session.store import SessionStore
from ..simulator.executors import LocalThreads
from ..simulator.run_result import RefusedBy, RunResult
from . import messages
from .computing import POLL_SECONDS
from .control import Control
from .durable import DurableWrites, Observer
from .exactness import AGAIN, Exactness, Finished
from .one_evaluation import Evaluator
from .outcomes import Outcomes
from .pace import Pace
from .second_runs import SecondRuns
from .within import WithinPoints


class Collector(SecondRuns):
    """What happens to simulator runs; all shared state is guarded by ``control.changed``."""

    pace: Pace
    problem: Problem
    workers: int  # runs at a time
    _evaluator: Evaluator

    def __init__(
        self, store: SessionStore, control: Control, observer: Observer, budget: int, site: Site | None = None
    ) -> None:
        self.site = site
        self.refused: RefusedBy = ""  # what has to be corrected first
        control.stop_cancels = site is not None
        self._threads = LocalThreads()
        self.store, self.control, self._observe, self.budget = store, control, observer, budget
        self._arrived: deque[EvaluationRecord] = deque()  # committed, not yet told; in order of arrival
        self._waiting: deque[AskRecord] = deque()  # journalled, not yet submitted
        self._under_way: dict[int, AskRecord] = {}
        self._exactness = Exactness()
        self._held: set[int] = set()  # of those under way: they have ended, and wait for the second run of the first
        self._finished_runs: deque[tuple[AskRecord, Future[RunResult]]] = deque()
        self._outcomes = Outcomes()
        self._within = WithinPoints(self._report_progress)
        self._writes = DurableWrites(store, control, observer, self._over, self._set_activity)
        self._same_outputs = SameOutputsWatch(store.problem)
        self._told_same_outputs = False
        self._committed = 0
        self._given_up = ""  # a sentence
        self._not_started_said = ""
        self._collecting = True
        self._computing = ComputingTime()
        self._activity = "Starting"
        self._state: protocol.RunState = "starting"

    def open_site(self) -> None:
        """Raises SetupError in words where the other computer cannot be used, SessionError."""
        for words in claim_jobs(self.store):
            self.store.log("warning", words)
            self._observe(protocol.Report(level="warning", what=words))
        if self.site is None:
            refuse_elsewhere(Ledger(self.store), None)
            return
        self._set_state("starting", f"Connecting to {self.site.place.name}")
        try:
            self.site.open()
        except BaseException:
            self.site.close()
            raise

    def _note_unfinished(self, n: int) -> None:
        there = 0 if self.site is None else self.site.under_way
        if there:
            self.store.log("info", f"{there} jobs that were under way are collected.")
        if n > there:
            self.store.log("info", f"{n - there} runs that were under way when the last run ended are run again.")

    def start_collecting(self) -> threading.Thread:
        """Raises NoThread."""
        return start_thread(self._collect, "collector")

    # ---------------------------------------------------------------- runs

    @property
    def _running_now(self) -> int:
        return len(self._under_way.keys() - self._held)

    def _submit_waiting(self) -> None:
        """Start journalled runs unless paused, no more at a time than allowed; the caller holds the lock."""
        may = not self.control.paused and not self.control.stopping
        while may and self._waiting and self._running_now < self.workers:
            ask = self._waiting.popleft()
            self._under_way[ask.index] = ask
            try:
                future = self._evaluator.submit(ask, progress=self._within.of(ask.index))
            except Exception as error:  # whatever an executor may raise, nobody may wait for that run
                self._under_way.pop(ask.index)
                self._waiting.appendleft(ask)
                self._not_started(error)
                break
            self._observe(protocol.EvaluationStarted(index=ask.index, values=self._evaluator.values(ask)))
            future.add_done_callback(partial(self._on_finished, ask))
        self._report_progress()

    def _not_started(self, error: Exception) -> None:
        """A run could not be handed over: tried again while others are under way, since there may be room when one has ended."""
        words = f"A simulator run could not be started: {type(error).__name__}: {error}."
        if not self._under_way:
            self._give_up(messages.not_started(error))
        elif words != self._not_started_said:
            self._not_started_said = words
            self._observe(protocol.Report(level="warning", what=words, suggestion="It is tried again when another has ended."))

    def _on_finished(self, ask: AskRecord, future: Future[RunResult]) -> None:
        with self.control.changed:
            self._finished_runs.append((ask, future))
            self.control.changed.notify_all()

    def _collect(self) -> None:
        """The collector's thread: commit first, announce after."""
        while True:
            with self.control.changed:
                while not self._finished_runs:
                    if not self._collecting:
                        return
                    self.control.changed.wait(POLL_SECONDS)
                ask, future = self._finished_runs.popleft()
            try:
                self._take(ask, future)
            except Exception as error:  # a fault of ours: told, logged, and the run ends in good order
                self._observe(messages.fault(error))
                self._give_up(f"Something unexpected went wrong inside Bayescope: {error}.")
                for index in (ask.index, *(waited.ask.index for waited in self._exactness.release(checked=False))):
                    self._leave(index)

    def _take(self, ask: AskRecord, future: Future[RunResult]) -> None:
        if ask.index == AGAIN:
            second = self._second_run(future)
            if second is not None:
                self._compare(second)
            return
        try:
            result = future.result()
        except CancelledError:
            result = RunResult("failed", cause="cancelled")
        result = self._heard(result)
        if result.cause == "cancelled" or self._exactness.refused:
            self._forget(ask)
            return
        record = self._evaluator.record(ask, result, self._committed)
        if self._exactness.holds(record):
            with self.control.changed:
                self._exactness.waiting.append(Finished(ask, result, record))
                self._held.add(ask.index)
                if self._exactness.first is None:
                    self._run_again(record)
            return
        self._commit(ask, result, record)

    def _heard(self, result: RunResult) -> RunResult:
        """One that is refused ends the run here and counts for nothing; jobs that go well go on where only the queue refuses."""
        if result.cause != "refused":
            return result
        self.refused = self.refused or result.refused_by
        if self.refused == "queue":
            self.control.leave_jobs.set()
        self._give_up(result.reason)
        return replace(result, cause="cancelled")

    def _commit(self, ask: AskRecord, result: RunResult, record: EvaluationRecord) -> None:
        """On disk first, then announced."""
        saved, kept = self._writes.save_evaluation(record)
        with self.control.changed:
            self._under_way.pop(ask.index, None)
            if kept:
                self._committed += 1
                self._count(record)
                self.pace.arrived(record.duration_s)
            if saved:
                self._arrived.append(record)
            self.control.changed.notify_all()
        if not kept:
            return
        self._observe(messages.evaluation_done(record))
        self._report_progress()
        self._evaluator.tidy(record)
        hopeless = self._outcomes.hopeless(record, result.cause)
        if hopeless:
            self._give_up(hopeless)
        self._judge_outputs()

    def _forget(self, ask: AskRecord) -> None:
        """A run that counts for nothing leaves nothing."""
        self._evaluator.forget(ask.index)
        self._leave(ask.index)

    def _leave(self, index: int) -> None:
        """A run is not under way any more."""
        with self.control.changed:
            self._under_way.pop(index, None)
            self.control.changed.notify_all()

    def _count(self, record: EvaluationRecord) -> None:
        self._outcomes.count(record)
        self._same_outputs.add(record)

    def _judge_outputs(self) -> None:
        """Say once that runs at different values gave the same: the program may ignore them."""
        found = None if self._told_same_outputs else self._same_outputs.finding()
        if found is None:
            return
        self._told_same_outputs = True
        self._observe(messages.same_outputs(found))
        with contextlib.suppress(SessionError):  # it has been said; no run waits for a line of the log
            self.store.log("warning", found.what)

    def _wind_down(self, collector: threading.Thread) -> None:
        """Let runs under way finish and be recorded (or end them, if so asked), then stop the threads."""
        if self._given_up:
            self.control.cancel_simulators.set()
        with self.control.changed:
            while self._under_way:
                if self.control.stopping:
                    self._set_state("stopping")
                self.control.changed.wait(POLL_SECONDS)
            self._collecting = False
            self.control.changed.notify_all()
        collector.join()
        self._threads.shutdown()
        if self.site is not None:
            self.site.close()
        with contextlib.suppress(OSError):  # kept only if it holds kept runs
            self.store.runs_folder.rmdir()

    def _over(self) -> bool:
        return self.control.stopping or bool(self._given_up)

    def _give_up(self, words: str) -> None:
        with self.control.changed:
            self._given_up = self._given_up or words
            self.control.cancel_computing.set()
            self.control.changed.notify_all()

    # ---------------------------------------------------------------- telling the observer

    def _set_state(self, state: protocol.RunState, words: str = "") -> None:
        if state != self._state or words:
            self._state = state
            self._observe(protocol.StateChanged(state=state, words=words))

    def _set_activity(self, words: str) -> None:
        self._activity = words
        self._report_progress()

    def _report_progress(self) -> None:
        with self.control.changed:
            done = self._committed
            self._observe(
                protocol.Progress(
                    evaluations=done, failed=self._outcomes.without_value, budget=self.budget, running=self._running_now,
                    elapsed_s=self.pace.elapsed_s, remaining_s=self.pace.remaining(self.budget - done, self.workers),
                    activity=self._activity, workers=self.workers, computed_s=self._computing.seconds,
                    within=self._within.counts(self._under_way),
                )
            )  # fmt: skip
