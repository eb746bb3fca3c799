"""The ledger of runs on other computers: one row for each attempt, so that nothing is lost and nothing runs twice unrecorded.

``intent`` (written before the job is handed over), ``queued`` (it was), then ``done`` (its evaluation is committed: the same
transaction), ``lost`` or ``cancelled``; ``dropped``: wanted no more, but not cancelled yet, since its computer could not be
reached; ``cleared``: done or lost, and its folder there removed.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Literal, get_args

from . import codec
from .codec import CodecError

State = Literal["intent", "queued", "done", "lost", "cancelled", "dropped", "cleared"]
OPEN: tuple[State, State] = ("intent", "queued")
STOPPED = "stopped"  # how the reason of one begins that was cancelled since the analysis was stopped
AGAIN_FOLDER = "again:"  # how the work of a second run of an evaluation begins
TOKEN = re.compile(r"bs[0-9a-f]{12}")  # it stands in commands, and a session may come from a stranger
MAX_TEXT = 10_000  # characters of a cell: the file may come from a stranger
TABLE = (
    "CREATE TABLE attempts (token TEXT PRIMARY KEY, idx INTEGER NOT NULL, work TEXT NOT NULL, number INTEGER NOT NULL, "
    "place TEXT NOT NULL, folder TEXT NOT NULL, state TEXT NOT NULL, job TEXT NOT NULL, node TEXT NOT NULL, "
    "reason TEXT NOT NULL, intent_at REAL NOT NULL, queued_at REAL NOT NULL, started_at REAL NOT NULL, "
    "ended_at REAL NOT NULL, crc INTEGER NOT NULL)"
)
CELLS = 15
_COLUMNS = (
    "token, idx, work, number, place, folder, state, job, node, reason, intent_at, queued_at, started_at, ended_at, crc"
)


@dataclass(frozen=True)
class AttemptRecord:
    """One job for one run of one evaluation. Times in unix time, 0: not yet.

    ``token``: unique, also the job's name and that of its folder; ``index``: of the evaluation; ``work``: which run of it
    (run folder, repeat, retry); ``number``: 0, 1, ... of the attempts at it; ``place``: the profile as it was (JSON).
    """

    token: str
    index: int
    work: str
    number: int
    place: str
    folder: str
    state: State = "intent"
    job: str = ""
    node: str = ""
    reason: str = ""
    intent_at: float = 0.0
    queued_at: float = 0.0
    started_at: float = 0.0
    ended_at: float = 0.0


def is_second_run(attempt: AttemptRecord) -> bool:
    """Whether it shows only that the program gives the same twice."""
    return attempt.work.startswith(AGAIN_FOLDER)


def was_stopped(attempt: AttemptRecord) -> bool:
    """Whether a Stop ended it, or was to: what it gave counts if it had finished before."""
    return attempt.reason.startswith(STOPPED)


def save(connection: sqlite3.Connection, attempts: Sequence[AttemptRecord]) -> None:
    """Insert or replace, inside the caller's transaction."""
    rows = []
    for attempt in attempts:
        cells = tuple(c[:MAX_TEXT].encode("utf-8", "replace").decode() if isinstance(c, str) else c for c in astuple(attempt))
        rows.append((*cells, codec.checksum(*cells)))
    connection.executemany(f"INSERT OR REPLACE INTO attempts VALUES ({', '.join('?' * CELLS)})", rows)


def finish(connection: sqlite3.Connection, *indices: int) -> None:
    """The evaluations of these ``indices`` are being committed: their open attempts are done. A second run goes on, since its
    evaluation may count before it has ended: what it shows is still to be seen."""
    for index in indices:
        _move(connection, f"idx = ? AND state IN ('intent', 'queued') AND work NOT LIKE '{AGAIN_FOLDER}%'", (index,), "done")


def drop_all(connection: sqlite3.Connection) -> None:
    """The runs are forgotten: jobs still under way are to be cancelled when their computer is next reached."""
    _move(connection, "state IN ('intent', 'queued', 'dropped')", (), "dropped", reason="its run was forgotten")


def _move(
    connection: sqlite3.Connection, where: str, arguments: tuple[Any, ...], state: State, reason: str | None = None
) -> None:
    found = connection.execute(f"SELECT {_COLUMNS} FROM attempts WHERE {where}", arguments).fetchall()
    moved = []
    for row in found:
        with contextlib.suppress(CodecError):  # a damaged row stays as it is: no evaluation waits for it
            one = attempt_of(row)
            moved.append(replace(one, state=state, reason=one.reason if reason is None else reason))
    save(connection, moved)


def count_open(connection: sqlite3.Connection) -> int:
    """Evaluations with a job that has no result in the session yet."""
    query = "SELECT count(DISTINCT idx) FROM attempts WHERE state IN ('intent', 'queued')"
    return int(connection.execute(query).fetchone()[0])


def open_words(here: int, remote: int) -> str:
    """What becomes of runs that were under way when a run was interrupted, sentences after a space."""
    again = {0: "", 1: " One that was under way will be run again."}
    go_on = {0: "", 1: " One job goes on elsewhere; its result will be collected."}
    return again.get(here, f" {here} that were under way will be run again.") + go_on.get(
        remote, f" {remote} jobs go on elsewhere; their results will be collected."
    )


def select(connection: sqlite3.Connection, states: Sequence[State] = (), index: int | None = None) -> list[AttemptRecord]:
    """In the order in which they were meant; those in one of ``states`` (none: all), of the evaluation ``index`` (None: of all).

    Raises CodecError if one cannot be read.
    """
    where, arguments = ("", ()) if index is None else ("WHERE idx = ? ", (index,))
    found = connection.execute(f"SELECT {_COLUMNS} FROM attempts {where}ORDER BY intent_at, number", arguments).fetchall()
    read = [attempt_of(row) for row in found]
    return [attempt for attempt in read if not states or attempt.state in states]


def further(one: AttemptRecord, other: AttemptRecord | None) -> AttemptRecord:
    """The later of two states of one attempt."""
    rank = get_args(State).index
    return one if other is None or (rank(one.state), one.ended_at) >= (rank(other.state), other.ended_at) else other


def after(attempt: AttemptRecord, evaluated: bool) -> AttemptRecord:
    """As it stands in a session that holds its evaluation, or does not."""
    over = evaluated and attempt.state in OPEN and not is_second_run(attempt)
    return replace(attempt, state="done") if over else attempt


def attempt_of(row: tuple[Any, ...]) -> AttemptRecord:
    """Raises CodecError."""
    *cells, crc = row
    texts, numbers = (*cells[:1], cells[2], *cells[4:10]), cells[10:]
    good = (
        all(isinstance(text, str) and len(text) <= MAX_TEXT for text in texts)
        and all(isinstance(n, int) and not isinstance(n, bool) and -1 <= n < 2**53 for n in (cells[1], cells[3]))
        and all(isinstance(n, (int, float)) for n in numbers)
        and cells[6] in get_args(State)
        and TOKEN.fullmatch(cells[0]) is not None
    )
    cells[10:] = [float(n) for n in numbers] if good else numbers
    if not good or crc != codec.checksum(*cells):
        raise CodecError("a row of the ledger of jobs does not agree with its checksum")
    return AttemptRecord(*cells)
