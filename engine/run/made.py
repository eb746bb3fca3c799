"""Evaluations of an analysis that are committed: in which order, how they ended, and which of them the loop was not told."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from dataclasses import replace

from ..answer.same_outputs import SameOutputsWatch
from ..problem.definition import evaluation_noun
from ..session.errors import SessionError
from ..session.records import EvaluationRecord
from ..session.store import SessionStore
from . import messages
from .arrivals import Joining
from .control import Control
from .durable import DurableWrites, Observer
from .outcomes import Outcomes


class Made:
    """``count``: how many there are. ``outcomes`` of all of them. What threads share is guarded by ``control.changed``."""

    def __init__(self, store: SessionStore, control: Control, observe: Observer, writes: DurableWrites) -> None:
        self._store, self._control, self._observe, self._writes = store, control, observe, writes
        self.count = store.evaluation_count
        self.outcomes = Outcomes(evaluation_noun(store.problem.meaning))
        self._untold: deque[EvaluationRecord] = deque()  # in order of arrival
        self._committing = threading.Lock()  # from the order of an evaluation to its commit
        self._same_outputs = SameOutputsWatch(store.problem)
        self._told_same_outputs = False

    def restore(self, evaluations: list[EvaluationRecord]) -> None:
        """What earlier starts left."""
        self.count = len(evaluations)
        for record in evaluations:
            self._note(record)

    def put_first(self, evaluations: list[EvaluationRecord]) -> None:
        """Earlier evaluations that the loop was not told: before those that arrived meanwhile; the caller holds the lock."""
        self._untold.extendleft(reversed(evaluations))

    def take(self, n: int | None = None) -> list[EvaluationRecord]:
        """The first ``n`` (None: all) that were not taken yet, in order of arrival; none if there are fewer."""
        with self._control.changed:
            n = len(self._untold) if n is None else n
            return [self._untold.popleft() for _ in range(n)] if len(self._untold) >= n else []

    def commit(self, record: EvaluationRecord) -> tuple[EvaluationRecord, bool]:
        """As it is stored, and whether it was kept, if only in a copy of the session; durable when this returns."""
        with self._committing:
            record = replace(record, order=self.count)
            saved, kept = self._writes.save_evaluation(record)
            with self._control.changed:
                if kept:
                    self._add(record)
                if saved:
                    self._untold.append(record)
        return record, kept

    def take_over(self, joining: Joining) -> int:
        """How many runs made elsewhere are its own now, as if they had just ended here; 0 where they cannot be written, and the
        run ends."""
        asks, waiting = joining.asks, joining.waiting
        with self._committing:
            runs = [replace(run, order=self.count + i) for i, run in enumerate(joining.runs)]
            if not self._writes.save(lambda: self._store.take_arrived_runs(asks, runs, waiting), "what was made elsewhere"):
                return 0
            with self._control.changed:
                for run in runs:
                    self._add(run)
                self._untold += runs
        for run in runs:
            self._observe(messages.evaluation_done(run))
        return len(runs)

    def judge_outputs(self) -> None:
        """Say once that runs at different values gave the same: the program may ignore them."""
        if self._told_same_outputs or (found := self._same_outputs.finding()) is None:
            return
        self._told_same_outputs = True
        self._observe(messages.same_outputs(found))
        with contextlib.suppress(SessionError):  # it has been said; no run waits for a line of the log
            self._store.log("warning", found.what)

    def _add(self, record: EvaluationRecord) -> None:
        self.count += 1
        self._note(record)

    def _note(self, record: EvaluationRecord) -> None:
        self.outcomes.count(record)
        self._same_outputs.add(record)
