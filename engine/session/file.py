"""A session's file: opening, locking, transactions, and noticing when it is taken away. ``store.py`` has what is in it."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

import msgspec

from ..problem.definition import Problem
from . import atomic, codec, machine, replacing, rows
from .codec import CodecError
from .connection import RECOVER, connect, in_memory, read_version, translated
from .errors import DamagedSession, ReadOnlySession, SessionError
from .lock import Locked, SessionLock
from .migrations import migrate
from .places import home
from .schema import SESSION_VERSION, create_tables

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
        self._problem: Problem | None = None
        self._rescued = ""

    # ---------------------------------------------------------------- opening and closing

    @classmethod
    def create(cls, path: Path | str, problem: Problem, *, role: str = "window") -> Self:
        """A new session file, complete or not there at all. Raises SessionError if ``path`` exists or cannot be written."""
        path = Path(path).absolute()
        if os.path.lexists(path):
            raise SessionError("There is a file of that name already", str(path), "Choose another name.")
        work = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
        with translated(path), storable(path):
            try:
                connection = sqlite3.connect(work, isolation_level=None)
                try:
                    connection.execute("PRAGMA synchronous = EXTRA")
                    connection.execute("BEGIN IMMEDIATE")
                    create_tables(connection)
                    content = rows.problem_bytes(problem)
                    for key, value in {
                        "problem": content,
                        "notes": b"",
                        "created_at": repr(time.time()).encode(),
                        "origin_machine": machine.machine_id().encode(),
                        "signature": machine.sign(commands_of(problem)).encode(),
                    }.items():
                        connection.execute(
                            "INSERT INTO meta VALUES (?, ?, ?)", (key, value, codec.checksum(key, value))
                        )
                    connection.execute("COMMIT")
                finally:
                    connection.close()
                replacing.set_aside_leftovers(path)
                os.link(work, path)  # unlike a rename it never overwrites
            except FileExistsError as error:
                raise SessionError("There is a file of that name already", str(path), "Choose another name.") from error
            except (OSError, AttributeError):
                if os.path.lexists(path) or not work.exists() or not os.access(work, os.R_OK):
                    raise
                os.rename(work, path)  # a file system without hard links
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
        path = Path(path).absolute()
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
            store = cls(path, connection, lock, reason)
            try:
                _ = store.problem
            except BaseException:
                store._connection.close()
                raise
        except BaseException:
            if lock is not None:
                lock.release()
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

    def _check_still_there(self) -> None:
        """A file that was deleted or replaced under us would swallow everything written from now on."""
        try:
            same = os.path.samestat(self._identity, os.stat(self.path))
        except FileNotFoundError:
            same = False
        if not same:
            raise SessionError(
                "The session's file was moved, deleted or replaced while it was open", str(self.path), self._rescue()
            )

    def _rescue(self) -> str:
        """Copy what the open file still holds, once; a sentence that says where."""
        if self._rescued:
            return self._rescued
        name = f"{self.path.stem}-rescued-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}{SUFFIX}"
        folders = [self.path.parent, home() / "rescued", Path(tempfile.gettempdir())]
        for folder in folders:
            try:
                if folder != self.path.parent:
                    folder.mkdir(parents=True, exist_ok=True)
                self.copy_to(folder / name)
            except (OSError, sqlite3.Error, SessionError):
                continue
            self._rescued = f"Everything saved so far was copied to {folder / name}."
            return self._rescued
        return "Put the file back where it was; what was saved is in it."

    def copy_to(self, target: Path | str) -> None:
        """A complete copy of the session in a new file, consistent even while a run goes on. Raises SessionError."""
        target = Path(target)
        if os.path.lexists(target):
            raise SessionError("There is a file of that name already", str(target), "Choose another name.")
        with self._guard, translated(target):
            copy = sqlite3.connect(target)
            try:
                copy.execute("PRAGMA synchronous = EXTRA")  # its name is safe too when this returns
                self._connection.backup(copy)
            finally:
                copy.close()

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

    @property
    def problem(self) -> Problem:
        if self._problem is None:
            content = self._meta("problem")
            if content is None:
                raise DamagedSession("The session holds no problem", str(self.path), RECOVER)
            with codec_words(self.path):
                self._problem = rows.problem_of(content)
        return self._problem


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


def commands_of(problem: Problem) -> bytes:
    """What would be executed or written by a run: the part a person must have agreed to."""
    return msgspec.json.encode(problem.simulator)


def _migrated_in_memory(path: Path, version: int) -> sqlite3.Connection:
    """An older session that is only read: migrated on a private copy, the file left as it is."""
    with translated(path), tempfile.TemporaryDirectory(prefix="bayescope-") as folder:
        copy = Path(folder) / "copy.bayescope"
        shutil.copyfile(path, copy)
        journal = path.with_name(path.name + "-journal")
        if journal.exists():
            shutil.copyfile(journal, copy.with_name(copy.name + "-journal"))
        migrate(copy, version)
        connect(copy, write=False).close()  # its checks
        return in_memory(copy)


def _try_lock(path: Path, role: str) -> tuple[SessionLock | None, str]:
    """The lock, or None and the reason in words."""
    if not os.access(path, os.W_OK):
        return None, "The file may not be changed, so it was opened for reading only."
    lock = SessionLock(path)
    try:
        lock.acquire(role)
    except Locked as locked:
        return None, f"The session is in use by {locked}, so it was opened for reading only."
    except OSError as error:
        return None, f"The folder cannot be written ({error.strerror}), so the session was opened for reading only."
    return lock, ""
