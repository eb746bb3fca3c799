"""The ledger of attempts in an open session, and the name of the place where its runs happen."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import attempts
from .attempts import OPEN, AttemptRecord, State
from .codec import CodecError
from .errors import DamagedSession, SessionError
from .store import SessionStore

_WHERE = "where"


@dataclass(eq=False)
class _Save:
    """What one thread wants saved. ``error``: why it was not."""

    records: tuple[AttemptRecord, ...]
    done: bool = False
    error: SessionError | None = None


class Ledger:
    """What ``save`` was given is durable when it returns. Safe to use from several threads, whose records share commits."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._waiting: list[_Save] = []
        self._guard, self._turn = threading.Lock(), threading.Lock()

    def save(self, *records: AttemptRecord) -> None:
        """Raises SessionError."""
        if not records:
            return
        mine = _Save(records)
        with self._guard:
            self._waiting.append(mine)
        with self._turn:
            if not mine.done:
                self._commit()
        if mine.error is not None:
            raise mine.error

    def _commit(self) -> None:
        """All that waits, in one commit: a disk takes as long for one as for thirty."""
        with self._guard:
            batch, self._waiting = self._waiting, []
        error: SessionError | None = SessionError("The list of jobs was not saved", str(self._store.path))
        try:
            with self._store._writing() as connection:
                attempts.save(connection, [record for one in batch for record in one.records])
            error = None
        except SessionError as refusal:
            error = refusal
        finally:
            for one in batch:
                one.done, one.error = True, error

    def find(self, *states: State, index: int | None = None) -> list[AttemptRecord]:
        """Attempts in one of ``states`` (none: all), of one evaluation if so asked, oldest first. Raises DamagedSession."""
        with self._store._reading() as connection:
            try:
                return attempts.select(connection, states, index)
            except CodecError as error:
                raise DamagedSession(f"The list of jobs cannot be read: {error}", str(self._store.path)) from error

    @property
    def open(self) -> list[AttemptRecord]:
        return self.find(*OPEN)

    def of_work(self, index: int, work: str) -> list[AttemptRecord]:
        """All attempts at one run of the evaluation ``index``, oldest first."""
        return [a for a in self.find(index=index) if a.work == work]

    def change(self, records: Sequence[AttemptRecord], state: State) -> None:
        """Bring ``records`` to ``state``."""
        if records:
            self.save(*(replace(record, state=state) for record in records))

    @property
    def where(self) -> str:
        """The name of the profile whose computer runs this analysis; "": this one."""
        return (self._store._meta(_WHERE) or b"").decode("utf-8", "replace")

    @where.setter
    def where(self, name: str) -> None:
        if name != self.where:
            self._store._set_meta(**{_WHERE: name.encode()})
