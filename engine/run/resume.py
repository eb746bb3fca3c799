"""Where a run goes on: the loop as it was after its last saved turn, and what has happened since.

The checkpoint holds the loop's state after ``told`` evaluations and ``asked`` points; journal and checkpoint are
committed together. Without a usable checkpoint (a salvaged session) the loop is rebuilt by asking and telling again in
the journal's order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..loop_interface import Ask, InferenceLoop, Recorded
from ..session.imported import PURPOSE
from ..session.records import AskRecord, EvaluationRecord
from ..session.store import SessionStore
from .one_evaluation import tell_of


@dataclass
class Resumed:
    """``evaluations`` in order of arrival, the first ``told`` of them told; ``unfinished``: asked but never finished."""

    told: int
    asked: int
    iteration: int
    evaluations: list[EvaluationRecord]
    unfinished: list[AskRecord]
    asks: list[AskRecord]
    notes: list[str] = field(default_factory=list)


def read(store: SessionStore) -> Resumed:
    """What there is, of which no loop knows yet: runs that did not finish can begin. Raises SessionError if it cannot be read."""
    asks, evaluations = store.asks(), store.evaluations()
    finished = {e.index for e in evaluations}
    return Resumed(0, 0, 0, evaluations, [a for a in asks if a.index not in finished], asks)


def resume(
    store: SessionStore, loop: InferenceLoop, cells: Recorded | None = None, said: Callable[[str], None] = lambda words: None,
    found: Resumed | None = None,
) -> Resumed:  # fmt: skip
    """Bring a fresh ``loop`` to where the session's last run was. Raises SessionError if evaluations cannot be read.

    ``said``: called with words about what takes long. ``found``: of ``read``, where runs may have been added since.
    """
    found = read(store) if found is None else found
    asks, evaluations = found.asks, found.evaluations
    state = _usable(store.checkpoint(), store, len(evaluations), len(asks))
    if state is not None:
        try:
            loop.restore(state["loop"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            found.notes.append(f"The saved state of the method could not be used ({type(error).__name__}: {error}).")
        else:
            found.told, found.asked, found.iteration = state["told"], state["asked"], state["iteration"]
    found.notes += store.damage
    if found.asked < len(asks):
        if found.asked == 0 and asks:
            found.notes.append("The method's state was rebuilt from the runs.")
        _replay(loop, asks[found.asked :], evaluations, found, cells, said)
        last = store.last_iteration()
        if last is not None:  # new answers follow the stored ones; they never go below them
            found.iteration = max(found.iteration, last.iteration + 1)
            for record in evaluations[found.told : last.n_evaluations]:
                loop.tell(tell_of(record, cells))
            found.told = max(found.told, min(last.n_evaluations, len(evaluations)))
    return found


def _usable(state: Any, store: SessionStore, evaluations: int, asks: int) -> dict[str, Any] | None:
    """The checkpoint if it belongs to this journal: a salvaged file may hold less than its checkpoint knows of."""
    if not isinstance(state, dict) or state.get("method") != store.problem.settings.method:
        return None
    counts = [state.get(k) for k in ("told", "asked", "iteration")]
    if not all(isinstance(c, int) and not isinstance(c, bool) and c >= 0 for c in counts) or "loop" not in state:
        return None
    return state if state["told"] <= evaluations and state["asked"] <= asks else None


def _replay(
    loop: InferenceLoop, asks: list[AskRecord], evaluations: list[EvaluationRecord], found: Resumed, cells: Recorded | None,
    said: Callable[[str], None],
) -> None:  # fmt: skip
    """Ask and tell again as the journal says. The journal's points count, should the loop choose others now."""
    differs = 0
    for ask in asks:
        upto = min(ask.told_before, len(evaluations))
        if upto > found.told:
            said(f"Learning again from the runs there are: {upto} of {len(evaluations)}")
            for record in evaluations[found.told : upto]:
                loop.tell(tell_of(record, cells))
            found.told = upto
            loop.update()
        if ask.purpose == PURPOSE and hasattr(loop, "adopt"):  # nobody's choice
            loop.adopt(Ask(ask.index, ask.u, ask.purpose))
            found.asked += 1
            continue
        again = loop.ask(1)
        if not again or again[0].index != ask.index or not np.array_equal(again[0].u, ask.u):
            differs += 1
            if hasattr(loop, "adopt"):
                loop.adopt(Ask(ask.index, ask.u, ask.purpose))
        found.asked += 1
    if differs:
        found.notes.append(f"{differs} points were chosen differently this time; the stored ones are used.")
