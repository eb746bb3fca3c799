"""A finished session file in the place of another, so that neither a power cut nor what a crash left there can spoil it.

SQLite finds the unfinished write of a database by name: a journal that a crash left beside the old file would be played back
into the new one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
from pathlib import Path

from . import atomic
from .atomic import SQLITE_SIDECARS
from .connection import attach, read_version
from .errors import FileIsThere, SessionError


def replace(part: Path, target: Path) -> None:
    """Rename the finished, flushed ``part`` over ``target`` in the same folder; safe on disk when it returns.

    The user agreed to lose what is there. Raises OSError.

    A power cut leaves the old file as it was or the new one.
    """
    if any(os.path.lexists(left) for left in _left_beside(target)):
        _roll_back(target)
        set_aside_leftovers(target)
    atomic.flush_folder(target.parent)
    atomic.put_in_place(part, target, replace=True, over_session=True)


def set_aside_leftovers(path: Path) -> None:
    """Rename what SQLite left beside a file that is gone or about to be replaced; nothing is deleted. Raises OSError."""
    for left in _left_beside(path):
        with contextlib.suppress(FileNotFoundError):
            atomic.move_aside(left)


def set_aside_runs(runs: Path) -> None:
    """Rename the run folders that another session, which is gone, left beside a new one; nothing is deleted. Raises OSError."""
    if os.path.lexists(runs) and not (os.path.isdir(runs) and not os.listdir(runs)):
        atomic.move_aside(runs)


def keep(path: Path, kept: Path) -> None:
    """``kept``: the same content under a second name, safe on disk; nothing happens if there is a file of that name."""
    part = kept.with_name(f".{kept.name}.{secrets.token_hex(4)}.part")
    try:
        with contextlib.suppress(FileIsThere):
            atomic.refuse_existing(kept, replace=False)
            shutil.copy2(path, part)
            atomic.flush_file(part)
            atomic.put_in_place(part, kept, replace=False)
    finally:
        part.unlink(missing_ok=True)


def _left_beside(path: Path) -> list[Path]:
    return [path.with_name(path.name + ending) for ending in SQLITE_SIDECARS]


def _roll_back(path: Path) -> None:
    """Let SQLite finish what a crash interrupted, so that the old file is whole up to the moment it is replaced."""
    try:
        read_version(path)
        with contextlib.closing(attach(path, write=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except (SessionError, sqlite3.Error, OSError):
        return  # no session, or beyond repair: what is beside it is set aside and can still be used by hand
