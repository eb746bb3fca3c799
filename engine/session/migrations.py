"""From older session formats to the present one, always on a copy; the original is kept beside it.

Each step takes format n to n + 1 inside one transaction. The golden files in tests/engine/session/golden, one for each
format, are opened by every later version.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from . import replacing
from .connection import attach, translated
from .errors import SessionError
from .schema import SESSION_VERSION, TABLES

Step = Callable[[sqlite3.Connection], None]


def _add_archive(connection: sqlite3.Connection) -> None:
    """Format 2: evaluations imported from elsewhere have a table of their own."""
    connection.execute(TABLES["archive"])


def _add_attempts(connection: sqlite3.Connection) -> None:
    """Format 3: runs on other computers have a ledger."""
    connection.execute(TABLES["attempts"])


def _nothing(_connection: sqlite3.Connection) -> None:
    """Format 4: an archive may have several parts, a number may stand between gaps of spaces (``Region.by``). Readers of format 3
    would take the first part for all of it; no table is another."""


STEPS: dict[int, Step] = {1: _add_archive, 2: _add_attempts, 3: _nothing}  # format n -> the step that makes it n + 1


def migrate(path: Path, version: int, steps: Mapping[int, Step] = STEPS, target: int = SESSION_VERSION) -> Path:
    """Bring the file at ``path`` from ``version`` to ``target``. Returns where the original was kept.

    The work is done on a copy; only when it succeeded does the copy take the file's name. Raises SessionError with the
    file unchanged.
    """
    missing = [n for n in range(version, target) if n not in steps]
    if missing:
        raise SessionError(
            f"This version cannot read sessions of format {missing[0]}", str(path), "Use the version that made it."
        )
    work = path.with_name(
        f".{path.name}.{secrets.token_hex(4)}.migrating"
    )  # nobody can have put a link of that name there
    kept = path.with_name(f"{path.stem}.format{version}{path.suffix}")
    with translated(path):
        try:
            with contextlib.closing(attach(path, write=True)) as source:
                copy = sqlite3.connect(work, isolation_level=None)
                try:
                    copy.execute("PRAGMA synchronous = EXTRA")
                    source.backup(copy)
                    for n in range(version, target):
                        copy.execute("BEGIN IMMEDIATE")
                        steps[n](copy)
                        copy.execute(f"PRAGMA user_version = {n + 1}")
                        copy.execute("COMMIT")
                finally:
                    copy.close()
            replacing.keep(path, kept)
            replacing.replace(work, path)
        finally:
            work.unlink(missing_ok=True)
    return kept
