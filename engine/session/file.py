"""A session's file: opening, locking, transactions, and noticing when it is taken away. ``store.py`` has what is in it."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from ..problem.definition import Problem
from . import atomic, codec, descriptors, machine, replacing, rows
from .beside import check_beside
from .codec import CodecError
from .connection import RECOVER, connect, in_memory, private_copy, read_version, translated
from .errors import DamagedSession, ReadOnlySession, SessionError, SessionGone
from .lock import Locked, SessionLock
from .migrations import migrate
from .records import EvaluationRecord
from .rescue import Rescue
from .schema import SESSION_VERSION, create_tables
from .trust.consent import UNSIGNED, NotAgreed, Permit, Signed, permit_for, sign
from .trust.what_runs import Found

SUFFIX = ".bayescope"
_Row = TypeVar("_Row")


class SessionFile:
    """An open session file: its lock, its transactions, its named contents (``meta``). Base of SessionStore."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, lock: SessionLock | None, read_only_reason: str
    ) -> None:
        self.path = path
        self.read_only_reason = read_only_reason
        self._connection = connection
        self._lock = lock
        self._guard = threading.RLock()
        self._open = True
        self._identity = os.stat(path)
        descriptors.opened(self._identity)
        self._problem: Problem | None = None
        self._rescue = Rescue(path, SUFFIX)

    # ---------------------------------------------------------------- opening and closing

    @classmethod
    def create(
        cls, path: Path | str, problem: Problem, *, own: bool = False, consent: Signed = UNSIGNED, role: str = "window"
    ) -> Self:
        """A new session file, complete or not there at all. Raises SessionError if ``path`` exists or cannot be written.

        ``own``: the user declared the problem on this computer, and so agrees to run it. ``consent``: one given before, of the
        problem this one was made from. Without either nothing runs before somebody agreed.
        """
        path = Path(path).absolute()
        atomic.refuse_existing(path, replace=False)
        work = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        with translated(path), storable(path):
            try:
                connection = sqlite3.connect(work, isolation_level=None)
                try:
                    connection.execute("PRAGMA synchronous = EXTRA")
                    connection.execute("BEGIN IMMEDIATE")
                    create_tables(connection)
                    items = {
                        "problem": rows.problem_bytes(problem),
                        "notes": b"",
                        "created_at": repr(time.time()).encode(),
                        "origin_machine": machine.machine_id().encode(),
                        **_consent_items(sign(problem.simulator, path.parent) if own else consent),
                    }
                    for key, value in items.items():
                        connection.execute(
                            "INSERT INTO meta VALUES (?, ?, ?)", (key, value, codec.checksum(key, value))
                        )
                    connection.execute("COMMIT")
                finally:
                    connection.close()
                replacing.set_aside_leftovers(path)
                replacing.set_aside_runs(path.with_name(path.name.removesuffix(SUFFIX) + ".runs"))
                atomic.put_in_place(work, path, replace=False)
            finally:
                work.unlink(missing_ok=True)
            atomic.flush_folder(path.parent)
        return cls.open(path, role=role)

    @classmethod
    def open(cls, path: Path | str, mode: Literal["write", "read"] = "write", *, role: str = "window") -> Self:
        """Open a session; nothing in it is executed. Raises SessionError, and then the file is untouched.

        ``mode`` "write" falls back to reading when another process writes or the file cannot be changed:
        ``writable`` is False then and ``read_only_reason`` is a sentence.
        """
        path = Path(os.path.realpath(path))  # two names of one file are one session
        version = read_version(path)
        lock: SessionLock | None = None
        reason = "" if mode == "write" else "The session was opened for reading only."
        if mode == "write":
            lock, reason = _try_lock(path, role)
        try:
            if version < SESSION_VERSION and lock is None:
                connection = _migrated_in_memory(path, version)
            else:
                if version < SESSION_VERSION:
                    migrate(path, version)
                connection = connect(path, write=lock is not None)
        except BaseException:
            if lock is not None:
                lock.release()
            raise
        store = cls(path, connection, lock, reason)
        try:
            _ = store.problem
        except BaseException:
            store.close()
            raise
        return store

    @property
    def writable(self) -> bool:
        return self._lock is not None and self._open

    def close(self) -> None:
        with self._guard:
            if self._open:
                self._open = False
                self._connection.close()
                descriptors.closed(self._identity)
                if self._lock is not None:
                    self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ---------------------------------------------------------------- reading and writing, with words

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._guard, translated(self.path), codec_words(self.path):
            if not self._open:
                raise SessionError("The session is closed", str(self.path))
            if self._lock is not None:  # a program that runs meanwhile may have put something there
                check_beside(self.path)
            yield self._connection

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on disk when the block ends, or none of it."""
        with self._reading() as connection:
            if self._lock is None:
                raise ReadOnlySession(
                    "Nothing can be saved: the session is open for reading only", str(self.path), self.read_only_reason
                )
            self._check_still_there()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):  # a full disk may have rolled back already
                    connection.execute("ROLLBACK")
                raise
            self._check_still_there()
            self._rescue.forget()

    def _check_still_there(self) -> None:
        """A file that was deleted or replaced under us would swallow everything written from now on."""
        try:
            same = os.path.samestat(self._identity, os.stat(self.path))
        except FileNotFoundError:
            same = False
        if not same:
            raise SessionGone(
                "The session's file was moved, deleted or replaced while it was open",
                str(self.path),
                self._rescue_words(),
            )

    def rescue(self, unsaved: Sequence[EvaluationRecord] = ()) -> Path:
        """A copy elsewhere of everything saved and of ``unsaved``, one for as long as the file is gone. Raises SessionError."""
        with self._guard:
            return self._rescue.keep(self.copy_to, type(self).open, unsaved)

    def _rescue_words(self) -> str:
        try:
            return f"Everything saved so far was copied to {self.rescue()}."
        except SessionError:
            return "Put the file back where it was; what was saved is in it."

    def copy_to(self, target: Path | str) -> None:
        """A complete copy of the session in a new file, consistent even while a run goes on. Raises SessionError."""
        target = Path(target)
        atomic.refuse_existing(target, replace=False)
        with self._guard, translated(target):
            try:
                with contextlib.closing(sqlite3.connect(target)) as copy:
                    copy.execute("PRAGMA synchronous = EXTRA")  # its name is safe too when this returns
                    self._connection.backup(copy)
            except BaseException:  # half a copy is none
                for part in (target, target.with_name(target.name + "-journal")):
                    part.unlink(missing_ok=True)
                raise

    def _select(self, query: str, arguments: Sequence[Any], decode: Callable[[tuple[Any, ...]], _Row]) -> list[_Row]:
        with self._reading() as connection:
            return [decode(row) for row in connection.execute(query, arguments).fetchall()]

    def _meta(self, key: str) -> bytes | None:
        with self._reading() as connection:
            row = connection.execute("SELECT value, crc FROM meta WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        if not isinstance(row[0], bytes) or row[1] != codec.checksum(key, row[0]):
            raise DamagedSession(f"The session's {key.replace('_', ' ')} is damaged", str(self.path), RECOVER)
        return row[0]

    def _set_meta(self, **items: bytes) -> None:
        with self._writing() as connection:
            self._put_meta(connection, items)

    @staticmethod
    def _put_meta(connection: sqlite3.Connection, items: Mapping[str, bytes]) -> None:
        for key, value in items.items():
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?, ?)", (key, value, codec.checksum(key, value)))

    # ---------------------------------------------------------------- problem and consent

    @property
    def problem(self) -> Problem:
        if self._problem is None:
            content = self._meta("problem")
            if content is None:
                raise DamagedSession("The session holds no problem", str(self.path), RECOVER)
            with codec_words(self.path):
                self._problem = rows.problem_of(content)
        return self._problem

    @property
    def signed(self) -> Signed:
        """The consent in the file, as it is; ``permit`` says whether it holds."""
        return Signed(self._meta("consent") or b"", (self._meta("signature") or b"").decode("ascii", "replace"))

    def permit(self) -> Permit:
        """Leave to run the problem. Raises NotAgreed unless this user on this computer wrote or approved exactly this."""
        return permit_for(self.signed, self.problem.simulator, self.path.parent)

    @property
    def agreed(self) -> bool:
        """True when this user on this computer wrote or approved exactly what would run."""
        try:
            self.permit()
        except NotAgreed:
            return False
        return True

    def agree(self, *, confined: bool = False, shown: Found | None = None) -> None:
        """A person has seen what would run (``shown``; None: as it is now), and agrees to run it on this computer."""
        signed = sign(self.problem.simulator, self.path.parent, foreign=self.foreign, confined=confined, shown=shown)
        self._set_meta(**_consent_items(signed))

    @property
    def foreign(self) -> bool:
        """Whether the problem came from elsewhere, also if somebody here has agreed to run it since."""
        before = self.signed.consent()
        return not self.signed.is_of_old_format(self.problem.simulator) if before is None else before.foreign

    def _signed_again(self, changed: Problem, folder: Path) -> dict[str, bytes]:
        """Rows of ``meta`` with the consent to ``changed``, which the user made of a problem that had one, its files lying in
        ``folder``. None of them where it had none: a stranger's problem stays a stranger's."""
        try:
            permit = permit_for(self.signed, self.problem.simulator, folder)
        except NotAgreed:
            return {}
        foreign = self.signed.content != b"" and self.foreign
        return _consent_items(sign(changed.simulator, self.path.parent, foreign=foreign, confined=permit.confined))


@contextlib.contextmanager
def storable(path: Path) -> Iterator[None]:
    """Around turning records into rows."""
    try:
        yield
    except CodecError as error:
        raise SessionError(f"This cannot be saved: {error}", str(path)) from error


@contextlib.contextmanager
def codec_words(path: Path) -> Iterator[None]:
    """Around reading rows."""
    try:
        yield
    except CodecError as error:
        raise DamagedSession(f"The session cannot be used: {error}", str(path), RECOVER) from error


def _consent_items(signed: Signed) -> dict[str, bytes]:
    """Rows of ``meta``."""
    return {"consent": signed.content, "signature": signed.signature.encode()}


def _migrated_in_memory(path: Path, version: int) -> sqlite3.Connection:
    """An older session that is only read: migrated on a private copy, the file left as it is."""
    with translated(path), private_copy(path) as copy:
        migrate(copy, version)
        connect(copy, write=False).close()  # its checks
        return in_memory(copy)


def _try_lock(path: Path, role: str) -> tuple[SessionLock | None, str]:
    """The lock, or None and the reason in words."""
    if not os.access(path, os.W_OK):
        return None, "The file may not be changed, so it was opened for reading only."
    if _other_names(path):
        return None, (
            "The file has a second name (a hard link), under which another program could write it at the same time; "
            "so it was opened for reading only. Save a copy and work on that."
        )
    lock = SessionLock(path)
    try:
        lock.acquire(role)
    except Locked as locked:
        return None, f"The session is in use by {locked}, so it was opened for reading only."
    except OSError as error:
        return None, f"The session cannot be locked ({error.strerror}), so it was opened for reading only."
    return lock, ""


def _other_names(path: Path) -> bool:
    """Whether the file has hard links, other than one that a crash in ``create`` left (which goes)."""
    status = os.stat(path)
    if status.st_nlink > 1:
        for left in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
            with contextlib.suppress(OSError):
                if os.path.samestat(os.lstat(left), status):
                    left.unlink()
    return os.stat(path).st_nlink > 1
