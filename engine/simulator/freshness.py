"""Only what this run wrote counts: outputs that were there before, unchanged or with old rows first.

The state of every output file is noted before the program starts and compared afterwards, so that neither clocks nor file
systems have to agree on the time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ..problem.extract import ExtractionError

MAX_BYTES = 256 * 1024 * 1024
CLOCK_SLACK_S = 5.0  # coarse time stamps and clocks of file servers


@dataclass(frozen=True)
class Before:
    """A file as it was before the run; ``size`` -1: not there."""

    size: int = -1
    modified_ns: int = 0
    inode: int = 0
    digest: bytes = b""


def note(path: Path) -> Before:
    """The state of ``path`` now."""
    try:
        stat = path.stat()
        if not path.is_file() or stat.st_size > MAX_BYTES:
            return Before()
        digest = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return Before()
    return Before(stat.st_size, stat.st_mtime_ns, stat.st_ino, digest)


def read_fresh(path: Path, before: Before, started_at: float, name: str) -> bytes:
    """What this run wrote to ``path``. ``started_at``: unix time. Raises ExtractionError with a sentence."""
    try:
        if path.is_dir():
            raise ExtractionError(f"“{name}” is a folder, not a file.")
        stat = path.stat()
    except OSError:
        raise ExtractionError(
            f"The program ended without writing the file “{name}”. Check the name (capital letters count) and the folder."
        ) from None
    if not path.is_file():
        raise ExtractionError(f"“{name}” is not an ordinary file.")
    unchanged = (stat.st_size, stat.st_mtime_ns, stat.st_ino) == (before.size, before.modified_ns, before.inode)
    if before.size >= 0 and unchanged:
        raise ExtractionError(
            f"The file “{name}” is an old one: it was there before this run and the program did not write it. "
            "Look at what the program printed."
        )
    if before.size < 0 and stat.st_mtime < started_at - CLOCK_SLACK_S:
        raise ExtractionError(
            f"The file “{name}” carries a date before this run, so it is a copy of an older result. "
            "Look at what the program printed."
        )
    if stat.st_size > MAX_BYTES:
        raise ExtractionError(
            f"The file “{name}” is {stat.st_size / 1e6:.0f} MB, more than can be read ({MAX_BYTES // 2**20} MB)."
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ExtractionError(f"The file “{name}” cannot be read: {error.strerror}.") from None
    if 0 < before.size < len(data) and hashlib.sha256(data[: before.size]).digest() == before.digest:
        return data[before.size :]
    return data
