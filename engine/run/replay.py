"""Replay: stored evaluations made again as they were made, with the same values, seeds and repeats, and compared."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import as_completed

from ..clusters.site import Site
from ..machine.thread_start import NoThread
from ..problem.transforms import ParameterSpace
from ..session import folders, trial_folders
from ..session.errors import SessionError
from ..session.records import AskRecord, EvaluationRecord
from ..session.replayed import MAX_FILES, MOST, Replay
from ..session.store import SessionStore
from ..session.trust.consent import Permit
from ..simulator.executors import local_executor
from ..simulator.run_result import Cancel
from .one_evaluation import Evaluator
from .replay_choice import choose
from .replay_verdict import Noise, verdicts


def replay(
    store: SessionStore,
    runs: int,
    *,
    permit: Permit,
    cancel: Cancel,
    progress: Callable[[int, int], None] | None = None,
    site: Site | None = None,
) -> Replay:
    """Make up to ``runs`` stored evaluations of ``store`` again, in folders that are removed afterwards; nothing is stored.

    ``progress`` gets the number of runs that have ended and how many there will be; ``site``: another computer that makes them,
    its files needed no longer afterwards. Raises SessionError if none could be made:
    there is none, it was cancelled before, or the program cannot be started at all.
    """
    problem, stored = store.problem, store.evaluations()
    chosen = choose(problem, stored, max(1, min(runs, MOST)))
    if not chosen:
        raise SessionError("There is no finished run that could be made again", str(store.path), "Run the analysis first.")
    try:
        executor = local_executor(problem.settings.workers if site is None else site.place.profile.at_once)
    except NoThread as error:
        raise SessionError("No run could be made again", str(store.path), str(error)) from error
    place = trial_folders.new()
    evaluator = Evaluator(
        problem, permit, ParameterSpace(problem.parameters), executor, place, permit.folder, cancel,
        stored={e.index: e.values for e in chosen}, site=site,
    )  # fmt: skip
    for e in stored:
        if e.outcome == "ok":
            evaluator.note_duration(e.duration_s)
            evaluator.note_noise(e.noise_sd)
            evaluator.note_outputs(e.outputs)
    try:
        pairs, note = _made_again(evaluator, chosen, progress)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        folders.remove(place)
    if not pairs:
        raise SessionError(note, suggestion="Nothing was compared.")
    last = store.last_iteration()
    noise = Noise.of(problem, stored, {} if last is None else last.diagnostics)
    files = permit.found.files[:MAX_FILES]
    return Replay(
        at=time.time(), asked=len(chosen), evaluations=len(stored), runs=verdicts(pairs, noise), files=files, note=note
    )


Pair = tuple[EvaluationRecord, EvaluationRecord]


def _made_again(
    evaluator: Evaluator, chosen: list[EvaluationRecord], progress: Callable[[int, int], None] | None
) -> tuple[list[Pair], str]:
    """(stored, made again) in the order chosen, of those that ended; why others did not, a sentence."""
    asks = {e.index: AskRecord(e.index, e.u, 0, e.purpose) for e in chosen}
    under_way = {evaluator.submit(asks[e.index]): e for e in chosen}
    found: dict[int, Pair] = {}
    note = ""
    for future in as_completed(under_way):
        before = under_way[future]
        if future.cancelled():
            continue
        result = future.result()
        if result.cause in ("setup", "refused"):
            note = note or result.reason
            for other in under_way:
                other.cancel()
        elif result.cause == "cancelled":
            note = note or f"It was cancelled before all {len(chosen)} were made."
        else:
            found[before.index] = (before, evaluator.record(asks[before.index], result, before.order))
            if progress is not None:
                progress(len(found), len(chosen))
        evaluator.forget(before.index)
    return [found[e.index] for e in chosen if e.index in found], note
