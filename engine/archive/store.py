"""An import into a session."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec.structs import replace

from ..session.imported import LEARNS_OUTPUTS, STARTS_FROM_ARCHIVES
from ..session.store import SessionStore
from .additions import Addition
from .interpret import Imported
from .output_runs import ImportedRuns


def store_archive(store: SessionStore, found: Imported, check: Callable[[], None] = lambda: None) -> None:
    """The archive into the session in one commit; a session of the default method gets the one that starts from archives.

    ``check`` may raise before anything is written. Raises SessionError when the analysis has results already or cannot be
    written.
    """
    problem, settings = store.problem, store.problem.settings
    if settings.method == LEARNS_OUTPUTS:
        problem = replace(problem, settings=replace(settings, method=STARTS_FROM_ARCHIVES, options={}))
    check()
    store.import_archive(found.record, problem)
    n = int(np.isfinite(found.record.values).sum())
    store.log("info", f"{n:,} evaluations imported from {found.record.source}. " + " ".join(found.notes))


def store_addition(store: SessionStore, more: Addition) -> None:
    """What is new behind what is there; nothing that was computed is forgotten. Raises SessionError."""
    if more.runs is None:
        store.add_to_archive(more.record)
    else:
        store.add_arrived_runs(more.runs)
    store.log("info", " ".join(more.words()))


def store_runs(store: SessionStore, found: ImportedRuns, check: Callable[[], None] = lambda: None) -> None:
    """``store_archive`` for runs with their outputs, which the default method learns. What the budget allows is new runs."""
    problem, settings = store.problem, store.problem.settings
    before = 0 if store.has_own_runs else store.evaluation_count
    options = settings.options if settings.method == LEARNS_OUTPUTS else {}
    budget = max(0, settings.max_evaluations - before) + len(found.runs)
    changed = replace(settings, method=LEARNS_OUTPUTS, options=options, max_evaluations=budget)
    check()
    store.import_runs(found.runs, replace(problem, settings=changed))
    source, notes = found.imported.record.source, " ".join(found.imported.notes)
    store.log("info", f"{len(found.runs):,} runs imported from {source} with their outputs. {notes}")
