"""The first bytes of a session, read beside SQLite in one process.

Closing any descriptor of a file drops the POSIX locks that this process holds on it, SQLite's among them ("How to corrupt an
SQLite database file", 2.2). So a plain descriptor of a file that is open as a database stays open until that is closed.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

_Key = tuple[int, int]  # device, inode

_guard = threading.Lock()
_databases: dict[_Key, int] = {}  # connections of this process
_kept: dict[_Key, int] = {}  # descriptors that wait for the last connection to be closed


def opened(identity: os.stat_result) -> None:
    """A database connection to this file was opened."""
    with _guard:
        key = _key(identity)
        _databases[key] = _databases.get(key, 0) + 1


def closed(identity: os.stat_result) -> None:
    """A connection was closed; after the last one the plain descriptor goes too."""
    with _guard:
        key = _key(identity)
        _databases[key] = _databases.get(key, 1) - 1
        if _databases[key] <= 0:
            del _databases[key]
            if key in _kept:
                os.close(_kept.pop(key))


def head(path: Path, count: int) -> bytes:
    """The first ``count`` bytes of a regular file. Raises OSError."""
    with _guard:
        key = _key(os.stat(path))
        if key in _kept:
            return os.pread(_kept[key], count, 0)
        # not blocking: a pipe of that name would never answer
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            return os.read(descriptor, count)
        finally:
            if key in _databases:
                _kept[key] = descriptor
            else:
                os.close(descriptor)


def never_waiting(path: str | Path, flags: int) -> int:
    """An opener for ``open``: only for ordinary files, and a read that would wait for somebody raises OSError instead."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no ordinary file", str(path))
    return descriptor


def _key(identity: os.stat_result) -> _Key:
    return identity.st_dev, identity.st_ino
