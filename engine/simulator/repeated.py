"""Several runs at the same values, for random simulators: one result with the outputs of all good runs stacked."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import InverseBinomial, Output, Problem, Simulator, SyntheticLikelihood, runs_per_point
from ..session import folders
from ..session.trust.consent import Permit
from . import run_folder
from .run_result import Cancel, RunResult
from .runner import Attempt, run_once

Array = NDArray[np.float64]

GOOD_SHARE = 0.5  # of the runs that must succeed


@dataclass(frozen=True)
class Plan:
    """How often to run. ``least`` good runs are needed; with ``measured`` (inverse binomial sampling) runs go on until every
    measured response has come up ``rounds`` times in ``output``, at most ``count``.
    """

    count: int
    least: int
    output: str = ""
    measured: Array | None = None
    rounds: int = 1

    @classmethod
    def of(cls, problem: Problem) -> Plan | None:
        """None: one run per point is all that is wanted."""
        meaning = problem.meaning
        count = runs_per_point(meaning)
        if isinstance(meaning, InverseBinomial):
            column = problem.data.columns.get(meaning.column, ()) if problem.data is not None else ()
            measured = np.array([np.nan if v is None else v for v in column], dtype=float)
            return cls(count, 1, meaning.output, measured, meaning.rounds)
        if count <= 1:
            return None
        few = 3 if isinstance(meaning, SyntheticLikelihood) else 2
        return cls(count, max(min(few, count), int(np.ceil(GOOD_SHARE * count))))


def repeat_seed(seed: int, repeat: int) -> int:
    """A seed for each repeat, unrelated to those of other points and repeats; fits 31 bits."""
    key = np.random.SeedSequence(seed, spawn_key=(zlib.crc32(b"repeat"), repeat))
    return int(np.random.default_rng(key).integers(2**31 - 1))


def run_repeated(
    simulator: Simulator,
    outputs_spec: Sequence[Output],
    values: Mapping[str, float],
    *,
    plan: Plan,
    permit: Permit,
    folder: Path,
    base: Path,
    seed: int,
    time_limit: float | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[int, int], None] | None = None,
    attempt: Attempt | None = None,
) -> RunResult:
    """Runs one after another, each in its own folder below ``folder`` with its own seed. Never raises for a simulator's fault.

    Outputs are (R, L) over the R good runs; shorter ones are filled with NaN at the end. Failed runs are left out if enough
    are good, else the whole is failed and says how many did what. ``time_limit`` is for each run. ``progress`` gets the number
    of runs that have ended and how many there will be at most. ``attempt`` as for ``run_once``.
    """
    good: list[RunResult] = []
    bad: list[RunResult] = []
    for i in range(plan.count):
        own = folder / f"repeat-{i + 1:04d}"
        result = run_once(
            simulator, outputs_spec, values, permit=permit, folder=own, base=base, seed=repeat_seed(seed, i),
            time_limit=time_limit, cancel=cancel, attempt=attempt,
        )  # fmt: skip
        if result.cause in ("cancelled", "setup", "refused"):
            return result
        (good if result.outcome == "ok" else bad).append(result)
        if progress is not None:
            progress(i + 1, plan.count)
        if result.outcome == "ok" and not run_folder.keeps(simulator, True):
            folders.remove(own)
        if len(bad) > plan.count - plan.least or _hopeless(plan, good, bad) or _complete(plan, good):
            break
    return _together(plan, good, bad)


def _hopeless(plan: Plan, good: list[RunResult], bad: list[RunResult]) -> bool:
    """Inverse binomial sampling has no fixed number of runs: ten failures without a success are enough."""
    return plan.measured is not None and (len(bad) >= 10 and len(bad) > len(good))


def _complete(plan: Plan, good: list[RunResult]) -> bool:
    if plan.measured is None or not good:
        return False
    from ..likelihood.inverse_binomial import complete

    rows = [r.outputs[plan.output] for r in good if plan.output in r.outputs]
    if any(len(row) != len(plan.measured) for row in rows):
        return True  # the likelihood says what is wrong with it
    return bool(rows) and complete(np.array(rows), plan.measured, plan.rounds)


def _together(plan: Plan, good: list[RunResult], bad: list[RunResult]) -> RunResult:
    runs = len(good) + len(bad)
    duration = sum(r.duration_s for r in [*good, *bad])
    if len(good) < plan.least or not good or _hopeless(plan, good, bad):
        last = bad[-1]
        reason = f"{len(bad)} of {runs} repeats failed ({plan.least} good ones are needed); the last one: {last.reason}"
        return replace(last, reason=reason, duration_s=duration, outputs={}, readings={}, attempts=runs)
    notes = tuple(dict.fromkeys(note for r in good for note in r.notes))
    if bad:
        notes = (f"{len(bad)} of {runs} repeats failed and were left out; the last one: {bad[-1].reason}", *notes)
    names = good[0].outputs
    outputs = {name: stack([r.outputs[name] for r in good if name in r.outputs]) for name in names}
    return replace(good[0], outputs=outputs, duration_s=duration, notes=notes, attempts=runs, readings={})


def stack(rows: Sequence[Array]) -> Array:
    """(R, L) from R vectors; shorter ones end in NaN."""
    longest = max(len(row) for row in rows)
    out = np.full((len(rows), longest), np.nan)
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out
