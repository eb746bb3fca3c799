"""A file or folder to which others append evaluations, as a session remembers it. Only what is read; nothing in it is run."""

from __future__ import annotations

import msgspec

MOST_FILES = 1_000  # of a folder


class FileRead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a file was read: bytes up to the end of a line, CRC-32 of the first line and of the last bytes before that."""

    name: str
    read: int = 0
    first: int = 0
    last: int = 0


class Watched(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``path``: the file or folder. ``columns``, ``value``, ``meaning``, ``sd``: as in ``archive.mapping.Mapped``; ``outputs``,
    in their place: as in ``archive.output_columns.MappedOutputs``. ``folders``: where each of its folders is a run, those that
    were taken (empty: none yet); None: tables are watched."""

    path: str
    columns: dict[str, str]
    value: str = ""
    meaning: str = ""
    sd: str | None = None
    delimiter: str | None = None
    decimal_comma: bool | None = None
    files: tuple[FileRead, ...] = ()
    outputs: dict[str, tuple[str, ...]] = {}
    folders: tuple[str, ...] | None = None
