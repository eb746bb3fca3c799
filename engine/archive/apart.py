"""Files whose reader is no Python are read in a process of its own: a damaged file can end the reader, or keep it for ever, and
only that. The reader writes one line of JSON (``_Head``) and the columns as float64, one after another.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np

from ..machine.frozen import this_program
from .table import ArchiveError, SeveralTables, Table

OPTION = "--read-table"  # FILE [TABLE]: what this program is started with for the reading (app/cli.py)
HDF5, PARQUET = (".h5", ".hdf5", ".hdf", ".he5"), (".parquet", ".pq")
PATIENCE_S = 300.0  # 2 GiB from a slow disk
MOST_MEMORY = 12 * 1024**3  # bytes of addresses of the reader: five times the largest table


class _Head(msgspec.Struct, frozen=True):
    """``what``: why it cannot be read, a sentence, else empty; ``several``: tables to choose from, else none."""

    what: str = ""
    suggestion: str = ""
    several: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()
    rows: int = 0
    notes: tuple[str, ...] = ()
    words: str = ""


def read_apart(path: Path, inside: str | None = None) -> Table:
    """``inside``: the key of one of several tables in an HDF5 file. Raises ArchiveError, of which ``SeveralTables`` asks."""
    kind, otherwise = ("HDF5" if path.suffix.lower() in HDF5 else "Parquet"), "Save the table as CSV."
    command = [*this_program(), OPTION, str(path.absolute()), *([] if inside is None else [inside])]
    try:
        said = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise ArchiveError(f"{path.name} was not read within {PATIENCE_S:.0f} s.", str(path), otherwise) from error
    except OSError as error:
        raise ArchiveError(f"{path.name} could not be read ({error.strerror or error}).", str(path), otherwise) from error
    line, _, data = said.stdout.partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=_Head)
        if not head.what and not head.several:
            values = np.frombuffer(data, dtype="<f8").reshape(len(head.columns), head.rows).T
    except (msgspec.MsgspecError, ValueError) as error:
        raise ArchiveError(f"{path.name} is damaged: the {kind} reader failed on it.", str(path), otherwise) from error
    if head.several:
        raise SeveralTables(path.name, head.several)
    if head.what:
        raise ArchiveError(head.what, str(path), head.suggestion or otherwise)
    return Table(head.columns, np.ascontiguousarray(values), path.name, head.notes, head.words)


def main(path: Path, inside: str | None = None) -> int:
    """The reader's side; the exit status."""
    _limit_memory()
    table: Table | None = None
    try:
        table = _read(path, inside)
        head = _Head(columns=table.columns, rows=len(table.values), notes=table.notes, words=table.delimiter_words)
    except SeveralTables as error:
        head = _Head(several=error.tables)
    except ArchiveError as error:
        head = _Head(what=error.what, suggestion=error.suggestion)
    except ImportError as error:
        head = _Head(what=f"Files of type {path.suffix} are not read in this installation ({error}).")
    except Exception as error:  # whatever a damaged file leads the reader to
        words = str(error) or type(error).__name__
        head = _Head(what=f"{path.name} cannot be read ({words[:200]}).")
    out = sys.stdout.buffer
    out.write(msgspec.json.encode(head) + b"\n")
    for column in () if table is None else table.values.T:
        out.write(column.astype("<f8").tobytes())
    out.flush()
    return 0


def _read(path: Path, inside: str | None) -> Table:
    if path.suffix.lower() in HDF5:
        from .hdf5 import read_hdf5

        return read_hdf5(path, inside)
    from .parquet import read_parquet

    return read_parquet(path)


def _limit_memory() -> None:
    """A small file can claim pages of any size: better this process ends than that the computer has no memory left."""
    try:
        import resource
    except ImportError:  # Windows
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS does not keep such a limit
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
