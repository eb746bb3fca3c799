"""The files beside a session: what a stranger put there must never lead SQLite, or us, to another file.

A journal that was left by a crash is rolled back on the next opening. A crafted one can name a *super-journal* anywhere on the
disk, which SQLite then deletes; a link can lead to any file, which SQLite then writes or deletes.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .errors import DamagedSession, SessionError

_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_TRAILER = 16  # bytes: length of the super-journal's name, its checksum, magic (SQLite file format, section 2)
_SUFFIX = ".bayescope"  # of sessions (file.SUFFIX)
_UNSYNCED = 12  # bytes of a header that are zero until the journal is on disk
_HEADER = 28  # bytes of a journal's header that are in use
_FOREIGN = "Bayescope did not write it. Move it away, or choose “Recover” to copy everything readable into a new file."


def check_beside(path: Path) -> None:
    """Raises DamagedSession if a file beside the session ``path`` could make SQLite touch any file but the two.

    SQLite itself must not have looked at ``path`` before.
    """
    for suffix in ("-wal", "-shm"):
        other = path.with_name(path.name + suffix)
        if os.path.lexists(other):
            raise DamagedSession(f"There is a file “{other.name}” beside the session", str(path), _FOREIGN)
    journal = journal_of(path)
    try:
        status = os.lstat(journal)
    except FileNotFoundError:
        return
    except OSError as error:
        raise SessionError(f"The session's journal cannot be looked at ({error.strerror})", str(path)) from error
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        raise DamagedSession(f"The journal “{journal.name}” beside the session is a link", str(path), _FOREIGN)
    try:
        if not path.name.endswith(_SUFFIX) and not _is_a_journal(journal):  # with it the journal's name is ours alone
            raise DamagedSession(f"The file “{journal.name}” beside the session is no journal", str(path), _FOREIGN)
        foreign = names_a_super_journal(journal) or claims_too_much(journal, path)
    except FileNotFoundError:
        return  # another process has just ended its write
    if foreign:
        raise DamagedSession(
            f"The journal “{journal.name}” beside the session refers to other files", str(path), _FOREIGN
        )


def journal_of(path: Path) -> Path:
    """Where SQLite keeps the beginning of a write that has not ended."""
    return path.with_name(path.name + "-journal")


def _is_a_journal(journal: Path) -> bool:
    """Whether it begins as SQLite's do: it would delete anything else, which a power cut may also have left."""
    with journal.open("rb") as file:
        head = file.read(_HEADER)
    return head.startswith(_JOURNAL_MAGIC) or not head[:_UNSYNCED].strip(b"\0")


def names_a_super_journal(journal: Path) -> bool:
    """Whether SQLite would find the name of a super-journal at the end of ``journal`` (its ``readSuperJournal``)."""
    with journal.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size < _TRAILER:
            return False
        file.seek(size - _TRAILER)
        trailer = file.read(_TRAILER)
        length, checksum = int.from_bytes(trailer[:4], "big"), int.from_bytes(trailer[4:8], "big")
        if trailer[8:] != _JOURNAL_MAGIC or not 0 < length <= size - _TRAILER:
            return False
        file.seek(size - _TRAILER - length)
        name = file.read(length)
    # SQLite adds the name's signed characters up
    return checksum in (sum(name) % 2**32, sum(b - 256 * (b > 127) for b in name) % 2**32)


def claims_too_much(journal: Path, path: Path) -> bool:
    """Whether rolling back would make the session larger than it and its journal are together: no real journal does."""
    with journal.open("rb") as file:
        head = file.read(_HEADER)
        size = file.seek(0, os.SEEK_END)
    if len(head) < _HEADER or not head.startswith(_JOURNAL_MAGIC):
        return False  # not a hot journal: SQLite ignores it
    pages, page_size = int.from_bytes(head[16:20], "big"), int.from_bytes(head[24:28], "big")
    return pages * page_size > os.stat(path).st_size + size
