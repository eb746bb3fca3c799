"""Tables in Parquet files: columns of numbers, and lists of numbers as several columns. A damaged file can end fastparquet's
compiled parts: ``apart`` reads them in a process of its own."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from .table import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, ArchiveError, Table, thinned_words

_NUMBERS = "iufb"
_NUMERIC_TYPES = (1, 2, 4, 5)  # INT32, INT64, FLOAT, DOUBLE
MOST_LIST_CELLS = 20_000_000  # each is a Python object for a moment
_OTHERWISE = "Save the table as CSV, or write the Parquet file with the usual settings of pandas, polars or Arrow."


def read_parquet(path: Path) -> Table:
    """Raises ArchiveError."""
    try:
        return _read(path)
    except (ArchiveError, ImportError):
        raise
    except Exception as error:  # whatever a damaged file leads the reader to
        words = str(error) or type(error).__name__
        raise ArchiveError(f"{path.name} cannot be read as Parquet ({words[:200]}).", str(path), _OTHERWISE) from error


def _read(path: Path) -> Table:
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            raise ArchiveError(f"{path.name} is no Parquet file.")
    import fastparquet

    found = fastparquet.ParquetFile(str(path))
    rows, kinds = int(found.count()), found.dtypes
    numbers = [c for c in found.columns if kinds[c].kind in _NUMBERS]
    lists = [c for c in found.columns if c not in numbers and _is_list(found, c)]
    others = [c for c in found.columns if c not in (*numbers, *lists)]
    if not (numbers or lists) or not rows:
        raise ArchiveError(f"{path.name} holds no column of numbers.")
    if len(numbers) > MAX_COLUMNS:
        raise ArchiveError(f"{path.name} has {len(numbers):,} columns; at most {MAX_COLUMNS} are possible.")
    if 8 * rows * len(numbers) > MAX_FILE_BYTES:
        raise ArchiveError(f"{path.name} has {rows:,} rows: more than {MAX_FILE_BYTES // 1024**3} GiB are not read.")
    step = math.ceil(rows / MAX_ROWS)
    notes = [thinned_words(f"The file has {rows:,} rows", step)] if step > 1 else []
    if others:
        notes.append(f"Columns without numbers: {', '.join(map(str, others[:10]))}.")
    cells = sum(_values_of(found, c) for c in lists)
    if cells > MOST_LIST_CELLS:
        raise ArchiveError(f"{path.name} has {cells:,} numbers in lists; at most {MOST_LIST_CELLS:,} are read.")
    frame = found.to_pandas(columns=[*numbers, *lists], index=False)
    columns = [frame[c].to_numpy(dtype=float, na_value=math.nan)[::step] for c in numbers]
    names = list(map(str, numbers))
    for c in lists:
        block = _block(frame[c][::step])
        names += [f"{c}[{k}]" for k in range(block.shape[1])]
        columns += list(block.T)
    if len(columns) > MAX_COLUMNS:
        raise ArchiveError(f"{path.name} has {len(columns):,} columns; at most {MAX_COLUMNS} are possible.")
    return Table(tuple(names), np.column_stack(columns), path.name, tuple(notes), "Parquet")


def _element(found: Any, column: str) -> Any:
    return found.schema.root["children"][column]


def _is_list(found: Any, column: str) -> bool:
    """Whether each cell is a list of numbers."""
    element, levels = _element(found, column), 0
    while children := element.get("children"):
        if len(children) != 1:
            return False
        element, levels = next(iter(children.values())), levels + 1
    repeated = levels in (1, 2)  # LIST of one level, in the present form or an older one
    return repeated and element.type in _NUMERIC_TYPES and element.converted_type is None


def _values_of(found: Any, column: str) -> int:
    """Numbers in a column of lists, as the file says."""
    chunks = [c.meta_data for group in found.row_groups for c in group.columns]
    return sum(int(m.num_values) for m in chunks if _text(m.path_in_schema[0]) == column)


def _text(name: Any) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def _block(cells: Iterable[Any]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Lists, None for a missing one, as (n, longest), NaN where there is nothing."""
    rows = [np.atleast_1d(np.asarray([] if cell is None else cell, dtype=float)) for cell in cells]
    longest = max((len(row) for row in rows), default=0)
    if longest > MAX_COLUMNS:
        raise ArchiveError(f"A list has {longest:,} numbers; at most {MAX_COLUMNS} are possible.")
    block = np.full((len(rows), longest), math.nan)
    for k, row in enumerate(rows):
        block[k, : len(row)] = row
    return block
