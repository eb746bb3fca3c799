"""Whether a program that is declared as exact gives the same twice: found out before any of its values is believed.

The first point that gives a value is run a second time, and every value waits until both runs agree; then all count, the first
one too. A program that differs has no evaluation recorded, so its declaration can still be changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from .. import protocol
from ..answer.same_outputs import same_again
from ..problem.definition import Predictions, is_noisy
from ..session import folders
from ..session.errors import SessionError
from ..session.records import EvaluationRecord
from ..session.store import SessionStore
from ..simulator.run_result import RunResult
from . import messages
from .computing import POLL_SECONDS
from .control import Control
from .durable import DurableWrites, Observer
from .exactness import disagreement
from .one_evaluation import Evaluator
from .outcomes import Outcomes

MOST_SECOND_RUNS = 2  # one more where the first of them failed


class SecondRuns:
    """Not counted among the runs that are allowed, and said in the log.

    ``start`` begins a run at the values of an evaluation; what has waited is given, with the cause of its end, to ``commit`` or,
    by its index, to ``forget``; ``running``: how many runs are under way, the second one too.
    """

    def __init__(
        self, store: SessionStore, control: Control, observer: Observer, evaluator: Evaluator, writes: DurableWrites,
        outcomes: Outcomes, *, start: Callable[[EvaluationRecord], None], commit: Callable[[EvaluationRecord, str], None],
        forget: Callable[[int], None], running: Callable[[], int],
    ) -> None:  # fmt: skip
        self._store, self._control, self._observe, self._evaluator = store, control, observer, evaluator
        self._writes, self._outcomes, self._running = writes, outcomes, running
        self._start, self._commit, self._forget = start, commit, forget
        self.refused = False  # the program is random
        self.held: set[int] = set()  # indices of runs that have waited: they have ended
        self._outstanding = False  # it has not been seen to be exact yet
        self._waiting: list[tuple[EvaluationRecord, str]] = []  # with the causes of their ends, in order of arrival
        self._first: EvaluationRecord | None = None  # what the second run is compared with
        self._made = 0

    def begin(self, evaluations: list[EvaluationRecord]) -> None:
        """Whether the program is random is seen at the first value; once it was, not again."""
        good = [record for record in evaluations if record.outcome == "ok"]
        self._outstanding = not is_noisy(self._evaluator.problem.meaning) and (not good or self._store.unchecked)
        if self._outstanding and good:
            self._run_again(good[0])

    def holds(self, record: EvaluationRecord, cause: str) -> bool:
        """Whether this run has to wait, which it does from now on; the caller holds the lock. Only values can be wrong unseen."""
        if not self._outstanding or record.outcome != "ok":
            return False
        self._waiting.append((record, cause))
        self.held.add(record.index)
        if self._first is None:
            self._run_again(record)
        return True

    def release(self, checked: bool) -> list[tuple[EvaluationRecord, str]]:
        """All that has waited. ``checked`` False: it has to be found out another time."""
        found, self._waiting, self._first = self._waiting, [], None
        self._outstanding = self._outstanding and not checked
        return found

    def tried_again(self, error: Exception) -> bool:
        """After a second run could not be started: whether it is tried again, since other runs are under way."""
        with self._control.changed:
            if self._running() <= 1 or self._control.given_up or self._control.cancel_simulators.is_set():
                self._control.give_up(messages.not_started(error))
                return False
            self._control.changed.wait(POLL_SECONDS)
        assert self._first is not None
        self._made -= 1
        self._run_again(self._first)
        return True

    def compare(self, result: RunResult) -> bool:
        """The second run has ended: what has waited for it counts, or nothing does since the program is random. False: it
        failed and is made once more."""
        first = self._first
        assert first is not None
        folders.remove(self._evaluator.folder_again)
        cancelled = result.cause == "cancelled"
        words = None if cancelled else disagreement(self._evaluator.problem, first, result)
        if words is None and not cancelled:
            if self._made < MOST_SECOND_RUNS and not self._control.given_up:
                self._evaluator.tidy_again(first.index)
                self._run_again(first)
                return False
            what = f"Whether the program is random could not be seen: a second run at the same values failed. {result.reason}"
            self._observe(protocol.Report(level="warning", what=what, suggestion="Try Run twice on the Simulator page."))
        if words:
            self.refused = True
            held = self._outcomes.counts["ok"] + self._outcomes.counts["impossible"]
            may_be_said = not held and isinstance(self._evaluator.problem.meaning, Predictions)  # that they scatter
            kept = " The runs made so far keep it so: duplicate the analysis without them first." if held else ""
            self._control.give_up(words + kept, "random" if may_be_said else "")
        elif (cancelled and bool(self._waiting)) != self._store.unchecked:
            self._writes.save(lambda: self._store.note_unchecked(cancelled))
        for record, cause in self.release(checked=not cancelled):
            if words:
                self._forget(record.index)
            else:
                self._commit(record, cause)
        if not cancelled:
            self._evaluator.tidy_again(first.index)
            if words == "":
                self._log(f"The second run of run {first.index} gave the same. {same_again(self._evaluator.problem)}")
        return True

    def _run_again(self, record: EvaluationRecord) -> None:
        with self._control.changed:
            self._first = record
            self._made += 1
        self._log(f"Run {record.index} is made a second time, to see whether the program is random. It counts for nothing else.")
        self._start(record)

    def _log(self, words: str) -> None:
        with contextlib.suppress(SessionError):  # no run waits for a line of the log
            self._store.log("info", words)
