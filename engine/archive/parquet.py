"""Tables in Parquet files, read in a process of its own: a damaged file can end the reader, which is no Python, and only that.

The reader writes one line of JSON (``_Head``) and the columns as float64, one after another.
"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np

from ..machine.frozen import this_program
from .table import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, ArchiveError, Table, thinned_words

OPTION = "--read-parquet"  # FILE: what this program is started with for the reading (app/cli.py)
PATIENCE_S = 300.0  # 2 GiB from a slow disk
_NUMBERS = "iufb"
_OTHERWISE = "Save the table as CSV, or write the Parquet file with the usual settings of pandas, polars or Arrow."


class _Head(msgspec.Struct, frozen=True):
    """``what``: why it cannot be read, a sentence; else empty."""

    what: str = ""
    columns: tuple[str, ...] = ()
    rows: int = 0
    notes: tuple[str, ...] = ()


def read_parquet(path: Path) -> Table:
    """Raises ArchiveError."""
    try:
        said = subprocess.run(
            [*this_program(), OPTION, str(path.absolute())], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise ArchiveError(f"{path.name} was not read within {PATIENCE_S:.0f} s.", str(path), _OTHERWISE) from error
    except OSError as error:
        raise ArchiveError(f"{path.name} could not be read ({error.strerror or error}).", str(path), _OTHERWISE) from error
    line, _, data = said.stdout.partition(b"\n")
    try:
        head = msgspec.json.decode(line, type=_Head)
        if not head.what:
            values = np.frombuffer(data, dtype="<f8").reshape(len(head.columns), head.rows).T
    except (msgspec.MsgspecError, ValueError) as error:
        raise ArchiveError(f"{path.name} is damaged: the Parquet reader failed on it.", str(path), _OTHERWISE) from error
    if head.what:
        raise ArchiveError(head.what, str(path), _OTHERWISE)
    return Table(head.columns, np.ascontiguousarray(values), path.name, head.notes, "Parquet")


def main(path: Path) -> int:
    """The reader's side; the exit status."""
    try:
        head, columns = _read(path)
    except ArchiveError as error:
        head, columns = _Head(what=error.what), []
    except ImportError as error:
        head, columns = _Head(what=f"Parquet files are not read in this installation ({error})."), []
    except Exception as error:  # whatever a damaged file leads the reader to
        words = str(error) or type(error).__name__
        head, columns = _Head(what=f"{path.name} cannot be read as Parquet ({words[:200]})."), []
    out = sys.stdout.buffer
    out.write(msgspec.json.encode(head) + b"\n")
    for column in columns:
        out.write(column.astype("<f8").tobytes())
    out.flush()
    return 0


def _read(path: Path) -> tuple[_Head, list[np.ndarray[tuple[int], np.dtype[np.float64]]]]:
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            raise ArchiveError(f"{path.name} is no Parquet file.")
    import fastparquet

    found = fastparquet.ParquetFile(str(path))
    rows, kinds = int(found.count()), found.dtypes
    numbers = [c for c in found.columns if kinds[c].kind in _NUMBERS]
    others = [c for c in found.columns if c not in numbers]
    if not numbers or not rows:
        raise ArchiveError(f"{path.name} holds no column of numbers.")
    if len(numbers) > MAX_COLUMNS:
        raise ArchiveError(f"{path.name} has {len(numbers):,} columns; at most {MAX_COLUMNS} are possible.")
    if 8 * rows * len(numbers) > MAX_FILE_BYTES:
        raise ArchiveError(f"{path.name} has {rows:,} rows: more than {MAX_FILE_BYTES // 1024**3} GiB are not read.")
    step = math.ceil(rows / MAX_ROWS)
    notes = [thinned_words(f"The file has {rows:,} rows", step)] if step > 1 else []
    if others:
        notes.append(f"Columns without numbers: {', '.join(map(str, others[:10]))}.")
    frame = found.to_pandas(columns=numbers, index=False)
    columns = [frame[c].to_numpy(dtype=float, na_value=math.nan)[::step] for c in numbers]
    return _Head("", tuple(map(str, numbers)), len(columns[0]), tuple(notes)), columns
