"""Whose jobs elsewhere are: of one session file, however often it is copied.

A file that is moved or renamed keeps its jobs. A copy gives up those that the original still has, and runs these points itself;
“Save as” in the window takes them along, since the user goes on there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from .attempts import OPEN, AttemptRecord, State
from .errors import SessionError
from .ledger import Ledger
from .machine import machine_id
from .store import SessionStore

_CLAIMED: tuple[State, ...] = (*OPEN, "dropped")
_KEY = "jobs_of"


class _Owner(msgspec.Struct, frozen=True):
    """A session file: where it was, and what the file system knows it by."""

    machine: str
    path: str
    device: int
    file: int


def claim_jobs(store: SessionStore) -> list[str]:
    """Before a run of ``store``: from now on jobs of it are its own. What is to be said about those under way, sentences.

    Raises SessionError.
    """
    ledger, me = Ledger(store), _owner_of(store.path)
    before = _owner(store)
    said: list[str] = []
    claimed = ledger.find(*_CLAIMED)
    if claimed and before is not None and before != me:
        if before.machine != me.machine:
            said.append(
                "Jobs of this analysis that are under way were handed over from another computer. If it goes on there too, each "
                "job counts for the one that collects it first; the other one runs that point again and records a loss."
            )
        else:
            said += _given_up(ledger, claimed, before)
    if before != me:
        store._set_meta(**{_KEY: msgspec.json.encode(me)})
    return said


def take_along(original: SessionStore, copy: SessionStore) -> None:
    """Jobs under way go over to the ``copy``, in which the user goes on. An ``original`` that cannot be written keeps them.

    Raises SessionError.
    """
    ledger = Ledger(original)
    claimed = ledger.find(*_CLAIMED)
    if not claimed or not original.writable or not copy.writable:
        return
    ledger.save(*(replace(a, state="cancelled", reason=f"it went over to “{copy.path.name}”") for a in claimed))
    original.log("info", f"{_jobs(len(claimed))} under way elsewhere went over to “{copy.path}”.")
    copy._set_meta(**{_KEY: msgspec.json.encode(_owner_of(copy.path))})


def _given_up(ledger: Ledger, claimed: Sequence[AttemptRecord], before: _Owner) -> list[str]:
    """Jobs that the session ``before`` has as well: they are no longer those of ``ledger``."""
    path = Path(before.path)
    try:
        if _owner_of(path) != before:
            return []  # it was moved here, or there is another file of that name now
        with SessionStore.open(path, mode="read") as original:
            theirs = {a.token for a in Ledger(original).find() if a.state != "cancelled"}
    except (OSError, SessionError):
        return []
    given = [a for a in claimed if a.token in theirs]
    if not given:
        return []
    ledger.save(*(replace(a, state="cancelled", reason=f"it belongs to “{path.name}”") for a in given))
    return [
        f"This analysis is a copy of “{path}”, to which {_jobs(len(given))} under way elsewhere belong. They go on for it alone; "
        "here these points are run again."
    ]


def _owner(store: SessionStore) -> _Owner | None:
    try:
        return msgspec.json.decode(store._meta(_KEY) or b"null", type=_Owner | None)
    except msgspec.MsgspecError:
        return None


def _owner_of(path: Path) -> _Owner:
    """Raises OSError if there is no such file."""
    state = os.stat(path)
    return _Owner(machine_id(), str(path.absolute()), state.st_dev, state.st_ino)


def _jobs(n: int) -> str:
    return "one job" if n == 1 else f"{n} jobs"
