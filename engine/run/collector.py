"""Simulator runs of an analysis: started, collected, committed, announced; and when to give up.

The collector takes each finished run, commits its evaluation and only then announces it, whatever the inference loop is doing.
Where the session's file is gone, or takes nothing more when the run ends, the evaluation goes into a copy of the session.
"""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from .. import protocol
from ..machine.thread_start import start_thread
from ..problem.definition import Problem
from ..session import folders
from ..session.errors import DuplicateRow, SessionError, SessionGone
from ..session.records import AskRecord, EvaluationRecord
from ..session.same_outputs import SameOutputsWatch
from ..session.store import SessionStore
from ..simulator.runner import RunResult
from . import messages
from .control import Control
from .exactness import AGAIN, MOST_SECOND_RUNS, Exactness, Finished, disagreement
from .one_evaluation import Evaluator
from .pace import Pace

Observer = Callable[[protocol.Event], None]

SAVE_RETRY_SECONDS = 2.0
SETUP_FAILURES = 3  # in a row: the next run would fail too
HOPELESS_SAME, HOPELESS = 10, 20  # failures without any success: all for one reason, for several
POLL_SECONDS = 0.2


class Collector:
    """What happens to simulator runs; all shared state is guarded by ``control.changed``."""

    pace: Pace
    problem: Problem
    workers: int  # runs at a time
    _evaluator: Evaluator

    def __init__(self, store: SessionStore, control: Control, observer: Observer, budget: int) -> None:
        self.store, self.control, self._observe, self.budget = store, control, observer, budget
        self._arrived: deque[EvaluationRecord] = deque()  # committed, not yet told; in order of arrival
        self._waiting: deque[AskRecord] = deque()  # journalled, not yet submitted
        self._under_way: dict[int, AskRecord] = {}
        self._exactness = Exactness()
        self._held: set[int] = set()  # of those under way: they have ended, and wait for the second run of the first
        self._finished_runs: deque[tuple[AskRecord, Future[RunResult]]] = deque()
        self._counts = {"ok": 0, "failed": 0, "impossible": 0}
        self._failure_reasons: set[str] = set()
        self._same_outputs = SameOutputsWatch(store.problem)
        self._told_same_outputs = False
        self._setup_failures = 0
        self._committed = 0
        self._elsewhere: Path | None = None  # a copy of the session that has what its own file did not take
        self._kept_elsewhere = self._lost = 0
        self._given_up = ""  # a sentence
        self._not_started_said = ""
        self._collecting = True
        self._activity = "Starting"
        self._state: protocol.RunState = "starting"

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
                future = self._evaluator.submit(ask)
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
            self._give_up(_not_started_words(error))
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

    def _commit(self, ask: AskRecord, result: RunResult, record: EvaluationRecord) -> None:
        """On disk first, then announced."""
        saved = self._elsewhere is None and self._save(partial(self._write, record), "a run that has finished")
        kept = saved or self._keep_elsewhere(record)
        with self.control.changed:
            self._under_way.pop(ask.index, None)
            if kept:
                self._committed += 1
                self._count(record)
                self.pace.arrived()
            if saved:
                self._arrived.append(record)
            self.control.changed.notify_all()
        if not kept:
            return
        self._observe(messages.evaluation_done(record))
        self._report_progress()
        self._evaluator.tidy(record)
        self._setup_failures = self._setup_failures + 1 if result.cause == "setup" else 0
        self._judge_failures(record)
        self._judge_outputs()

    def _run_again(self, record: EvaluationRecord) -> None:
        """A second run at the values of ``record``, which shows whether the program is random; part of the run under way."""
        again = AskRecord(AGAIN, record.u, 0, record.purpose)
        with self.control.changed:
            self._exactness.first = record
            self._exactness.second_runs += 1
            self._under_way[AGAIN] = again
        self._set_activity("Running one point a second time: is the program random?")
        try:
            future = self._evaluator.submit(AskRecord(record.index, record.u, 0, record.purpose), again=True)
        except Exception as error:
            future = Future()
            future.set_exception(error)
        future.add_done_callback(partial(self._on_finished, again))

    def _second_run(self, future: Future[RunResult]) -> RunResult | None:
        """What became of it; None: it could not be started, and is tried again since other runs are under way."""
        known = self._exactness
        try:
            return future.result()
        except CancelledError:
            return RunResult("failed", cause="cancelled")
        except Exception as error:
            with self.control.changed:
                beside = len(self._under_way) - len(known.waiting) - 1
                if beside > 0 and not (self._given_up or self.control.cancel_simulators.is_set()):
                    self.control.changed.wait(POLL_SECONDS)
                else:
                    self._give_up(_not_started_words(error))
                    return RunResult("failed", cause="cancelled")
        assert known.first is not None
        known.second_runs -= 1
        self._run_again(known.first)
        return None

    def _compare(self, result: RunResult) -> None:
        """The second run has ended: what has waited for it counts, or nothing does since the program is random."""
        known = self._exactness
        assert known.first is not None
        folders.remove(self._evaluator.folder_again)
        cancelled = result.cause == "cancelled"
        words = None if cancelled else disagreement(self.problem, known.first, result)
        if words is None and not cancelled and known.second_runs < MOST_SECOND_RUNS and not self._given_up:
            self._run_again(known.first)
            return
        if words is None and not cancelled:
            what = f"Whether the program is random could not be seen: a second run at the same values failed. {result.reason}"
            self._observe(protocol.Report(level="warning", what=what, suggestion="Try Run twice on the Simulator page."))
        if words:
            known.refused = True
            held = self._counts["ok"] + self._counts["impossible"]
            kept = " The runs made so far keep it so: duplicate the analysis without them first." if held else ""
            self._give_up(words + kept)
        elif (cancelled and bool(known.waiting)) != self.store.unchecked:
            self._save(lambda: self.store.note_unchecked(cancelled))
        for waited in known.release(checked=not cancelled):
            if words:
                self._forget(waited.ask)
            else:
                self._commit(waited.ask, waited.result, replace(waited.record, order=self._committed))
        self._leave(AGAIN)

    def _forget(self, ask: AskRecord) -> None:
        """A run that counts for nothing leaves nothing."""
        self._evaluator.forget(ask.index)
        self._leave(ask.index)

    def _leave(self, index: int) -> None:
        """A run is not under way any more."""
        with self.control.changed:
            self._under_way.pop(index, None)
            self.control.changed.notify_all()

    def _write(self, record: EvaluationRecord) -> None:
        try:
            self.store.add_evaluation(record)
        except SessionGone:
            with contextlib.suppress(SessionError):  # at once: nobody knows whether the file comes back
                self.store.rescue([record])
            raise

    def _keep_elsewhere(self, record: EvaluationRecord) -> bool:
        """The run ends, and the session takes nothing more: whether a copy elsewhere took what has finished."""
        try:
            self._elsewhere = self.store.rescue([record])
        except SessionError:
            self._lost += 1
            return False
        self._kept_elsewhere += 1
        return True

    def _rescue_words(self) -> str:
        """A sentence for the end of the run; "" if the session's file has everything."""
        said, n = "", self._kept_elsewhere
        if n:
            runs = "One finished run" if n == 1 else f"{n} finished runs"
            said += (
                f" {runs} could not be written into the session's file. A copy with everything in it is {self._elsewhere}: "
                "continue with that file."
            )
        if self._lost:
            runs = "One finished run" if self._lost == 1 else f"{self._lost} finished runs"
            said += f" {runs} could not be written anywhere and must be run again."
        return said

    def _count(self, record: EvaluationRecord) -> None:
        self._counts[record.outcome] += 1
        self._same_outputs.add(record)
        if record.outcome != "ok":
            self._failure_reasons.add(record.reason)

    def _judge_failures(self, record: EvaluationRecord) -> None:
        """Give up where going on would only burn the budget."""
        if self._setup_failures >= SETUP_FAILURES:
            self._give_up(f"The last {SETUP_FAILURES} runs could not be carried out at all. {record.reason}")
        if self._counts["ok"]:
            return
        n = self._counts["failed"] + self._counts["impossible"]
        if n >= (HOPELESS_SAME if len(self._failure_reasons) == 1 else HOPELESS):
            self._give_up(
                f"None of the first {n} runs gave a usable result. The last one: {record.reason} "
                "Try a test run on the simulator page, and check that the plausible ranges are where the program works."
            )

    def _judge_outputs(self) -> None:
        """Say once that runs at different values gave the same: the program may ignore them."""
        found = None if self._told_same_outputs else self._same_outputs.finding()
        if found is None:
            return
        self._told_same_outputs = True
        self._observe(messages.same_outputs(found))
        with contextlib.suppress(SessionError):  # it has been said; no run waits for a line of the log
            self.store.log("warning", found.what)

    def _give_up(self, words: str) -> None:
        with self.control.changed:
            self._given_up = self._given_up or words
            self.control.cancel_computing.set()
            self.control.changed.notify_all()

    def _save(self, write: Callable[[], None], what: str = "the state of the analysis") -> bool:
        """Write, again and again while the disk is full or gone. False: the run was stopped before it could be saved."""
        told = False
        while True:
            try:
                write()
            except DuplicateRow:
                if not told:
                    raise
                break  # it was written in the moment before the file was taken away
            except SessionError as error:
                if not told and not (self.control.stopping or self._given_up):
                    told = True
                    suggestion = (
                        f"{error.suggestion} The analysis waits and tries again; nothing new is started meanwhile."
                    )
                    self._observe(protocol.Report(level="error", what=f"{error.what}, so {what} is not saved yet.",
                                                  where=error.where, suggestion=suggestion))  # fmt: skip
                    self._set_activity("Waiting until the session can be written again")
                with self.control.changed:
                    if self.control.stopping or self._given_up:
                        return False
                    self.control.changed.wait(SAVE_RETRY_SECONDS)
            else:
                break
        if told:
            self._observe(protocol.Report(level="info", what="The session can be written again; nothing was lost."))
        return True

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
                    evaluations=done,
                    failed=self._counts["failed"] + self._counts["impossible"],
                    budget=self.budget,
                    running=self._running_now,
                    elapsed_s=self.pace.elapsed_s,
                    remaining_s=self.pace.remaining(self.budget - done),
                    activity=self._activity,
                    workers=self.workers,
                )
            )


def _not_started_words(error: Exception) -> str:
    said = f"A simulator run could not be started: {type(error).__name__}: {error}."
    return f"{said} Everything finished is saved; try again, or with fewer runs at the same time."
