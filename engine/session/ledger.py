"""The ledger of attempts in an open session, and the name of the place where its runs happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import attempts
from .attempts import OPEN, AttemptRecord, State
from .codec import CodecError
from .errors import DamagedSession
from .store import SessionStore

_WHERE = "where"


class Ledger:
    """Each ``save`` is one commit, durable when it returns. Safe to use from several threads."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store

    def save(self, *records: AttemptRecord) -> None:
        """Raises SessionError."""
        with self._store._writing() as connection:
            attempts.save(connection, records)

    def find(self, *states: State) -> list[AttemptRecord]:
        """Attempts in one of ``states`` (none: all), oldest first. Raises DamagedSession."""
        with self._store._reading() as connection:
            try:
                return attempts.select(connection, states)
            except CodecError as error:
                raise DamagedSession(f"The list of jobs cannot be read: {error}", str(self._store.path)) from error

    @property
    def open(self) -> list[AttemptRecord]:
        return self.find(*OPEN)

    def of_work(self, index: int, work: str) -> list[AttemptRecord]:
        """All attempts at one run of the evaluation ``index``, oldest first."""
        return [a for a in self.find() if a.index == index and a.work == work]

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
