"""Simulator runs of an analysis: started, collected, committed, announced; and when to give up.

The collector takes each finished run, commits its evaluation and only then announces it, whatever the inference loop is doing.
Where the session's file is gone, or takes nothing more when the run ends, the evaluation goes into a copy of the session.
"""

from __future__ import annotations

import contextlib
import queue
from collections import deque
from collections.abc import Iterable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import replace
from functools import partial

from .. import protocol
from ..clusters.elsewhere import refuse_elsewhere
from ..clusters.site import Site
from ..loop_interface import HasDesign, InferenceLoop
from ..machine.computing_time import ComputingTime
from ..machine.thread_start import NoThread, start_thread
from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..session.job_owner import claim_jobs
from ..session.ledger import Ledger
from ..session.records import AskRecord, EvaluationRecord
from ..session.store import SessionStore
from ..session.trust.consent import Permit
from ..simulator.executors import LocalThreads
from ..simulator.run_result import RefusedBy, RunResult
from . import messages
from .allowance import Allowance
from .computing import POLL_SECONDS
from .control import Control
from .durable import DurableWrites, Observer
from .made import Made
from .one_evaluation import Evaluator
from .pace import Pace
from .second_runs import SecondRuns
from .within import WithinPoints

AGAIN = -1  # index of a second run: it is no evaluation


