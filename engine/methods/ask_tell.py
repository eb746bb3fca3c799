"""The one ask / tell shell (``loop_interface.py``) around the methods that take evaluations in one after another.

A method is its algorithm box: which point next, what an evaluation changes, when to stop, what the answer is. The shell
numbers asks, queues tells, takes them in in order of arrival, and lets a long computation be cancelled.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..acquisition.asked import next_asks
from ..loop_interface import (
    Archive,
    Ask,
    Cancelled,
    HasDesign,
    LooksFurther,
    LoopSettings,
    LoopSnapshot,
    State,
    TakesArchives,
    Tell,
)
from ..machine.devices import missing

Array = NDArray[np.float64]


@dataclass
class EvaluationLog:
    """What was asked and told. ``told``: taken in, in order of arrival; ``queue``: told, not yet taken in.

    ``pending``: index -> (u (D,), purpose), asked and not yet told; ``budget``: largest number of tells. ``more``: it was asked
    for after the method was satisfied with less.
    """

    budget: int
    told: list[Tell] = field(default_factory=list)
    queue: list[Tell] = field(default_factory=list)
    pending: dict[int, tuple[Array, str]] = field(default_factory=dict)
    next_index: int = 0
    more: bool = False

    @property
    def full(self) -> bool:
        """Whether the budget is spent by what has been taken in."""
        return len(self.told) >= self.budget

    def waiting(self, into: Callable[[Array], Array], dimension: int) -> Array:
        """Places (p, D) asked and not yet told, by ``into`` of points (D,) in inference space."""
        return np.array([into(u) for u, _ in self.pending.values()]).reshape(-1, dimension)

    def to_state(self) -> State:
        return {
            "budget": self.budget,
            "more": self.more,
            "told": _tells(self.told),
            "queue": _tells(self.queue),
            "pending": [{"index": i, "u": np.array(u, dtype=float), "purpose": p} for i, (u, p) in self.pending.items()],
            "next_index": self.next_index,
        }

    @classmethod
    def of_state(cls, s: State) -> EvaluationLog:
        """From a dictionary that holds what ``to_state`` gave, among other things."""
        return cls(
            budget=int(s["budget"]),
            more=bool(s.get("more", False)),
            told=_tells_back(s["told"]),
            queue=_tells_back(s["queue"]),
            pending={int(p["index"]): (np.array(p["u"], dtype=float), str(p["purpose"])) for p in s["pending"]},
            next_index=int(s["next_index"]),
        )


def go_on() -> None:
    """The ``check`` of a method that nobody cancels."""


class Method(Protocol):
    """An algorithm box. Everything it knows follows from its settings and from the tells it took in, in their order."""

    settings: LoopSettings
    check: Callable[[], None]  # set by the shell; called in long computations, raises Cancelled when they are to end

    @property
    def log(self) -> EvaluationLog: ...

    @property
    def satisfied(self) -> bool:
        """Whether it wants to stop before its budget is spent."""
        ...

    def choose(self) -> tuple[Array, str] | None:
        """The next point (D,) in inference space and its purpose; None: wait for outcomes."""
        ...

    def take_in(self, tell: Tell) -> None:
        """Take one evaluation, the last of ``log.told``, into account."""
        ...

    def answer(self) -> LoopSnapshot | None:
        """The newest answer; None while there is none, or nothing is new."""
        ...

    def log_density(self) -> Callable[[Array], Array] | None:
        """See ``KnowsDensity``."""
        ...

    def state(self) -> State: ...

    def restore(self, state: State) -> None:
        """Raises ValueError for another method's state."""
        ...


@runtime_checkable
class ChecksItself(Protocol):
    """A method that checks its answer at points of its own choice. While it is ``holding``, runs are noted and nothing is made of
    them: more are to come at once."""

    holding: bool

    def call_off(self, index: int | None = None) -> None:
        """The check that ask ``index`` (None: any) is part of ends undecided: the run is made elsewhere."""
        ...


M_co = TypeVar("M_co", bound=Method, covariant=True)


