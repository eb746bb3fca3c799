"""Opening a session's SQLite database with nothing trusted, and SQLite's errors in words."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

from . import descriptors
from .beside import check_beside, journal_of
from .codec import MAX_STATE_BYTES
from .errors import DamagedSession, NewerSession, NotASession, SessionError
from .schema import HEAD_BYTES, SESSION_VERSION, is_session_head, unexpected_objects

_ROLLBACK_MODE = b"\x01\x01"  # bytes 18 and 19 of the header: changes go through a journal, as we write them
_QUICK_CHECK_BYTES = 64 * 1024 * 1024
RECOVER = 'Choose "Recover" to copy everything readable into a new file; this file stays as it is.'


def read_version(path: Path) -> int:
    """The file's format version, from its first 100 bytes; SQLite never sees a file that is not ours.

    Raises NotASession, NewerSession, or SessionError when the file cannot be read at all.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise NotASession("This is not an ordinary file", str(path))
        head = descriptors.head(path, HEAD_BYTES)
    except FileNotFoundError as error:
        raise SessionError("There is no such file", str(path), "It may have been moved, renamed or deleted.") from error
    except IsADirectoryError as error:
        raise NotASession("This is a folder, not a session file", str(path)) from error
    except OSError as error:
        raise SessionError(
            f"The file cannot be read ({error.strerror})",
            str(path),
            "Check that you may read it and that its disk is connected.",
        ) from error
    if len(head) == 0:
        raise NotASession("The file is empty", str(path), "If it should hold a session, look for a backup copy.")
    if not is_session_head(head):
        raise NotASession(
            "This is not a Bayescope session, or its beginning is damaged",
            str(path),
            'If it was a session, choose "Recover" to look for readable runs in it.',
        )
    version = int.from_bytes(head[60:64], "big")
    if version > SESSION_VERSION:
        raise NewerSession(
            f"This session was made with a newer version of Bayescope (format {version}; this one reads up to {SESSION_VERSION})",
            str(path),
            "Install the newer version to open it. The file was not changed.",
        )
    if version < 1:
        raise DamagedSession("The session has no valid format version", str(path), RECOVER)
    if head[18:20] != _ROLLBACK_MODE:
        raise DamagedSession("The session was changed by another program (its journal mode)", str(path), RECOVER)
    return version


def connect(path: Path, *, write: bool) -> sqlite3.Connection:
    """A checked connection. Reading a session another process writes is fine; a crashed writer's journal is rolled back.

    Raises DamagedSession when tables are missing, changed or broken, or something beside the session leads elsewhere.
    """
    with translated(path):
        connection = _open(path, write)
        try:
            wrong = unexpected_objects(connection)
            if wrong:
                names = ", ".join(wrong)[:200]
                raise DamagedSession(
                    f"The session holds parts it should not hold or lacks some ({names})", str(path), RECOVER
                )
            if path.stat().st_size <= _QUICK_CHECK_BYTES:
                verdict = connection.execute("PRAGMA quick_check(1)").fetchone()
                if verdict is None or verdict[0] != "ok":
                    raise DamagedSession("The session is damaged inside", str(path), RECOVER)
        except BaseException:
            connection.close()
            raise
    return connection


def _open(path: Path, write: bool) -> sqlite3.Connection:
    may_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    if not may_write and not write and journal_of(path).exists():
        with private_copy(path) as copy:
            return in_memory(copy)  # rolling back needs a folder that can be written
    connection = attach(path, write=write or may_write)
    connection.execute("PRAGMA synchronous = EXTRA" if write else "PRAGMA query_only = ON")  # EXTRA: the folder is flushed too
    return connection


def attach(path: Path, *, write: bool) -> sqlite3.Connection:
    """The only place that lets SQLite open a session: nothing beside it, nothing inside it is followed or run.

    ``write`` also rolls an unfinished write back. Raises DamagedSession, sqlite3.Error, OSError.
    """
    check_beside(path)
    connection = sqlite3.connect(
        f"file:{urllib.parse.quote(str(path))}?mode={'rw' if write else 'ro'}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=20.0,
    )
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_STATE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


@contextlib.contextmanager
def private_copy(path: Path) -> Iterator[Path]:
    """The session and its journal in a temporary folder, for what must not change the original. Raises as ``check_beside``."""
    check_beside(path)
    with tempfile.TemporaryDirectory(prefix="bayescope-") as folder:
        copy = Path(folder) / "copy.bayescope"
        shutil.copyfile(path, copy)
        if journal_of(path).exists():
            shutil.copyfile(journal_of(path), journal_of(copy), follow_symlinks=False)
        yield copy


def in_memory(path: Path) -> sqlite3.Connection:
    """The database at ``path`` as a read-only connection to a copy in memory."""
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    source = attach(path, write=True)
    try:
        source.backup(memory)
    finally:
        source.close()
    memory.execute("PRAGMA trusted_schema = OFF")
    memory.execute("PRAGMA query_only = ON")
    return memory


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's and the system's errors as SessionError with what to try."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error).lower()
        if "full" in text or "disk i/o" in text or "too big" in text:
            raise SessionError(
                "The session could not be written: the disk is full, or it stopped accepting data",
                str(path),
                "Free some space or reconnect the disk. Everything saved before this is safe.",
            ) from error
        if "readonly" in text or "unable to open" in text or "permission" in text:
            raise SessionError(
                "The session could not be written: its file or folder cannot be changed or is gone",
                str(path),
                "Check the folder's permissions, or save a copy somewhere else.",
            ) from error
        if "locked" in text or "busy" in text:
            raise SessionError(
                "The session is being written by another program and did not become free",
                str(path),
                "Try again in a moment.",
            ) from error
        raise DamagedSession(f"The session cannot be read ({error})", str(path), RECOVER) from error
    except sqlite3.DatabaseError as error:
        raise DamagedSession(f"The session is damaged ({error})", str(path), RECOVER) from error
    except (UnicodeDecodeError, OverflowError) as error:
        raise DamagedSession("The session holds text or numbers that cannot be read", str(path), RECOVER) from error
    except OSError as error:
        raise SessionError(
            f"The session's file cannot be used ({error.strerror or error})",
            str(path),
            "Check that its disk is connected.",
        ) from error
