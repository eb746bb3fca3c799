"""Imported evaluations as a loop learns of them: those its saved state knows, and parts that were added to the session since."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..likelihood.errors import LikelihoodError
from ..loop_interface import Archive, Ask, InferenceLoop, TakesArchives
from ..methods.archived import archive_of
from ..problem.data.rows.comparison import ComparisonError
from ..problem.transforms import ParameterSpace
from ..session.imported import PURPOSE, joined, known_part
from ..session.records import ArchiveRecord, AskRecord, EvaluationRecord
from ..session.store import SessionStore
from .rescored import rescored


@dataclass(frozen=True)
class Joining:
    """Runs made elsewhere that become runs of an analysis, with their asks: all of ``waiting`` that lie within its bounds."""

    asks: list[AskRecord]
    runs: list[EvaluationRecord]
    waiting: int


class Arrivals:
    """``known``: the number of the newest part that the loop has been given."""

    def __init__(self, store: SessionStore, space: ParameterSpace) -> None:
        self._store, self._space = store, space
        self.known = 0

    def first(self) -> Archive | None:
        """What a fresh loop is made with: the parts that its saved state knows; all of them where there is no such state."""
        parts = self._store.archive_parts()
        if not parts:
            return None
        at = known_part(self._store.checkpoint())
        begun = [(number, part) for number, part in parts if at is None or number <= at] or parts[:1]
        self.known = begun[-1][0]
        return archive_of(joined([part for _, part in begun]), self._space)

    def waiting(self) -> bool:
        """Whether there are parts, or runs, that the loop has not been given."""
        return self._store.newest_part > self.known or bool(self._store.arrived_runs())

    def runs_into(self, loop: InferenceLoop, asked: int, told: int, made: int) -> Joining:
        """Runs that others made, judged by the problem as it is, as if the loop had asked for them after those ``asked`` for and
        ``made``: to be written, then told. Raises ValueError where its method cannot, or they do not fit, SessionError."""
        waiting = self._store.arrived_runs()
        if waiting and not hasattr(loop, "adopt"):
            raise ValueError("This method takes in no runs that were made elsewhere.")
        try:
            known = rescored(self._store.problem, waiting).records if waiting else ()
        except (KeyError, LikelihoodError, ComparisonError) as error:
            raise ValueError(f"Runs made elsewhere do not fit this problem ({error}).") from error
        runs = [replace(run, index=asked + i, order=made + i) for i, run in enumerate(known)]
        for run in runs:
            loop.adopt(Ask(run.index, run.u, PURPOSE))  # type: ignore[attr-defined]
        return Joining([AskRecord(run.index, run.u, told, PURPOSE) for run in runs], runs, len(waiting))

    def into(self, loop: InferenceLoop) -> list[ArchiveRecord]:
        """Give the loop what it does not know yet. Raises ValueError where its method takes nothing in, SessionError."""
        parts = self._store.archive_parts(self.known)
        more = archive_of(joined([part for _, part in parts]), self._space)
        if more is None:
            return []
        if not isinstance(loop, TakesArchives):
            raise ValueError("Only SVBMC takes in earlier evaluations once it has begun.")
        loop.take_archive(more)
        self.known = parts[-1][0]
        return [part for _, part in parts]


def counted(parts: list[ArchiveRecord]) -> str:
    """12 evaluations from runs.csv."""
    n = sum(len(p.values) for p in parts)
    sources = list(dict.fromkeys(p.source for p in parts if p.source))
    where = f" from {', '.join(sources[:3])}{', …' if len(sources) > 3 else ''}" if sources else ""
    return f"{n:,} earlier evaluation{'s' if n != 1 else ''}{where}"
