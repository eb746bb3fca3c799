"""The run log: lines of text with their times, the oldest dropped."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Any

MAX_LOG_ROWS = 20_000  # so that a run of weeks does not fill its session with words
MAX_TEXT = 100_000  # characters of a line: what a program printed may be in it
QUERY = "SELECT at, level, text FROM run_log ORDER BY id"


@dataclass(frozen=True)
class LogEntry:
    """One line of the run log; ``at`` in unix time."""

    at: float
    level: str
    text: str


def add(connection: sqlite3.Connection, level: str, text: str) -> None:
    """One line, now, inside the caller's transaction."""
    text = text.encode("utf-8", "replace").decode()[:MAX_TEXT]
    connection.execute("INSERT INTO run_log (at, level, text) VALUES (?, ?, ?)", (time.time(), level, text))
    connection.execute("DELETE FROM run_log WHERE id <= (SELECT max(id) FROM run_log) - ?", (MAX_LOG_ROWS,))


def entry(row: tuple[Any, ...]) -> LogEntry:
    """Of a row of ``QUERY``, whatever somebody may have put into the file."""
    at = float(row[0]) if isinstance(row[0], (int, float)) else 0.0
    return LogEntry(at, str(row[1])[:100], str(row[2])[:MAX_TEXT])
