"""Reading table rows straight from the pages of a SQLite file, when SQLite itself cannot find its way any more.

Format: https://www.sqlite.org/fileformat2.html, sections 1.6 (b-tree pages), 2.1 (records) and 1.6 (overflow). Every page is
looked at on its own; what is no leaf of a table, or does not add up, is passed over. Callers recognise their rows by number of
cells and checksum.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

_LEAF_TABLE = 0x0D
_HEADER = 100
MAX_PAYLOAD = 256 * 1024 * 1024  # bytes of one value; a state of 20,000 evaluations has a tenth


def page_size_of(data: bytes) -> int:
    """From the header if it is believable, else SQLite's default."""
    size = int.from_bytes(data[16:18], "big") if len(data) >= 18 else 0
    size = 65536 if size == 1 else size
    return size if 512 <= size <= 65536 and size & (size - 1) == 0 else 4096


def rows(data: bytes, page_size: int) -> Iterator[tuple[int, list[Any]]]:
    """(rowid, cells) of every record of every page that still reads as a table's leaf."""
    for number in range(len(data) // page_size):
        start = number * page_size
        head = start + (_HEADER if number == 0 else 0)
        if data[head] != _LEAF_TABLE:
            continue
        (count,) = struct.unpack_from(">H", data, head + 3)
        for k in range(min(count, page_size // 4)):
            at = head + 8 + 2 * k
            if at + 2 > start + page_size:
                break
            (offset,) = struct.unpack_from(">H", data, at)
            try:
                found = _cell(data, start + offset, start + page_size, page_size)
            except (IndexError, ValueError, struct.error):
                continue
            if found is not None:
                yield found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for k in range(9):
        byte = data[at + k]
        if k == 8:
            return (value << 8) | byte, at + 9
        value = (value << 7) | (byte & 0x7F)
        if not byte & 0x80:
            return value, at + k + 1
    raise ValueError("no varint")


def _cell(data: bytes, at: int, end: int, page_size: int) -> tuple[int, list[Any]] | None:
    length, at = _varint(data, at)
    rowid, at = _varint(data, at)
    rowid = rowid - 2**64 if rowid >= 2**63 else rowid
    if not 0 < length <= min(MAX_PAYLOAD, len(data)):
        return None
    return rowid, _record(_payload(data, at, end, length, page_size))


def _payload(data: bytes, at: int, end: int, length: int, page_size: int) -> bytes:
    """The record's bytes, followed through overflow pages."""
    most = page_size - 35
    if length <= most:
        if at + length > end:
            raise ValueError("a record reaches beyond its page")
        return data[at : at + length]
    least = (page_size - 12) * 32 // 255 - 23
    local = least + (length - least) % (page_size - 4)
    local = local if local <= most else least
    parts, left = [data[at : at + local]], length - local
    page = int.from_bytes(data[at + local : at + local + 4], "big")
    seen: set[int] = set()
    while left > 0:
        start = (page - 1) * page_size
        if page in seen or not 0 < page <= len(data) // page_size:
            raise ValueError("a record's rest is not there")
        seen.add(page)
        part = data[start + 4 : start + 4 + min(left, page_size - 4)]
        parts.append(part)
        left -= len(part)
        page = int.from_bytes(data[start : start + 4], "big")
    return b"".join(parts)


_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


def _record(payload: bytes) -> list[Any]:
    """Cells of a record: None, int, float, str or bytes. Raises ValueError when header and body disagree."""
    size, at = _varint(payload, 0)
    kinds = []
    while at < size:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != size or len(kinds) > 64:
        raise ValueError("no record")
    cells: list[Any] = []
    for kind in kinds:
        length = _INTEGERS.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        part = payload[at : at + length]
        if len(part) != length or kind in (10, 11):
            raise ValueError("no record")
        at += length
        if kind == 0:
            cells.append(None)
        elif kind in _INTEGERS:
            cells.append(int.from_bytes(part, "big", signed=True))
        elif kind == 7:
            cells.append(struct.unpack(">d", part)[0])
        elif kind in (8, 9):
            cells.append(kind - 8)
        else:
            cells.append(part if kind % 2 == 0 else part.decode("utf-8"))
    if at != len(payload):
        raise ValueError("no record")
    return cells
