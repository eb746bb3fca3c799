"""Everything readable of a damaged session, in a new file. The damaged one is only read, page by page (see pages.py).

A row counts only if its checksum is right, so nothing invented by the damage comes along. A journal left by a crash is taken
into account by asking SQLite first, on a copy.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..problem.definition import Problem
from . import attempts, codec, pages, rows
from .attempts import AttemptRecord
from .beside import journal_of
from .codec import CodecError
from .connection import attach, private_copy
from .errors import SessionError
from .ledger import Ledger
from .records import ArchiveRecord, AskRecord, EvaluationRecord, IterationRecord
from .replayed import Replay
from .schema import EVALUATION_COLUMNS
from .store import SessionStore
from .trust.consent import Signed

MAX_FILE_BYTES = 4 * 1024**3
_REAL_COLUMNS = (5, 6, 7, 8, 9, 10)  # of evaluations: SQLite stores a whole number there as an integer
_Record = TypeVar("_Record")


@dataclass
class Salvaged:
    """What was found. ``expected``: how many evaluations the file seems to have held."""

    problem: Problem | None = None
    evaluations: dict[int, EvaluationRecord] = field(default_factory=dict)
    asks: dict[int, AskRecord] = field(default_factory=dict)
    iterations: dict[int, IterationRecord] = field(default_factory=dict)
    checkpoints: dict[int, tuple[int, Any]] = field(default_factory=dict)
    archive: dict[int, ArchiveRecord] = field(default_factory=dict)
    notes: str = ""
    consent: bytes = b""
    signature: bytes = b""
    replay: Replay | None = None
    attempts: dict[str, AttemptRecord] = field(default_factory=dict)  # jobs elsewhere, each as far as it is known to have come
    expected: int = 0
    path: Path = Path()

    def words(self) -> str:
        """The report for people."""
        lost = max(0, self.expected - len(self.evaluations))
        missing = f"; {lost} could not be read and will be run again" if lost else (", all of them" if self.evaluations else "")
        answers = (
            f"{len(self.iterations)} stored answers"
            if self.iterations
            else "no stored answer (it will be computed again)"
        )
        return f"Recovered {len(self.evaluations)} finished runs{missing}, and {answers}. The new session is {self.path}."


def salvage(damaged: Path | str, new: Path | str, problem: Problem | None = None) -> Salvaged:
    """Write a new session with everything readable; ``problem``: the declaration, should it be lost in the file.

    Raises SessionError when nothing can be recovered or the new file cannot be written. The damaged file is not changed.
    """
    damaged, new = Path(damaged), Path(new)
    found = Salvaged(path=new)
    try:
        if damaged.exists() and not damaged.is_file():
            raise SessionError("This is not an ordinary file", str(damaged), "Choose the file of an analysis.")
        if damaged.stat().st_size > MAX_FILE_BYTES:
            raise SessionError("The file is larger than any session", str(damaged))
        for data in _versions(damaged):
            _take(data, found)
    except OSError as error:
        raise SessionError(f"The file cannot be read ({error.strerror})", str(damaged)) from error
    found.problem = found.problem or problem
    if found.problem is None:
        what = (
            f"{len(found.evaluations)} runs are readable, but" if found.evaluations else "Nothing is readable:"
        )
        raise SessionError(
            f"{what} the problem's declaration is lost",
            str(damaged),
            "Open the problem file or a copy of the session, and try again.",
        )
    _write(found, new)
    return found


def _versions(damaged: Path) -> Iterable[bytes]:
    """The file's bytes after SQLite has rolled back an unfinished write, if it can, and as they are."""
    if journal_of(damaged).exists():
        with contextlib.suppress(sqlite3.Error, SessionError), private_copy(damaged) as copy:
            with contextlib.closing(attach(copy, write=True)) as connection:
                connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            yield copy.read_bytes()
    yield damaged.read_bytes()


def _take(data: bytes, found: Salvaged) -> None:
    for size in dict.fromkeys((pages.page_size_of(data), 4096)):
        for rowid, cells in pages.rows(data, size):
            _take_row(rowid, cells, found)
        if found.evaluations or found.problem is not None:
            return


