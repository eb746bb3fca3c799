"""Earlier evaluations for an analysis that has some already: which of them are new, which repeat or contradict what is there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Problem
from ..problem.transforms import ParameterSpace
from ..session.records import ArchiveRecord
from ..session.store import SessionStore
from .interpret import Imported
from .several import other_units
from .table import Table

Array = NDArray[np.float64]

SAME = 1e-6  # of the value's size: a smaller difference is what printed digits cost
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


@dataclass(frozen=True)
class Addition:
    """``imported`` as understood alone; ``record``: its new rows, as they are stored. ``repeated`` rows are there already with
    the same value, ``contradicting`` ones with another: both are left out."""

    imported: Imported
    record: ArchiveRecord
    repeated: int
    contradicting: int
    notes: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.record.values)

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
    runs = [e for e in store.evaluations() if e.outcome == "ok" and e.log_likelihood is not None]
    points = np.array([[e.values[n] for n in space.names] for e in runs]).reshape(len(runs), space.dimension)
    values, sds = np.array([e.log_likelihood for e in runs], dtype=float), np.array([e.noise_sd for e in runs], dtype=float)
    if archive is None or archive.names != tuple(space.names):
        return Known(tuple(space.names), points, values, sds, "log_likelihood", 0)
    older = _likelihoods(archive, space)
    return Known(
        archive.names, np.concatenate([archive.points, points]), np.concatenate([older, values]),
        np.concatenate([archive.sds, sds]), archive.meaning, len(older),
    )  # fmt: skip


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
        said += f" (by up to {np.abs(finite).max():.3g}): the earlier value is kept."
    if len(finite) > 2 and np.ptp(finite) <= ALIKE + SAME * np.abs(finite).max():
        return [f"{said} All differ by {np.median(finite):.6g}: a constant was left out, or the values mean something else."]
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
