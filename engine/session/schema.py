"""The tables of a session file, format version 4.

Every row of the tables that matter carries ``crc``, the CRC-32 of its other cells: SQLite finds damage to its own
structure, not to the contents.
"""

from __future__ import annotations

import sqlite3

from . import attempts

APPLICATION_ID = 0x42_53_63_6F  # "BSco"
SQLITE_MAGIC = b"SQLite format 3\x00"
HEAD_BYTES = 100  # SQLite's header
SESSION_VERSION = 4

TABLES: dict[str, str] = {
    # problem, notes, origin machine, signature of the commands
    "meta": "CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL, crc INTEGER NOT NULL)",
    "asks": (
        "CREATE TABLE asks (idx INTEGER PRIMARY KEY, u BLOB NOT NULL, told_before INTEGER NOT NULL, "
        "purpose TEXT NOT NULL, crc INTEGER NOT NULL)"
    ),
    "evaluations": (
        "CREATE TABLE evaluations (idx INTEGER PRIMARY KEY, ord INTEGER NOT NULL UNIQUE, u BLOB NOT NULL, "
        "vals TEXT NOT NULL, outcome TEXT NOT NULL, log_likelihood REAL, log_prior REAL, log_target REAL, "
        "noise_sd REAL NOT NULL, duration_s REAL NOT NULL, started_at REAL NOT NULL, reason TEXT NOT NULL, "
        "run_folder TEXT NOT NULL, outputs BLOB NOT NULL, purpose TEXT NOT NULL, crc INTEGER NOT NULL)"
    ),
    "iterations": (
        "CREATE TABLE iterations (iteration INTEGER PRIMARY KEY, n_evaluations INTEGER NOT NULL, "
        "answer BLOB NOT NULL, bulky BLOB, crc INTEGER NOT NULL)"
    ),
    "checkpoints": (
        "CREATE TABLE checkpoints (id INTEGER PRIMARY KEY, told INTEGER NOT NULL, state BLOB NOT NULL, crc INTEGER NOT NULL)"
    ),
    # evaluations imported from elsewhere: one row for each part, as it was added
    "archive": (
        "CREATE TABLE archive (id INTEGER PRIMARY KEY, names TEXT NOT NULL, meaning TEXT NOT NULL, points BLOB NOT NULL, "
        "vals BLOB NOT NULL, sds BLOB NOT NULL, source TEXT NOT NULL, notes TEXT NOT NULL, crc INTEGER NOT NULL)"
    ),
    "attempts": attempts.TABLE,
    "run_log": "CREATE TABLE run_log (id INTEGER PRIMARY KEY, at REAL NOT NULL, level TEXT NOT NULL, text TEXT NOT NULL)",
}
EVALUATION_COLUMNS = (
    "idx", "ord", "u", "vals", "outcome", "log_likelihood", "log_prior", "log_target", "noise_sd",
    "duration_s", "started_at", "reason", "run_folder", "outputs", "purpose",
)  # fmt: skip


def is_session_head(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a session: SQLite's header with our application id."""
    return len(head) >= HEAD_BYTES and head.startswith(SQLITE_MAGIC) and int.from_bytes(head[68:72], "big") == APPLICATION_ID


def create_tables(connection: sqlite3.Connection) -> None:
    """Fill an empty database; must run inside a transaction."""
    for statement in TABLES.values():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SESSION_VERSION}")


def unexpected_objects(connection: sqlite3.Connection) -> list[str]:
    """Names in the file that are not exactly our tables: a trigger or view would run when we read or write."""
    found = {str(name): sql for name, sql in connection.execute("SELECT name, sql FROM sqlite_schema")}
    wrong = [name for name, sql in found.items() if not name.startswith("sqlite_") and TABLES.get(name) != sql]
    wrong += [name for name, sql in found.items() if name.startswith("sqlite_") and sql is not None]
    wrong += [name for name in TABLES if name not in found]
    return sorted(wrong)