def _take_row(rowid: int, cells: list[Any], found: Salvaged) -> None:
    """Recognise a row by its number of cells and its checksum; earlier finds are kept."""
    n = len(cells)
    if n == len(EVALUATION_COLUMNS) + 1:
        real = [float(c) if i in _REAL_COLUMNS and isinstance(c, int) else c for i, c in enumerate(cells)]
        found.expected += rowid not in found.evaluations
        _keep(found.evaluations, rowid, lambda: rows.evaluation_of((rowid, *real[1:])))
    elif n == attempts.CELLS:
        with contextlib.suppress(CodecError, TypeError, ValueError, OverflowError):
            attempt = attempts.attempt_of(tuple(cells))
            found.attempts[attempt.token] = attempts.further(attempt, found.attempts.get(attempt.token))
    elif n == 9:
        _keep(found.archive, rowid, lambda: rows.archive_of((rowid, *cells[1:])))
    elif n == 5 and isinstance(cells[1], bytes) and isinstance(cells[3], str):
        _keep(found.asks, rowid, lambda: rows.ask_of((rowid, *cells[1:])))
    elif n == 5:
        _keep(found.iterations, rowid, lambda: rows.iteration_of((rowid, *cells[1:])))
    elif n == 4 and isinstance(cells[2], bytes):
        _keep(found.checkpoints, rowid, lambda: _checkpoint(rowid, cells))
    elif n == 3 and cells[0] in ("problem", "notes", "consent", "signature", "replay") and isinstance(cells[1], bytes):
        if cells[2] != codec.checksum(cells[0], cells[1]):
            return
        if cells[0] == "notes":
            found.notes = found.notes or cells[1].decode("utf-8", "replace")
        elif cells[0] == "consent":
            found.consent = found.consent or cells[1]
        elif cells[0] == "signature":
            found.signature = found.signature or cells[1]
        else:
            with contextlib.suppress(CodecError):
                if cells[0] == "replay":
                    found.replay = found.replay or rows.replay_of(cells[1])
                else:
                    found.problem = found.problem or rows.problem_of(cells[1])


def _checkpoint(rowid: int, cells: list[Any]) -> tuple[int, Any]:
    if cells[3] != codec.checksum(rowid, cells[1], cells[2]):
        raise CodecError("a checkpoint does not agree with its checksum")
    return int(cells[1]), codec.decode_state(cells[2])


def _keep(table: dict[int, _Record], rowid: int, decode: Callable[[], _Record]) -> None:
    if rowid in table:
        return
    try:
        table[rowid] = decode()
    except (CodecError, TypeError, ValueError, OverflowError):
        return


def _write(found: Salvaged, new: Path) -> None:
    """In order of arrival; asks of evaluations that lost theirs are made up from them, lost evaluations run again."""
    from dataclasses import replace

    assert found.problem is not None
    evaluations = sorted(found.evaluations.values(), key=lambda e: (e.order, e.index))
    whole = (
        len({e.order for e in evaluations}) == len(evaluations) == (max((e.order for e in evaluations), default=-1) + 1)
    )
    asks = dict(found.asks)
    for e in evaluations:
        asks.setdefault(e.index, AskRecord(e.index, e.u, min(e.index, e.order), e.purpose))
    # as it was: whether it covers the problem is seen before the next run
    consent = Signed(found.consent, found.signature.decode("ascii", "replace"))
    with SessionStore.create(new, found.problem, consent=consent) as store:
        for number in sorted(found.archive):
            store.add_to_archive(found.archive[number])
        renumbered = [replace(e, order=order) for order, e in enumerate(evaluations)]
        store.add_cycle(asks=[asks[k] for k in sorted(asks)], evaluations=renumbered)
        Ledger(store).save(*(attempts.after(a, a.index in found.evaluations) for a in found.attempts.values()))
        for k in sorted(found.iterations):
            store.add_iteration(found.iterations[k])
        if whole and len(asks) == len(found.asks):
            for number in sorted(found.checkpoints):
                told, state = found.checkpoints[number]
                if isinstance(state, dict) and told <= len(evaluations) and state.get("asked", 0) <= len(asks):
                    store.save_checkpoint(state, told)
        if found.notes:
            store.notes = found.notes
        if found.replay is not None:
            store.save_replay(found.replay)
        store.log("warning", found.words())
