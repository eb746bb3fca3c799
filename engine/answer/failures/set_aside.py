"""Runs to be made again, since they failed or their values are taken for lies: set aside from the evaluations, so that the next
run of the analysis makes them anew.

Their asks stay in the journal without an evaluation, as those of runs that were under way at a crash. What is known of them is
kept in a list of its own. The method's state is rebuilt from the runs that are left: it has learnt from those that are not.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from ...session import rows, run_log
from ...session.errors import DamagedSession, SessionError
from .far_off import FarOff

if TYPE_CHECKING:
    from ...session.store import SessionStore

_KEY = "set_aside"
PLANNED = ("laplace", "slice")  # methods whose every point follows from the values at those before
MOST_KEPT = 2000  # of those set aside: the oldest are forgotten first


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Such a run as it was, and when (unix time) it was set aside."""

    index: int
    outcome: str
    reason: str
    duration_s: float
    started_at: float
    at: float


def set_aside(store: SessionStore, indices: Collection[int]) -> int:
    """Those among ``indices`` that gave no value, or none that counts, in one commit; how many. Raises SessionError."""
    if (method := store.problem.settings.method) in PLANNED:
        raise SessionError(
            "Runs of this analysis cannot be made again alone", str(store.path),
            f"The method “{method}” plans each run on those before it. Duplicate the analysis without runs.",
        )  # fmt: skip
    evaluations, asks = store.evaluations(), store.asks()
    last = store.last_iteration()
    far_off = FarOff.of({} if last is None else last.slices)
    gone = [e for e in evaluations if e.index in indices and (e.outcome != "ok" or e.index in far_off.not_counted)]
    if not gone:
        return 0
    places, now = sorted(e.order for e in gone), time.time()
    left = {e.index for e in gone}
    kept = [replace(e, order=k) for k, e in enumerate(e for e in evaluations if e.index not in left)]
    moved = [replace(a, told_before=a.told_before - sum(p < a.told_before for p in places)) for a in asks]
    told = [
        SetAside(
            index=e.index, outcome=e.outcome, reason=e.reason or far_off.words_of(e.index), duration_s=e.duration_s,
            started_at=e.started_at, at=now,
        )
        for e in gone
    ]  # fmt: skip
    with store._writing() as connection:
        _replace_rows(connection, "evaluations", [rows.evaluation_row(e) for e in kept])
        _replace_rows(connection, "asks", [rows.ask_row(a) for a in moved])
        connection.execute("DELETE FROM checkpoints")
        store._put_meta(connection, {_KEY: msgspec.json.encode([*set_aside_of(store), *told][-MOST_KEPT:])})
        run_log.add(connection, "info", f"{len(gone)} runs are made again.")
    return len(gone)


def set_aside_of(store: SessionStore) -> list[SetAside]:
    """Those so far, oldest first. Raises DamagedSession."""
    content = store._meta(_KEY)
    try:
        return [] if content is None else msgspec.json.decode(content, type=list[SetAside])
    except msgspec.MsgspecError as error:
        raise DamagedSession(f"The list of runs made again cannot be read: {error}", str(store.path)) from error


def _replace_rows(connection: sqlite3.Connection, table: str, content: list[tuple[Any, ...]]) -> None:
    connection.execute(f"DELETE FROM {table}")
    if content:
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(content[0]))})", content)
