"""Imported evaluations in a session file: those it started from, and parts that were added later, each as it arrived.

A part is never rewritten, so adding one costs what it holds; the inference loop takes parts in by their numbers, like runs.
Runs with their outputs become runs of the analysis: those it started from at once, others wait until the engine numbers them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ..problem.definition import Problem
from . import attempts, rows
from .codec import CodecError
from .errors import SessionError
from .file import SessionFile, codec_words, storable
from .records import ArchiveRecord, AskRecord, EvaluationRecord
from .schema import EVALUATION_COLUMNS
from .watched import Watched

LEARNS_OUTPUTS, STARTS_FROM_ARCHIVES = "default", "svbmc"  # methods that imported runs and imported values are for
PURPOSE = "earlier"  # of asks that another analysis, or somebody else, made: nobody is to replay them
KEY = "archive"  # in a checkpoint: the number of the newest part that the loop's state knows
_ARRIVED = "arrived_runs"  # in meta
_INSERT = "INSERT INTO archive VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_ASK = "INSERT INTO asks VALUES (?, ?, ?, ?, ?)"
INSERT_EVALUATION = f"INSERT INTO evaluations VALUES ({', '.join('?' * (len(EVALUATION_COLUMNS) + 1))})"
_SELECT = "SELECT id, names, meaning, points, vals, sds, source, notes, crc FROM archive"


class ImportedEvaluations(SessionFile):
    """The part of a ``SessionStore`` that has them."""

    @property
    def has_result(self) -> bool:
        with self._reading() as connection:
            query = "SELECT 1 FROM evaluations WHERE outcome != 'failed' LIMIT 1"
            return connection.execute(query).fetchone() is not None

    @property
    def has_own_runs(self) -> bool:
        """Whether runs were asked for by this analysis itself, or it was answered from the runs of another."""
        with self._reading() as connection:
            own = connection.execute("SELECT 1 FROM asks WHERE purpose != ? LIMIT 1", (PURPOSE,)).fetchone()
        return own is not None or bool(self._meta("runs_of"))

    @property
    def awaits_answer(self) -> bool:
        """Whether there are imported runs, and nothing has been made of them yet."""
        if self.has_own_runs:
            return False
        with self._reading() as connection:
            runs, states = (
                connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in ("evaluations", "checkpoints")
            )
        return runs is not None and states is None

    def save_archive(self, archive: ArchiveRecord | None) -> None:
        """Replace the imported evaluations (None: remove them), in one commit. Refused once the analysis has evaluations."""
        with storable(self.path):
            row = None if archive is None else rows.archive_row(archive)
        self._replace_imported(() if row is None else (row,), (), (), None)

    def import_archive(self, archive: ArchiveRecord, problem: Problem) -> None:
        """``save_archive`` with the ``problem`` as it is from then on, in one commit."""
        with storable(self.path):
            row, content = rows.archive_row(archive), rows.problem_bytes(problem)
        self._replace_imported((row,), (), (), content)
        self._problem = problem

    def import_runs(self, runs: Sequence[EvaluationRecord], problem: Problem) -> None:
        """Runs made elsewhere, indices 0, 1, 2..., with their outputs, as those of this analysis, in place of what was imported
        before; with the ``problem`` as it is from then on, in one commit. Refused once the analysis has runs of its own."""
        with storable(self.path):
            asks = [rows.ask_row(AskRecord(r.index, r.u, 0, PURPOSE)) for r in runs]
            evaluations = [rows.evaluation_row(r) for r in runs]
            content = rows.problem_bytes(problem)
        self._replace_imported((), asks, evaluations, content)
        self._problem = problem

    def _replace_imported(
        self, parts: Sequence[tuple[Any, ...]], asks: Sequence[tuple[Any, ...]], evaluations: Sequence[tuple[Any, ...]],
        problem: bytes | None,
    ) -> None:
        """Rows of the tables, ready to be written. Raises SessionError."""
        if self.has_result and self.has_own_runs:
            raise SessionError(
                "Evaluations can be imported only before the first run, since the answer so far does not know them",
                str(self.path),
                "Save the problem as a new session and import there.",
            )
        with self._writing() as connection:
            connection.execute("DELETE FROM archive")
            connection.execute("DELETE FROM meta WHERE key = ?", (_ARRIVED,))
            forget_runs(connection)
            connection.executemany(_INSERT, parts)
            connection.executemany(INSERT_ASK, asks)
            connection.executemany(INSERT_EVALUATION, evaluations)
            if problem is not None:
                self._put_meta(connection, {"problem": problem})

    @property
    def has_imported_runs(self) -> bool:
        """Whether some of its runs were made elsewhere and imported with their outputs."""
        with self._reading() as connection:
            return connection.execute("SELECT 1 FROM asks WHERE purpose = ? LIMIT 1", (PURPOSE,)).fetchone() is not None

    def add_arrived_runs(self, more: Sequence[EvaluationRecord]) -> None:
        """Further runs made elsewhere, behind those that wait; their indices and orders count for nothing yet. One commit."""
        with storable(self.path):
            new = [rows.evaluation_row(r) for r in more]
        with self._writing() as connection:
            self._put_meta(connection, {_ARRIVED: rows.packed([*rows.unpacked(self._meta(_ARRIVED)), *new])})

    def arrived_runs(self) -> list[EvaluationRecord]:
        """Those that wait to be taken in. Raises DamagedSession if they cannot be read."""
        content = self._meta(_ARRIVED)
        with codec_words(self.path):
            return [rows.evaluation_of(row) for row in rows.unpacked(content)]

    def take_arrived_runs(self, asks: Sequence[AskRecord], runs: Sequence[EvaluationRecord], waiting: int) -> None:
        """What the first ``waiting`` of those that wait have become, numbered, are runs of the analysis; one commit."""
        with storable(self.path):
            ask_rows, run_rows = [rows.ask_row(a) for a in asks], [rows.evaluation_row(r) for r in runs]
        with self._writing() as connection:
            left = rows.unpacked(self._meta(_ARRIVED))[waiting:]
            connection.executemany(INSERT_ASK, ask_rows)
            connection.executemany(INSERT_EVALUATION, run_rows)
            self._put_meta(connection, {_ARRIVED: rows.packed(left)})

    def add_to_archive(self, more: ArchiveRecord) -> int:
        """A further part behind those that are there, in one commit; its number. Nothing that was computed is forgotten."""
        last = self.newest_part
        with storable(self.path):
            row = rows.archive_row(more, last + 1)
        with self._writing() as connection:
            connection.execute(_INSERT, row)
        return last + 1

    @property
    def newest_part(self) -> int:
        """The number of the part that was added last; 0: there is none."""
        with self._reading() as connection:
            return int(connection.execute("SELECT coalesce(max(id), 0) FROM archive").fetchone()[0])

    def archive_parts(self, after: int = 0) -> list[tuple[int, ArchiveRecord]]:
        """Number and content of the parts with higher numbers, in order. Raises DamagedSession if one cannot be read."""
        return self._select(f"{_SELECT} WHERE id > ? ORDER BY id", (after,), lambda row: (int(row[0]), rows.archive_of(row)))

    def archive(self) -> ArchiveRecord | None:
        """All imported evaluations, None if there are none. Raises DamagedSession if they cannot be read."""
        return joined([record for _, record in self.archive_parts()])

    @property
    def watched(self) -> Watched | None:
        """The file or folder from which rows are taken as they arrive; None: none, or it cannot be read."""
        content = self._meta("watched")
        try:
            return None if not content else rows.watched_of(content)
        except CodecError:
            return None

    @watched.setter
    def watched(self, watched: Watched | None) -> None:
        self._set_meta(watched=b"" if watched is None else msgspec.json.encode(watched))


def joined(parts: list[ArchiveRecord]) -> ArchiveRecord | None:
    """As one, in order; None: there are none. Raises SessionError where they do not belong together."""
    if len(parts) < 2:
        return parts[0] if parts else None
    first = parts[0]
    if any(p.names != first.names or p.meaning != first.meaning for p in parts):
        raise SessionError("The imported evaluations are of different parameters or of different meaning")
    points, values, sds = (np.concatenate([getattr(p, f) for p in parts]) for f in ("points", "values", "sds"))
    sources = list(dict.fromkeys(p.source for p in parts))
    shown = ", ".join(sources[:5]) + (", …" if len(sources) > 5 else "")
    return ArchiveRecord(first.names, points, values, sds, first.meaning, shown, tuple(n for p in parts[:5] for n in p.notes))


def known_part(checkpoint: Any) -> int | None:
    """The number of the newest part that the loop of a checkpoint knows; None: there is no such checkpoint.

    Those from before there were parts know the first one.
    """
    if not isinstance(checkpoint, dict):
        return None
    at = checkpoint.get(KEY, 1)
    return at if isinstance(at, int) and not isinstance(at, bool) and at >= 0 else None


def forget_runs(connection: sqlite3.Connection) -> None:
    for table in ("asks", "evaluations", "iterations", "checkpoints"):
        connection.execute(f"DELETE FROM {table}")
    attempts.drop_all(connection)
    connection.execute("DELETE FROM meta WHERE key IN ('replay', 'compared', 'set_aside', 'kept_over')")
