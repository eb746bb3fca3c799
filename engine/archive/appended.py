"""Rows that others append to text tables: what is new since the last look, up to the last whole line.

A file is known again by its first line and by what stood before the place where the last look ended. One that was truncated or
replaced is read from its beginning; what is in the analysis already is not taken twice (``additions``).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..problem.errors import ProblemError
from ..session.watched import MOST_FILES, FileRead
from .several import together
from .table import ArchiveError, Table, parse

SUFFIXES = (".csv", ".tsv", ".txt", ".dat")
MOST_AT_ONCE = 64 * 1024**2  # bytes of one look
LAST_BYTES = 1024  # before the end of the last look, by which a file is known again
_COMMENTS = (b"#", b"%", b"!", b"//")


@dataclass(frozen=True)
class Look:
    """``table``: the new rows, None if there are none. ``files``: how far each file was read; ``words``: what is out of the
    ordinary, a sentence."""

    table: Table | None
    files: tuple[FileRead, ...]
    words: str = ""


def may_be_watched(paths: Sequence[Path]) -> bool:
    """One text table, or a folder: of tables, or of run folders."""
    return len(paths) == 1 and (paths[0].is_dir() or paths[0].suffix.lower() in SUFFIXES)


def tables_in(folder: Path) -> list[Path]:
    """Text tables in a folder, by name; empty where it cannot be read."""
    try:
        return sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())[:MOST_FILES]
    except OSError:
        return []


def look(path: Path, known: Sequence[FileRead], delimiter: str | None = None, decimal_comma: bool | None = None) -> Look:
    """``path``: a file or a folder of files. Raises ArchiveError when rows cannot be read as those before; try again later."""
    before = {k.name: k for k in known}
    if path.is_dir():
        files = tables_in(path)
    else:
        files = [path] if path.is_file() else []
    gone = [name for name in before if name not in {p.name for p in files}]
    words = [f"{name} is not there any more; it is looked for." for name in gone[:3]] if gone else []
    if not files and not words:
        words = [f"There is nothing to read in {path.name}."]
    tables, after = [], [before[name] for name in gone]
    for file in files:
        at = before.get(file.name, FileRead(file.name))
        try:
            data, now, again = _read_to(file, at)
            if not data and now.read == at.read and file.stat().st_size - at.read > MOST_AT_ONCE:
                words.append(f"{file.name} has no end of a line within {MOST_AT_ONCE // 1024**2} MB; it is not read on.")
            if again:
                words.append(f"{file.name} was shortened or replaced; it is read from its beginning, without what is known.")
            if data and (table := _table(data, at, now, file.name, delimiter, decimal_comma)) is not None:
                tables.append(table)
        except OSError as error:
            words.append(f"{file.name} cannot be read ({error.strerror or error}).")
            now = at
        after.append(now)
    return Look(together(tables) if tables else None, tuple(after), " ".join(words))


def _read_to(file: Path, at: FileRead) -> tuple[bytes, FileRead, bool]:
    """The file's head (to its first line that is no comment) and its new whole lines; how far it is read then; whether it is
    another file than the one that was read before. Raises OSError."""
    with file.open("rb") as opened:
        size = opened.seek(0, 2)
        opened.seek(0)
        head = _head(opened.read(LAST_BYTES * 64))
        again = at.read > 0 and (size < at.read or zlib.crc32(head) != at.first or _before(opened, at.read) != at.last)
        start = 0 if again else at.read
        opened.seek(start)
        new = opened.read(MOST_AT_ONCE)
        new = new[: new.rfind(b"\n") + 1]
        if not new:
            return b"", at if not again else FileRead(file.name), again
        end = start + len(new)
        now = FileRead(file.name, end, zlib.crc32(head), _before(opened, end))
    return (new if start == 0 else head + new), now, again


def _before(opened: object, end: int) -> int:
    start = max(0, end - LAST_BYTES)
    opened.seek(start)  # type: ignore[attr-defined]
    return zlib.crc32(opened.read(end - start))  # type: ignore[attr-defined]


def _head(data: bytes) -> bytes:
    """Comments and the line after them: the names of the columns, or the first row where there are none."""
    end = 0
    for line in data.splitlines(keepends=True):
        end += len(line)
        if line.strip() and not line.lstrip().startswith(_COMMENTS):
            break
    return data[:end]


def _table(
    data: bytes, at: FileRead, now: FileRead, name: str, delimiter: str | None, decimal_comma: bool | None
) -> Table | None:
    """None: a head without rows. The head of a file without names is its first row, which has been read before."""
    if not data.strip() or data == _head(data):
        return None
    try:
        table = parse(data, name, delimiter=delimiter, decimal_comma=decimal_comma)
    except ProblemError as error:
        raise ArchiveError(f"The new rows of {name} cannot be read: {error.what}", name, error.suggestion) from error
    began = at.read > 0 and at.first == now.first
    values = table.values[1:] if began and table.columns[0] == "column 1" else table.values
    return Table(table.columns, np.asarray(values), name, table.notes, table.delimiter_words) if len(values) else None
