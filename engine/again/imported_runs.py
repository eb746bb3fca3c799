"""The first answer of an analysis that was given earlier runs with their outputs; nothing is run."""

from __future__ import annotations

import time
from collections.abc import Callable

from .. import protocol
from ..run.messages import iteration_of, snapshot_of
from ..session.records import AskRecord
from ..session.store import SessionStore
from .answer import METHOD, answer_again


def awaits_answer(store: SessionStore) -> bool:
    """Whether there are imported runs of which the method that learns outputs has made nothing yet."""
    settings = store.problem.settings
    return settings.method == METHOD and settings.goal == "posterior" and store.writable and store.awaits_answer


def answer_imported(store: SessionStore, observe: Callable[[protocol.Event], None]) -> None:
    """The answer and the method's state into the session, in one commit; a run goes on from there. Raises SessionError where
    too few of the runs have a likelihood; they stay as they are then."""
    problem, records = store.reload_problem(), store.evaluations()
    n = len(records)
    observe(
        protocol.Progress(
            evaluations=n, failed=0, budget=problem.settings.max_evaluations, running=0, elapsed_s=0.0, remaining_s=None,
            activity=f"Learning the outputs of {n:,} imported runs",
        )
    )  # fmt: skip
    answer = answer_again(problem, records, budget=problem.settings.max_evaluations)
    runs = answer.records
    told = len(runs)
    store.add_cycle(
        asks=[AskRecord(r.index, r.u, 0, r.purpose) for r in runs],
        evaluations=runs,
        iteration=iteration_of(answer.snapshot, 0, 0.0, time.time()),
        checkpoint={"loop": answer.state, "told": told, "asked": told, "iteration": 1, "method": METHOD},
        told=told,
        anew=True,
    )
    record = store.last_iteration()
    assert record is not None
    observe(snapshot_of(record))
    doubt = "" if record.converged else " Its confirmation needs new runs."
    store.log("info", f"Answered from {told:,} imported runs; no run was made.{doubt}")
