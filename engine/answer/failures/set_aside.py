"""Runs to be made again, since they failed or their values are taken for lies: set aside from the evaluations, so that the next
run of the analysis makes them anew.

Their asks stay in the journal without an evaluation, as those of runs that were under way at a crash. What is known of them is
kept in a list of its own, with the folders of those attempts. The method's state is rebuilt from the runs that are left: it has
learnt from those that are not. An answer is of the first runs to arrive: of those made so far the runs left are counted.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import msgspec

from ...session import rows, run_log
from ...session.errors import DamagedSession, SessionError
from .far_off import FarOff, slices_without

if TYPE_CHECKING:
    from ...session.store import SessionStore

_KEY = "set_aside"
PLANNED = ("laplace", "slice")  # methods whose every point follows from the values at those before
MANY = "their earlier attempts do"
MOST_KEPT = 2000  # of those set aside: the oldest are forgotten first


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Such a run as it was, and when (unix time) it was set aside."""

    index: int
    outcome: str
    reason: str
    duration_s: float
    started_at: float
    at: float
    run_folder: str = ""  # beside those of the runs that count; "": not kept

    @property
    def words(self) -> str:
        """Why it was made again, a sentence."""
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(self.started_at))
        how = "was impossible" if self.outcome == "impossible" else "failed" if self.outcome == "failed" else "did not count"
        return f"An earlier attempt, of {when}, {how}: {self.reason}"


def to_come(count: int) -> str:
    """Why the newest answer is not one of all runs: so many are made again."""
    runs, them = ("1 run is", "it") if count == 1 else (f"{count} runs are", "them")
    return f"{runs} made again: the next answer is made with {them}."


def left_of(n: int, places: Sequence[int]) -> int:
    """How many of the first ``n`` runs are left without those at ``places`` (sorted) in order of arrival."""
    return n - bisect_left(places, n)


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
    before = Counter(s.index for s in set_aside_of(store))
    folders = {e.index: f"{e.run_folder}.attempt-{before[e.index] + 1}" if e.run_folder else "" for e in gone}
    kept = [replace(e, order=k) for k, e in enumerate(e for e in evaluations if e.index not in left)]
    moved = [replace(a, told_before=left_of(a.told_before, places)) for a in asks]
    answers = [
        replace(r, n_evaluations=left_of(r.n_evaluations, places), slices=slices_without(r.slices, left))
        for r in store.iterations(bulky=True)
    ]
    answers[-1:] = [replace(r, converged=False, reasons=(to_come(len(gone)),)) for r in answers[-1:]]
    told = [
        SetAside(
            index=e.index, outcome=e.outcome, reason=e.reason or far_off.words_of(e.index), duration_s=e.duration_s,
            started_at=e.started_at, at=now, run_folder=folders[e.index],
        )
        for e in gone
    ]  # fmt: skip
    with store._writing() as connection:
        _replace_rows(connection, "evaluations", [rows.evaluation_row(e) for e in kept])
        _replace_rows(connection, "asks", [rows.ask_row(a) for a in moved])
        _replace_rows(connection, "iterations", [rows.iteration_row(r) for r in answers])
        connection.execute("DELETE FROM checkpoints")
        store._put_meta(connection, {_KEY: msgspec.json.encode([*set_aside_of(store), *told][-MOST_KEPT:])})
        run_log.add(connection, "info", to_come(len(gone)).partition(":")[0] + ".")
    for e in gone:
        if folders[e.index]:
            with contextlib.suppress(OSError):  # then it is not there to be looked at
                (store.runs_folder / e.run_folder).rename(store.runs_folder / folders[e.index])
    return len(gone)


def set_aside_of(store: SessionStore) -> list[SetAside]:
    """Those so far, oldest first. Raises DamagedSession."""
    content = store._meta(_KEY)
    try:
        return [] if content is None else msgspec.json.decode(content, type=list[SetAside])
    except msgspec.MsgspecError as error:
        raise DamagedSession(f"The list of runs made again cannot be read: {error}", str(store.path)) from error


@dataclass(frozen=True)
class Remade:
    """``earlier`` attempts by index, oldest first. ``done``: so many of those runs have ended again, ``waiting``: not."""

    earlier: dict[int, tuple[SetAside, ...]] = field(default_factory=dict)
    done: int = 0
    waiting: int = 0

    @classmethod
    def of(cls, attempts: Iterable[SetAside], ended: Collection[int]) -> Self:
        """``ended``: indices of the runs that count."""
        earlier: dict[int, tuple[SetAside, ...]] = {}
        for one in attempts:
            earlier[one.index] = (*earlier.get(one.index, ()), one)
        done = sum(index in ended for index in earlier)
        return cls(earlier, done, len(earlier) - done)

    @property
    def sentence(self) -> str:
        """Of those made again; "": none."""
        if not self.done:
            return ""
        runs, attempts = ("1 run was", "its earlier attempt does") if self.done == 1 else (f"{self.done} runs were", MANY)
        return f"{runs} made again after failing or giving a value that did not count; {attempts} not count."

    @property
    def words(self) -> str:
        """``37 made again``, ``30 made again, 7 to come``; "": none."""
        done = f"{self.done} made again" if self.done else ""
        return ", ".join(filter(None, (done, f"{self.waiting} to be made again" if self.waiting else "")))


def _replace_rows(connection: sqlite3.Connection, table: str, content: list[tuple[Any, ...]]) -> None:
    connection.execute(f"DELETE FROM {table}")
    if content:
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(content[0]))})", content)
