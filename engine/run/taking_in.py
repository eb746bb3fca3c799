"""A new answer from evaluations that were imported after the last one; nothing is run.

The loop goes on as it stands if it is the one that worked last, else it is put back where the session's last turn left it. It is
given what has arrived, and its answer is committed with its state, as a turn of a run (``analysis``) would be.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from msgspec import structs

from .. import protocol
from ..answer.reach import judged
from ..loop_interface import Cancelled, InferenceLoop
from ..machine.threads import use_one_thread
from ..methods.loops import UnknownMethod, loop_settings, make_loop
from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.imported import KEY
from ..session.records import ArchiveRecord
from ..session.store import SessionStore
from . import messages, resume
from .arrivals import Arrivals, counted
from .control import Control
from .durable import Observer
from .one_evaluation import tell_of
from .outcomes import best_of


@dataclass(frozen=True)
class Kept:
    """A loop in the state of the session's newest checkpoint. To build a sparse surrogate of 100,000 values anew takes half a
    minute, to add a few to it a second."""

    path: Path
    problem: Problem
    loop: InferenceLoop
    counts: tuple[int, ...]

    @classmethod
    def of(cls, store: SessionStore, loop: InferenceLoop) -> Self | None:
        """None: there is nothing that could be added to, or it is not known where the loop stands."""
        counts = _counts(store) if store.newest_part else None
        return None if counts is None else cls(store.path, store.problem, loop, counts)

    def fits(self, store: SessionStore, problem: Problem) -> bool:
        return (self.path, self.problem, self.counts) == (store.path, problem, _counts(store))


def _counts(store: SessionStore) -> tuple[int, ...] | None:
    """What a checkpoint knows; None: there is none that can be gone on from."""
    state = store.checkpoint()
    if not isinstance(state, dict) or not {"told", "asked", "iteration", KEY} <= set(state):
        return None
    return tuple(int(state[name]) for name in ("told", "asked", "iteration", KEY))


class TakingIn:
    """One per engine process. ``kept``: the loop that worked last, if it is known to stand where its session does."""

    def __init__(self) -> None:
        self.kept: Kept | None = None

    def take_in(self, store: SessionStore, control: Control, observe: Observer) -> protocol.RunEnded:
        """The same words go to the observer and the log. Raises SessionError where the session cannot be read or written."""
        if not store.writable:
            raise SessionError(store.read_only_reason or "The session cannot be written", str(store.path))
        observe(protocol.StateChanged(state="running"))
        before, self.kept = self.kept, None
        try:
            done, words, loop = _taken_in(store, control, observe, before)
        except Cancelled:
            words = "Stopped; what has arrived is taken in by the next start."
            observe(protocol.StateChanged(state="stopped", words=words))
            return _ended(observe, "stopped", words)
        except (UnknownMethod, ValueError) as error:
            words = f"The imported evaluations could not be taken in: {error}"
            observe(protocol.StateChanged(state="failed", words=words))
            return _ended(observe, "failed", words)
        self.kept = Kept.of(store, loop)
        store.log("info", words)
        observe(protocol.StateChanged(state="finished" if done else "stopped", words=words))
        return _ended(observe, "budget" if done else "stopped", words)


def _taken_in(
    store: SessionStore, control: Control, observe: Observer, kept: Kept | None
) -> tuple[bool, str, InferenceLoop]:
    """Whether nothing is left to run, what was done, and the loop."""
    problem = store.reload_problem()
    arrivals, settings = Arrivals(store, ParameterSpace(problem.parameters)), problem.settings
    if kept is not None and kept.fits(store, problem):
        loop, (told, asked, iteration, arrivals.known) = kept.loop, kept.counts
        use_one_thread()
    else:
        _say(store, observe, "Reading the imported evaluations")
        loop, told, asked, iteration = _restored(store, problem, arrivals)
    if hasattr(loop, "cancel"):
        loop.cancel = control.cancel_computing
    loop.extend(settings.max_evaluations)
    first, parts, made = iteration, list[ArchiveRecord](), 0
    while True:
        parts += arrivals.into(loop)
        if arrived := _runs_taken(store, observe, arrivals, loop, asked, told):
            asked, told, made = asked + arrived, store.evaluation_count, made + arrived
        _say(store, observe, f"Taking in {_what(parts, made)}")
        snapshot = loop.update()
        record = None
        if snapshot is not None:
            record = messages.iteration_of(snapshot, iteration, store.elapsed_s, time.time())
            record = judged(record, problem, best_of(store.evaluations()), store.problem.settings.max_evaluations)
            iteration += 1
        checkpoint = {
            "loop": loop.state(), "told": told, "asked": asked, "iteration": iteration, "method": settings.method,
            KEY: arrivals.known,
        }  # fmt: skip
        store.add_cycle(iteration=record, checkpoint=checkpoint, told=told)
        if record is not None:
            observe(messages.snapshot_of(record))
        if not arrivals.waiting():  # others may have arrived meanwhile
            break
    over = loop.finished or asked >= store.problem.settings.max_evaluations
    if iteration == first:
        return over, f"{_what(parts, made)}: nothing in them is new to the answer.", loop
    if not parts and not made:
        return over, "The posterior was made from the imported evaluations alone; no simulator run was made.", loop
    return over, f"{_what(parts, made)} taken in; no simulator run was made.", loop


def _what(parts: list[ArchiveRecord], made: int) -> str:
    runs = f"{made:,} run{'s' if made != 1 else ''} made elsewhere" if made else ""
    return " and ".join(([counted(parts)] if parts or not made else []) + ([runs] if runs else []))


def _runs_taken(
    store: SessionStore, observe: Observer, arrivals: Arrivals, loop: InferenceLoop, asked: int, told: int
) -> int:
    """How many runs that were made elsewhere became runs of the analysis, whose budget grows by them."""
    problem, known = store.problem, store.evaluations()
    joining = arrivals.runs_into(loop, asked, told, len(known))
    if joining.waiting:
        store.take_arrived_runs(joining.asks, joining.runs, joining.waiting)
    if not (runs := joining.runs):
        return 0
    settings = problem.settings
    allowed = structs.replace(settings, max_evaluations=settings.max_evaluations + len(runs))
    store.save_problem(structs.replace(problem, settings=allowed))
    loop.extend(allowed.max_evaluations)
    cells = loop_settings(problem, ParameterSpace(problem.parameters), allowed.max_evaluations, settings.workers, None).recorded
    *before, last = (*known[told:], *runs)
    for run in before:
        loop.tell(tell_of(run, cells))
    if hasattr(loop, "end_check"):  # no run is made that would decide it
        loop.end_check()
    loop.tell(tell_of(last, cells))
    for run in runs:
        observe(messages.evaluation_done(run))
    return len(runs)


def _restored(store: SessionStore, problem: Problem, arrivals: Arrivals) -> tuple[InferenceLoop, int, int, int]:
    """As the session has it: the loop, how many it was told and has asked for, and the number of the next answer."""
    settings = problem.settings
    given = loop_settings(
        problem, ParameterSpace(problem.parameters), settings.max_evaluations, settings.workers, arrivals.first()
    )
    loop = make_loop(settings.method, given)
    found = resume.resume(store, loop, given.recorded)
    return loop, found.told, found.asked, found.iteration


def _say(store: SessionStore, observe: Observer, activity: str) -> None:
    made = store.evaluation_count
    observe(
        protocol.Progress(
            evaluations=made, failed=0, budget=store.problem.settings.max_evaluations, running=0, elapsed_s=store.elapsed_s,
            remaining_s=None, activity=activity,
        )
    )  # fmt: skip


def _ended(observe: Observer, outcome: messages.Outcome, words: str) -> protocol.RunEnded:
    ended = protocol.RunEnded(outcome=outcome, words=words)
    observe(ended)
    return ended
