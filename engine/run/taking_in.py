"""A new answer from evaluations that were imported after the last one; nothing is run.

The loop is put back where its last run left it, is given what has arrived, and its answer is committed with its state, as a turn
of a run (``analysis``) would be.
"""

from __future__ import annotations

import time

from .. import protocol
from ..loop_interface import Cancelled, InferenceLoop
from ..methods.loops import UnknownMethod, loop_settings, make_loop
from ..problem.transforms import ParameterSpace
from ..session.errors import SessionError
from ..session.imported import KEY
from ..session.records import ArchiveRecord
from ..session.store import SessionStore
from . import messages, resume
from .arrivals import Arrivals, counted
from .control import Control
from .durable import Observer


def take_in(store: SessionStore, control: Control, observe: Observer) -> protocol.RunEnded:
    """The same words go to the observer and the log. Raises SessionError where the session cannot be read or written."""
    if not store.writable:
        raise SessionError(store.read_only_reason or "The session cannot be written", str(store.path))
    observe(protocol.StateChanged(state="running"))
    try:
        done, words = _taken_in(store, control, observe)
    except Cancelled:
        done, words = False, "Stopped; what has arrived is taken in by the next start."
    except (UnknownMethod, ValueError) as error:
        words = f"The imported evaluations could not be taken in: {error}"
        observe(protocol.StateChanged(state="failed", words=words))
        return _ended(observe, "failed", words)
    store.log("info", words)
    observe(protocol.StateChanged(state="finished" if done else "stopped", words=words))
    return _ended(observe, "budget" if done else "stopped", words)


def _taken_in(store: SessionStore, control: Control, observe: Observer) -> tuple[bool, str]:
    """Whether nothing is left to run, and what was done."""
    problem = store.reload_problem()
    space, settings = ParameterSpace(problem.parameters), problem.settings
    arrivals = Arrivals(store, space)
    archive = arrivals.first()
    _say(store, observe, "Reading the imported evaluations")
    given = loop_settings(problem, space, settings.max_evaluations, settings.workers, archive)
    loop: InferenceLoop = make_loop(settings.method, given)
    if hasattr(loop, "cancel"):
        loop.cancel = control.cancel_computing
    restored = resume.resume(store, loop, given.cells)
    loop.extend(settings.max_evaluations)
    over, iteration = False, restored.iteration
    parts: list[ArchiveRecord] = []
    while not parts or arrivals.waiting():  # others may arrive meanwhile
        parts += arrivals.into(loop)
        _say(store, observe, f"Taking in {counted(parts)}")
        snapshot = loop.update()
        record = None
        if snapshot is not None:
            record = messages.iteration_of(snapshot, iteration, store.elapsed_s, time.time())
        iteration += record is not None
        checkpoint = {
            "loop": loop.state(), "told": restored.told, "asked": restored.asked, "iteration": iteration,
            "method": settings.method, KEY: arrivals.known,
        }  # fmt: skip
        store.add_cycle(iteration=record, checkpoint=checkpoint, told=restored.told)
        if record is not None:
            observe(messages.snapshot_of(record))
        over = loop.finished or restored.asked >= settings.max_evaluations
        if not parts:
            break
    if iteration == restored.iteration:
        return over, f"{counted(parts)}: nothing in them is new to the answer."
    if not parts:
        return over, "The posterior was made from the imported evaluations alone; no simulator run was made."
    return over, f"{counted(parts)} taken in; no simulator run was made."


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
