"""Earlier evaluations for an analysis that has some already: which of them are new, which repeat or contradict what is there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Problem
from ..problem.numbers.shown_digits import spoken
from ..problem.transforms import ParameterSpace
from ..session.records import ArchiveRecord, EvaluationRecord
from ..session.store import SessionStore
from .interpret import Imported, interpret
from .mapping import Mapped
from .output_columns import MappedOutputs
from .output_runs import MOST_RUNS, ImportedRuns, Progress, interpret_outputs
from .several import other_units
from .table import Table

Array = NDArray[np.float64]

SAME = 1e-6  # of the value's size: a smaller difference is what printed digits cost
SAME_DIGITS = 9  # of coordinates of inference space
SIGMAS = 4.0  # of the noise of both
ALIKE = 0.01  # nats by which the differences of a left-out constant may vary


@dataclass(frozen=True)
class Known:
    """What an analysis rests on: points (n, D) in the user's units, log-likelihood (n,), sd of its noise (n,); the free
    parameters' names, what its archive's values mean, and how many of the rows were imported."""

    names: tuple[str, ...]
    points: Array
    values: Array
    sds: Array
    meaning: str
    archived: int
    runs: Array | None = None  # (m, D) inference space: all runs, also those without a value and those that wait


@dataclass(frozen=True)
class Addition:
    """``imported`` as understood alone; ``record``: its new rows, as they are stored. ``repeated`` rows are there already with
    the same value, ``contradicting`` ones with another: both are left out."""

    imported: Imported
    record: ArchiveRecord
    repeated: int
    contradicting: int
    notes: tuple[str, ...]
    runs: tuple[EvaluationRecord, ...] | None = None  # in place of the record, where rows hold outputs

    @property
    def count(self) -> int:
        return len(self.record.values if self.runs is None else self.runs)

    @property
    def doubts(self) -> tuple[str, ...]:
        """The notes that compare it with what is there."""
        return self.notes[len(self.imported.notes) :]

    def words(self) -> list[str]:
        new = f"{self.count:,} of {self.imported.given:,} rows of {self.record.source} are new"
        return [f"{new}; {self.repeated:,} are there already.", *self.notes]


def known_of(store: SessionStore) -> Known:
    """Imported evaluations and finished runs of a session. Raises SessionError."""
    space = ParameterSpace(store.problem.parameters)
    archive = store.archive()
    every = [*store.evaluations(), *store.arrived_runs()]
    tried = np.array([e.u for e in every]).reshape(len(every), space.dimension)
    runs = [e for e in every if e.outcome == "ok" and e.log_likelihood is not None]
    points = np.array([[e.values[n] for n in space.names] for e in runs]).reshape(len(runs), space.dimension)
    values, sds = np.array([e.log_likelihood for e in runs], dtype=float), np.array([e.noise_sd for e in runs], dtype=float)
    if archive is None or archive.names != tuple(space.names):
        return Known(tuple(space.names), points, values, sds, "log_likelihood", 0, tried)
    older = _likelihoods(archive, space)
    return Known(
        archive.names, np.concatenate([archive.points, points]), np.concatenate([older, values]),
        np.concatenate([archive.sds, sds]), archive.meaning, len(older), tried,
    )  # fmt: skip


def arriving(
    table: Table, problem: Problem, mapped: Mapped | MappedOutputs, known: Known, progress: Progress | None = None
) -> Addition:
    """A table in the terms of the problem, without what is known. Raises ArchiveError, in words."""
    if isinstance(mapped, Mapped):
        return addition(interpret(table, problem, mapped), problem, known)
    return more_runs(interpret_outputs(table, problem, mapped, progress), problem, known)


def more_runs(found: ImportedRuns, problem: Problem, known: Known) -> Addition:
    """``addition`` for runs with their outputs: equal up to rounding, since a run is stored in inference space."""
    space, record = ParameterSpace(problem.parameters), found.imported.record
    before, there = (np.round(space.to_inference(points), SAME_DIGITS) for points in (known.points, record.points))
    at = _where(before, there)
    points = np.where((at >= 0)[:, None], known.points[at], record.points) if len(known.points) else record.points
    more = addition(replace(found.imported, record=replace(record, points=points)), problem, known)
    tried = np.zeros((0, space.dimension)) if known.runs is None else known.runs
    places = np.array([run.u for run in found.runs])
    fresh = _where(np.round(tried, SAME_DIGITS), np.round(places, SAME_DIGITS)) < 0
    runs = [run for run, new in zip(found.runs, fresh, strict=True) if new]
    notes, room = more.notes, max(0, MOST_RUNS - len(tried))
    if len(runs) > room:
        notes += (f"Outputs are learnt from up to {MOST_RUNS} runs: of the {len(runs):,} new ones the best {room:,} are taken.",)
        runs = sorted(runs, key=lambda run: math.inf if run.log_target is None else -run.log_target)[:room]
    return replace(more, notes=notes, runs=tuple(runs))


def addition(found: Imported, problem: Problem, known: Known) -> Addition:
    """``found`` without what is known."""
    space, record = ParameterSpace(problem.parameters), found.record
    values = _likelihoods(record, space)
    at = _where(known.points, record.points)
    there = at >= 0
    old, noise = known.values[at], np.hypot(known.sds[at], record.sds)
    with np.errstate(invalid="ignore"):
        gap = np.where(values == old, 0.0, values - old)
    noisy = there & (noise > 0)
    same = there & (np.abs(gap) <= np.where(noisy, SIGMAS * noise, SAME * (1.0 + np.abs(old))))
    new = ~there | (noisy & same & (gap != 0.0))  # another noisy run at the same place is news
    against = there & ~same
    notes = [*found.notes, *_contradictions(gap[against], int(against.sum())), *_units(known, record)]
    kept = record.values if known.meaning == record.meaning else _as(known.meaning, values, record.points, space)
    stored = replace(
        record, points=record.points[new], values=kept[new], sds=record.sds[new],
        meaning="log_posterior" if known.meaning == "log_posterior" else "log_likelihood", notes=(),
    )  # fmt: skip
    return Addition(found, stored, int((there & ~against & ~new).sum()), int(against.sum()), tuple(notes))


def _likelihoods(record: ArchiveRecord, space: ParameterSpace) -> Array:
    return record.values - space.log_prior(record.points) if record.meaning == "log_posterior" else record.values


def _as(meaning: str, likelihoods: Array, points: Array, space: ParameterSpace) -> Array:
    return likelihoods + space.log_prior(points) if meaning == "log_posterior" else likelihoods


def _where(known: Array, points: Array) -> NDArray[np.intp]:
    """For each of the points (m, D) the index of an equal one in known (n, D), -1 if there is none. Quick for a million rows."""
    both = np.concatenate([known, points]) + 0.0
    result = np.full(len(points), -1, dtype=np.intp)
    if not len(known) or not len(points):
        return result
    order = np.lexsort(both.T[::-1])  # stable: of equal rows the known ones come first
    begins = np.r_[True, np.any(both[order[1:]] != both[order[:-1]], axis=1)]
    first = order[np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))]
    mine = order >= len(known)
    result[order[mine] - len(known)] = np.where(first[mine] < len(known), first[mine], -1)
    return result


def _contradictions(gaps: Array, count: int) -> list[str]:
    if not count:
        return []
    finite = gaps[np.isfinite(gaps)]
    rows = "1 row contradicts a row" if count == 1 else f"{count:,} rows contradict rows"
    said = f"{rows} that {'is' if count == 1 else 'are'} there already with another value"
    if len(finite):
        said += f" (by up to {spoken(np.abs(finite).max(), 3)}): the earlier value is kept."
    if len(finite) > 2 and np.ptp(finite) <= ALIKE + SAME * np.abs(finite).max():
        return [f"{said} All differ by {spoken(np.median(finite))}: a constant was left out, or the values mean something else."]
    return [said if len(finite) else f"{said}: the earlier value is kept."]


def _units(known: Known, record: ArchiveRecord) -> list[str]:
    """Of the imported rows that are there: runs of the analysis lie where the posterior is, not where an archive does."""
    there = known.points[: known.archived]
    if not len(there):
        return []
    parts = ((record.source, len(record.points)), ("the analysis", len(there)))
    table = Table(known.names, np.concatenate([record.points, there]), record.source, parts=parts)
    said = [words for name in known.names if (words := other_units(table, name, name))]
    return [words.replace("in the other files", "in the analysis") for words in said]
