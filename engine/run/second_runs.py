"""The second run of the first good point, as part of the collector: whether the program is random."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial

from .. import protocol
from ..problem.definition import Problem, is_noisy
from ..session import folders
from ..session.errors import SessionError
from ..session.records import AskRecord, EvaluationRecord
from ..session.store import SessionStore
from ..simulator.run_result import RunResult
from . import messages
from .computing import POLL_SECONDS
from .control import Control
from .durable import DurableWrites, Observer
from .exactness import AGAIN, MOST_SECOND_RUNS, Exactness, disagreement
from .one_evaluation import Evaluator
from .outcomes import Outcomes


class SecondRuns(ABC):
    """What of a collector knows about second runs. Not counted among the runs that are allowed, and said in the log."""

    problem: Problem
    store: SessionStore
    control: Control
    _evaluator: Evaluator
    _exactness: Exactness
    _committed: int
    _given_up: str
    _observe: Observer
    _outcomes: Outcomes
    _under_way: dict[int, AskRecord]
    _writes: DurableWrites

    def _begin_check(self, evaluations: list[EvaluationRecord]) -> None:
        """Whether the program is random is seen at the first value; once it was, not again."""
        good = [record for record in evaluations if record.outcome == "ok"]
        self._exactness.outstanding = not is_noisy(self.problem.meaning) and (not good or self.store.unchecked)
        if self._exactness.outstanding and good:
            self._run_again(good[0])

    def _run_again(self, record: EvaluationRecord) -> None:
        """A second run at the values of ``record``, which shows whether the program is random; part of the run under way."""
        again = AskRecord(AGAIN, record.u, 0, record.purpose)
        with self.control.changed:
            self._exactness.first = record
            self._exactness.second_runs += 1
            self._under_way[AGAIN] = again
        self._set_activity("Running one point a second time: is the program random?")
        self._log(f"Run {record.index} is made a second time, to see whether the program is random. It counts for nothing else.")
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
            return self._heard(future.result())
        except CancelledError:
            return RunResult("failed", cause="cancelled")
        except Exception as error:
            with self.control.changed:
                beside = len(self._under_way) - len(known.waiting) - 1
                if beside > 0 and not (self._given_up or self.control.cancel_simulators.is_set()):
                    self.control.changed.wait(POLL_SECONDS)
                else:
                    self._give_up(messages.not_started(error))
                    return RunResult("failed", cause="cancelled")
        assert known.first is not None
        known.second_runs -= 1
        self._run_again(known.first)
        return None

    def _compare(self, result: RunResult) -> None:
        """The second run has ended: what has waited for it counts, or nothing does since the program is random."""
        known = self._exactness
        assert known.first is not None
        first = known.first.index
        folders.remove(self._evaluator.folder_again)
        cancelled = result.cause == "cancelled"
        words = None if cancelled else disagreement(self.problem, known.first, result)
        if words is None and not cancelled and known.second_runs < MOST_SECOND_RUNS and not self._given_up:
            self._evaluator.tidy_again(known.first.index)
            self._run_again(known.first)
            return
        if words is None and not cancelled:
            what = f"Whether the program is random could not be seen: a second run at the same values failed. {result.reason}"
            self._observe(protocol.Report(level="warning", what=what, suggestion="Try Run twice on the Simulator page."))
        if words:
            known.refused = True
            held = self._outcomes.counts["ok"] + self._outcomes.counts["impossible"]
            kept = " The runs made so far keep it so: duplicate the analysis without them first." if held else ""
            self._give_up(words + kept)
        elif (cancelled and bool(known.waiting)) != self.store.unchecked:
            self._writes.save(lambda: self.store.note_unchecked(cancelled))
        for waited in known.release(checked=not cancelled):
            if words:
                self._forget(waited.ask)
            else:
                self._commit(waited.ask, waited.result, replace(waited.record, order=self._committed))
        if not cancelled:
            self._evaluator.tidy_again(first)
            if words == "":
                self._log(f"The second run of run {first} gave the same: the program is not random.")
        self._leave(AGAIN)

    def _log(self, words: str) -> None:
        with contextlib.suppress(SessionError):  # no run waits for a line of the log
            self.store.log("info", words)

    # ---------------------------------------------------------------- of the collector

    @abstractmethod
    def _on_finished(self, ask: AskRecord, future: Future[RunResult]) -> None: ...

    @abstractmethod
    def _heard(self, result: RunResult) -> RunResult: ...

    @abstractmethod
    def _commit(self, ask: AskRecord, result: RunResult, record: EvaluationRecord) -> None: ...

    @abstractmethod
    def _forget(self, ask: AskRecord) -> None: ...

    @abstractmethod
    def _leave(self, index: int) -> None: ...

    @abstractmethod
    def _give_up(self, words: str) -> None: ...

    @abstractmethod
    def _set_activity(self, words: str) -> None: ...
