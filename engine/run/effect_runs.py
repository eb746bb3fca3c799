"""Whether the program reads parameters that seem to be without effect: one run with all of them moved together from a known run.

Made when an answer suggests it, at the latest before the last one. Only outputs that are the same to the last digit say so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

import numpy as np

from .. import protocol
from ..answer import no_effect
from ..answer.suspects import suspects
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.imported import PURPOSE
from ..session.records import AskRecord, EvaluationRecord, IterationRecord
from ..session.store import SessionStore
from .collector import Collector
from .computing import POLL_SECONDS
from .control import Control
from .durable import Observer

MOST_RUNS = 6  # not counted among those allowed: all suspects together, then halves of them down to single ones
LOOKS = 1.5  # times as many runs between two looks at an answer that is not the last one


class EffectRuns:
    """Not counted among the runs that are allowed, and said in the log.

    ``runs`` makes them beside the others; ``obey``: commands, while one is under way.
    """

    def __init__(
        self, runs: Collector, store: SessionStore, space: ParameterSpace, control: Control, observer: Observer,
        obey: Callable[[], None],
    ) -> None:  # fmt: skip
        self._runs, self._store, self._problem, self._space = runs, store, store.problem, space
        self._control, self._observe, self._obey = control, observer, obey
        self.idle: tuple[str, ...] = ()
        self._read: set[frozenset[str]] = set()  # moved together they changed something
        self._made, self._next = 0, 0

    def resume(self, last: IterationRecord | None) -> None:
        """What an earlier start found stands."""
        self.idle = () if last is None else no_effect.told(last.diagnostics)

    def judged(self, record: IterationRecord, last: bool) -> IterationRecord:
        """``record`` with what is known, after the runs that it asks for; ``last``: there will hardly be another answer, as after
        one that is converged."""
        due = last or record.converged or (not record.warm_up and record.n_evaluations >= self._next)
        if due and not self.idle and self._made < MOST_RUNS:
            self._next = int(LOOKS * record.n_evaluations) + 1
            if found := suspects(self._problem, self._space, record):
                self._look(found)
        return no_effect.saying_idle(record, self.idle)

    def _look(self, names: Sequence[str]) -> None:
        known = self._known()
        if known is None:
            return
        self.idle = tuple(self._without_effect(known, list(names)))
        if self.idle:
            what = no_effect.question(self.idle)
            self._observe(protocol.Report(level="warning", what=what, suggestion=no_effect.WHERE))
            self._log("warning", what)

    def _known(self) -> EvaluationRecord | None:
        """A good run of this analysis, the best one; one made elsewhere may be of another program."""
        good = [e for e in self._store.evaluations() if e.outcome == "ok" and e.outputs and e.purpose != PURPOSE]
        return max(good, key=lambda e: -np.inf if e.log_target is None else e.log_target, default=None)

    def _without_effect(self, known: EvaluationRecord, names: list[str]) -> list[str]:
        """Those of ``names`` that change nothing: all moved at once, halves of them where that changes something."""
        together = frozenset(names)
        if together not in self._read:
            changed = self._changed(known, names)
            if not changed:
                return names if changed is not None else []
            self._read.add(together)
        if len(names) == 1:
            return []
        half = len(names) // 2
        return [*self._without_effect(known, names[:half]), *self._without_effect(known, names[half:])]

    def _changed(self, known: EvaluationRecord, names: Sequence[str]) -> bool | None:
        """Whether moving all of ``names`` changes an output; None: that cannot be seen."""
        u = no_effect.moved(self._space, known.u, names)
        if self._made >= MOST_RUNS or not no_effect.given_otherwise(
            self._problem.simulator, names, known.values, self._space.values(u)
        ):
            return None
        self._made += 1
        listed = ", ".join(names)
        why = "does the program read them? It counts for nothing else."
        self._log("info", f"Run {known.index} is made again with {listed} moved: {why}")
        ask = AskRecord(known.index, u, 0, known.purpose)
        future = self._runs.beside(ask)
        self._runs.set_activity(f"One run with {listed} moved: does the program read them?")
        with self._control.changed:
            while not future.done():
                self._obey()
                self._control.changed.wait(POLL_SECONDS)
        self._runs.leave_beside(ask)
        try:
            result = future.result(timeout=0.0)
        except Exception as error:  # whatever an executor may raise: it is only not known then
            self._log("warning", f"Whether {listed} are read could not be seen: {error}.")
            return None
        return None if result.outcome != "ok" else not no_effect.same(known.outputs, result.outputs)

    def _log(self, level: str, words: str) -> None:
        with contextlib.suppress(SessionError):  # no run waits for a line of the log
            self._store.log("warning" if level == "warning" else "info", words)