class AskTellLoop(Generic[M_co]):
    """Ask / tell. ``cancel``, when set or true, ends a long computation with ``Cancelled``."""

    def __init__(self, method: M_co) -> None:
        self.method = method
        method.check = self._check
        self.cancel: threading.Event | Callable[[], bool] | None = None

    def ask(self, count: int = 1) -> list[Ask]:
        self._catch_up()
        s = self.method.settings
        width = np.asarray(s.plausible_upper - s.plausible_lower, dtype=float)
        return next_asks(self.method.log, count, lambda: self.finished, self.method.choose, width, s.noisy)

    def adopt(self, ask: Ask) -> None:
        """Take ``ask`` as made, with its number, though another point would be chosen now: a journal says so."""
        log = self.method.log
        log.pending[ask.index] = (np.asarray(ask.u, dtype=float), ask.purpose)
        log.next_index = max(log.next_index, ask.index + 1)
        if isinstance(self.method, ChecksItself):
            self.method.call_off(ask.index)

    def end_check(self) -> None:
        """A check that is open after all that was told ends undecided, so that what is told next counts at once; what was told
        since the last update counts with that, not by itself."""
        if not isinstance(self.method, ChecksItself):
            self._catch_up()
            return
        self.method.holding = True
        try:
            self._catch_up()
        finally:
            self.method.holding = False
        self.method.call_off()

    def tell(self, outcome: Tell) -> None:
        self.method.log.pending.pop(outcome.index, None)
        self.method.log.queue.append(outcome)

    def take_archive(self, more: Archive) -> None:
        """See ``loop_interface.TakesArchives``; ValueError too where the method uses no archive."""
        if not isinstance(self.method, TakesArchives):
            raise ValueError("Only SVBMC takes in earlier evaluations while it is used.")
        self._catch_up()
        self.method.take_archive(more)

    def update(self) -> LoopSnapshot | None:
        self._catch_up()
        answer, device = self.method.answer(), missing(self.method.settings.device)
        return replace(answer, reasons=(*answer.reasons, device)) if answer is not None and device else answer

    @property
    def finished(self) -> bool:
        log = self.method.log
        return self.method.satisfied or len(log.told) + len(log.queue) >= log.budget

    def extend(self, max_evaluations: int) -> None:
        """A larger budget; any that leaves room, where the method has done what it was to do with less."""
        log = self.method.log
        least = len(log.told) + len(log.queue) if self.method.satisfied else log.budget
        log.budget = max(least, int(max_evaluations))

    def go_on(self) -> None:
        """The budget was asked for by somebody who knows that the method is satisfied, if it is."""
        log = self.method.log
        log.more = log.more or (self.method.satisfied and log.budget > len(log.told) + len(log.queue))

    def look_further(self, looks: int) -> None:
        """See ``loop_interface.LooksFurther``; nothing where the method cannot."""
        if isinstance(self.method, LooksFurther):
            self.method.look_further(looks)

    @property
    def design_left(self) -> int:
        """See ``loop_interface.HasDesign``; 0 where the method has none."""
        return self.method.design_left if isinstance(self.method, HasDesign) else 0

    @property
    def log_density(self) -> Callable[[Array], Array] | None:
        return self.method.log_density()

    def state(self) -> State:
        return self.method.state()

    def restore(self, state: State) -> None:
        self.method.restore(state)

    def _catch_up(self) -> None:
        """What interrupts an evaluation leaves it in the queue."""
        while self.method.log.queue:
            self._check()
            log = self.method.log
            log.told.append(log.queue[0])
            try:
                self.method.take_in(log.queue[0])
            except BaseException:
                log = self.method.log  # a method that went back to its state has another
                if log.queue and log.told and log.told[-1].index == log.queue[0].index:
                    log.told.pop()
                raise
            del self.method.log.queue[0]

    def _check(self) -> None:
        if self.cancel is None:
            return
        if self.cancel.is_set() if isinstance(self.cancel, threading.Event) else self.cancel():
            raise Cancelled


def _tells(tells: list[Tell]) -> list[State]:
    return [
        {"index": t.index, "u": np.array(t.u, dtype=float), "y": t.y, "sd": t.sd, "impossible": t.impossible}
        | ({} if t.outputs is None else {"outputs": np.array(t.outputs, dtype=float)})
        | ({"doubted": True} if t.doubted else {})
        | ({} if t.seconds is None else {"seconds": t.seconds})
        | ({"reason": t.reason} if t.reason else {})
        for t in tells
    ]


def _tells_back(rows: list[State]) -> list[Tell]:
    return [
        Tell(
            int(r["index"]),
            np.array(r["u"], dtype=float),
            None if r["y"] is None else float(r["y"]),
            float(r["sd"]),
            bool(r["impossible"]),
            None if r.get("outputs") is None else np.array(r["outputs"], dtype=float),
            bool(r.get("doubted", False)),
            None if r.get("seconds") is None else float(r["seconds"]),
            str(r.get("reason", "time" if r.get("stopped") else "")),
        )
        for r in rows
    ]
