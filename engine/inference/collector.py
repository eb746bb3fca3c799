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
from functools import partial
from pathlib import Path

from .. import protocol
from ..session.errors import DuplicateRow, SessionError, SessionGone
from ..session.records import AskRecord, EvaluationRecord
from ..session.store import SessionStore
from ..simulator.runner import RunResult
from . import messages
from .control import Control
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
    workers: int  # runs at a time
    _evaluator: Evaluator

    def __init__(self, store: SessionStore, control: Control, observer: Observer, budget: int) -> None:
        self.store, self.control, self._observe, self.budget = store, control, observer, budget
        self._arrived: deque[EvaluationRecord] = deque()  # committed, not yet told; in order of arrival
        self._waiting: deque[AskRecord] = deque()  # journalled, not yet submitted
        self._under_way: dict[int, AskRecord] = {}
        self._finished_runs: deque[tuple[AskRecord, Future[RunResult]]] = deque()
        self._counts = {"ok": 0, "failed": 0, "impossible": 0}
        self._failure_reasons: set[str] = set()
        self._setup_failures = 0
        self._committed = 0
        self._elsewhere: Path | None = None  # a copy of the session that has what its own file did not take
        self._kept_elsewhere = self._lost = 0
        self._given_up = ""  # a sentence
        self._collecting = True
        self._activity = "Starting"
        self._state: protocol.RunState = "starting"

    def start_collecting(self) -> threading.Thread:
        thread = threading.Thread(target=self._collect, name="collector", daemon=True)
        thread.start()
        return thread

    # ---------------------------------------------------------------- runs

    def _submit_waiting(self) -> None:
        """Start journalled runs unless paused, no more at a time than allowed; the caller holds the lock."""
        may = not self.control.paused and not self.control.stopping
        while may and self._waiting and len(self._under_way) < self.workers:
            ask = self._waiting.popleft()
            self._under_way[ask.index] = ask
            self._observe(protocol.EvaluationStarted(index=ask.index, values=self._evaluator.values(ask)))
            self._evaluator.submit(ask).add_done_callback(partial(self._on_finished, ask))
        self._report_progress()

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
                with self.control.changed:
                    self._under_way.pop(ask.index, None)
                    self.control.changed.notify_all()

    def _take(self, ask: AskRecord, future: Future[RunResult]) -> None:
        try:
            result = future.result()
        except CancelledError:
            result = RunResult("failed", cause="cancelled")
        if result.cause == "cancelled":
            self._evaluator.forget(ask.index)
            with self.control.changed:
                self._under_way.pop(ask.index, None)
                self.control.changed.notify_all()
            return
        record = self._evaluator.record(ask, result, self._committed)
        saved = self._elsewhere is None and self._save(partial(self._write, record), "an evaluation that has finished")
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
                    running=len(self._under_way),
                    elapsed_s=self.pace.elapsed_s,
                    remaining_s=self.pace.remaining(self.budget - done),
                    activity=self._activity,
                    workers=self.workers,
                )
            )