class Collector:
    """``start`` once. All that threads share is guarded by ``control.changed``.

    ``executor``: threads to wait in, in place of our own; ``site``: another computer that runs the simulator.
    """

    def __init__(
        self, store: SessionStore, control: Control, observer: Observer, allowance: Allowance,
        executor: Executor | None = None, site: Site | None = None,
    ) -> None:  # fmt: skip
        control.stop_cancels = site is not None
        self._store, self._control, self._observe, self._allowance = store, control, observer, allowance
        self._executor, self._site = executor, site
        self._threads = LocalThreads()
        self.writes = DurableWrites(store, control, observer, self.set_activity)
        self.made = Made(store, control, observer, self.writes)
        self.outcomes = self.made.outcomes
        self.computing = ComputingTime()
        self.refused: RefusedBy = ""  # what has to be corrected first
        self._waiting: deque[AskRecord] = deque()  # journalled, not yet submitted
        self._under_way: dict[int, AskRecord] = {}
        self._ended = queue.SimpleQueue[tuple[AskRecord, Future[RunResult]] | None]()  # None: there will be no more
        self._within = WithinPoints(self.report_progress)
        self._not_started_said = ""
        self._activity = "Starting"
        self._state: protocol.RunState = "starting"

    def start(self, problem: Problem, permit: Permit, space: ParameterSpace) -> None:
        """Raises NoThread, SetupError in words where the other computer cannot be used, SessionError."""
        executor = self._executor or self._threads.pool(self._allowance.workers)
        self._open_site()
        folders, cancel = (self._store.runs_folder, self._store.path.parent), self._control.cancel_simulators
        self._evaluator = Evaluator(problem, permit, space, executor, *folders, cancel, site=self._site)
        self._second = SecondRuns(
            self._store, self._control, self._observe, self._evaluator, self.writes, self.outcomes,
            start=self._run_again, commit=self._commit, forget=self._forget, running=self._running_now,
        )  # fmt: skip
        self.pace = Pace(self._store.elapsed_s)
        if self._site is not None:
            self._site.silence.changed = self.pace.silence
        try:
            self._thread = start_thread(self._collect, "collector")
        except NoThread:
            if self._site is not None:
                self._site.close()
            raise

    def _open_site(self) -> None:
        for words in claim_jobs(self._store):
            self._store.log("warning", words)
            self._observe(protocol.Report(level="warning", what=words))
        if self._site is None:
            refuse_elsewhere(Ledger(self._store), None)
            return
        self.set_state("starting", f"Connecting to {self._site.place.name}")
        try:
            self._site.open()
        except BaseException:
            self._site.close()
            raise

    def restore(self, evaluations: list[EvaluationRecord], unfinished: list[AskRecord]) -> None:
        """What earlier starts left: runs that are ``unfinished`` begin; the caller holds the lock."""
        self.made.restore(evaluations)
        for record in evaluations:
            if record.outcome == "ok":
                self._evaluator.note_duration(record.duration_s)
                self._evaluator.note_noise(record.noise_sd)
                self._evaluator.note_outputs(record.outputs)
        if there := self._site.under_way if unfinished and self._site is not None else 0:
            self._store.log("info", f"{there} jobs that were under way are collected.")
        if (n := len(unfinished) - there) > 0:
            self._store.log("info", f"{n} runs that were under way when the last run ended are run again.")
        self.set_state("running")
        self._second.begin(evaluations)
        self.begin_runs(unfinished)

    @property
    def busy(self) -> bool:
        """Whether simulator runs are under way."""
        return bool(self._under_way)

    def allow(self, workers: int) -> None:
        """So many runs at a time from the next run on; those under way go on where they are."""
        try:
            if self._executor is None and workers > self._allowance.workers:
                self._evaluator.executor = self._threads.pool(workers)
        except NoThread as error:
            self._observe(protocol.Report(level="warning", what=str(error)))
            return
        self._allowance.use(workers)
        self.report_progress()

    # ---------------------------------------------------------------- runs

    def _running_now(self) -> int:
        return len(self._under_way.keys() - self._second.held)

    @property
    def has_room(self) -> bool:
        """Whether a run that waits could be started; the caller holds the lock."""
        return bool(self._waiting) and self._running_now() < self._allowance.workers

    def ahead(self, loop: InferenceLoop, left: int) -> int:
        """Points of the design to ask for, of ``left``: jobs elsewhere can run beside the second run that all values wait for."""
        with self._control.changed:
            if self._site is None or AGAIN not in self._under_way or not isinstance(loop, HasDesign) or self._control.paused:
                return 0
            return max(min(self._allowance.workers - self._running_now() - len(self._waiting), left, loop.design_left), 0)

    def begin_runs(self, asks: Iterable[AskRecord] = ()) -> None:
        """Start journalled runs unless paused, no more at a time than allowed; the caller holds the lock."""
        self._waiting.extend(asks)
        may = not self._control.paused and not self._control.stopping
        while may and self.has_room:
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
        self.report_progress()

    def _run_again(self, record: EvaluationRecord) -> None:
        """A second run at the values of ``record``; part of the run under way."""
        again = AskRecord(AGAIN, record.u, 0, record.purpose)
        with self._control.changed:
            self._under_way[AGAIN] = again
        self.set_activity("Running one point a second time: is the program random?")
        try:
            future = self._evaluator.submit(AskRecord(record.index, record.u, 0, record.purpose), again=True)
        except Exception as error:
            (future := Future()).set_exception(error)
        future.add_done_callback(partial(self._on_finished, again))

    def beside(self, ask: AskRecord) -> Future[RunResult]:
        """A run at the point of ``ask`` that counts for nothing, in the folder of second runs; ``leave_beside`` when it has
        ended."""

        def ended(future: Future[RunResult]) -> None:
            with self._control.changed:
                self._control.changed.notify_all()

        try:
            future = self._evaluator.submit(ask, again=True)
        except Exception as error:  # whatever an executor may raise
            (future := Future()).set_exception(error)
        future.add_done_callback(ended)
        return future

    def leave_beside(self, ask: AskRecord) -> None:
        """Nothing stays of it."""
        self._evaluator.tidy_again(ask.index)

    def _not_started(self, error: Exception) -> None:
        """A run could not be handed over: tried again while others are under way, since there may be room when one has ended."""
        words = f"A simulator run could not be started: {type(error).__name__}: {error}."
        if not self._under_way:
            self._control.give_up(messages.not_started(error))
        elif words != self._not_started_said:
            self._not_started_said = words
            self._observe(
                protocol.Report(level="warning", what=words, suggestion="It is tried again when another has ended.")
            )

    def _on_finished(self, ask: AskRecord, future: Future[RunResult]) -> None:
        self._ended.put((ask, future))

    def _collect(self) -> None:
        """The collector's thread: commit first, announce after."""
        while (ended := self._ended.get()) is not None:
            ask, future = ended
            try:
                self._take(ask, future)
            except Exception as error:  # a fault of ours: told, logged, and the run ends in good order
                self._observe(messages.fault(error))
                self._control.give_up(f"Something unexpected went wrong inside Bayescope: {error}.")
                for index in (ask.index, *(record.index for record, _ in self._second.release(checked=False))):
                    self._leave(index)

    def _take(self, ask: AskRecord, future: Future[RunResult]) -> None:
        try:
            result = self._heard(future.result())
        except CancelledError:
            result = RunResult("failed", cause="cancelled")
        except Exception as error:
            if ask.index != AGAIN:
                raise
            if self._second.tried_again(error):
                return
            result = RunResult("failed", cause="cancelled")
        if ask.index == AGAIN:
            if self._second.compare(result):
                self._leave(AGAIN)
            return
        if result.cause == "cancelled" or self._second.refused:
            self._forget(ask.index)
            return
        record = self._evaluator.record(ask, result, self.made.count)
        with self._control.changed:
            held = self._second.holds(record, result.cause)
            if held:
                self.pace.arrived(record.duration_s)
        if held:
            self.report_progress()
            return
        self._commit(record, result.cause)

    def _heard(self, result: RunResult) -> RunResult:
        """One that is refused ends the run here and counts for nothing; jobs that go well go on where only the queue refuses."""
        if result.cause != "refused":
            return result
        self.refused = self.refused or result.refused_by
        if self.refused == "queue":
            self._control.leave_jobs.set()
        self._control.give_up(result.reason)
        return replace(result, cause="cancelled")

    def _commit(self, record: EvaluationRecord, cause: str) -> None:
        """On disk first, then announced; others may have been committed since ``record`` was made."""
        record, kept = self.made.commit(record)
        with self._control.changed:
            self._under_way.pop(record.index, None)
            if kept and record.index not in self._second.held:
                self.pace.arrived(record.duration_s)
            self._control.changed.notify_all()
        if not kept:
            return
        self._observe(messages.evaluation_done(record))
        self.report_progress()
        self._evaluator.tidy(record)
        if hopeless := self.outcomes.hopeless(record, cause):
            self._control.give_up(hopeless)
        self.made.judge_outputs()

    def _forget(self, index: int) -> None:
        """A run that counts for nothing leaves nothing."""
        self._evaluator.forget(index)
        self._leave(index)

    def _leave(self, index: int) -> None:
        """A run is not under way any more."""
        with self._control.changed:
            self._under_way.pop(index, None)
            self._control.changed.notify_all()

    def wind_down(self) -> None:
        """Let runs under way finish and be recorded (or end them, if so asked), then stop the threads."""
        if self._control.given_up:
            self._control.cancel_simulators.set()
        with self._control.changed:
            while self._under_way:
                if self._control.stopping:
                    self.set_state("stopping")
                self._control.changed.wait(POLL_SECONDS)
        self._ended.put(None)
        self._thread.join()
        self._threads.shutdown()
        if self._site is not None:
            self._site.close()
        with contextlib.suppress(OSError):  # kept only if it holds kept runs
            self._store.runs_folder.rmdir()

    # ---------------------------------------------------------------- telling the observer

    def set_state(self, state: protocol.RunState, words: str = "") -> None:
        if state != self._state or words:
            self._state = state
            self._observe(protocol.StateChanged(state=state, words=words))

    def set_activity(self, words: str) -> None:
        self._activity = words
        self.report_progress()

    def report_progress(self) -> None:
        allowed = self._allowance
        with self._control.changed:
            left = allowed.budget - self.made.count - (held := len(self._second.held & self._under_way.keys()))
            self._observe(
                protocol.Progress(
                    evaluations=self.made.count, failed=self.outcomes.without_value, budget=allowed.budget,
                    running=self._running_now(), elapsed_s=self.pace.elapsed_s,
                    remaining_s=self.pace.remaining(left, allowed.workers), activity=self._activity,
                    held=held, workers=allowed.workers, computed_s=self.computing.seconds,
                    within=self._within.counts(self._under_way), since_s=self.pace.since_s,
                )
            )  # fmt: skip
