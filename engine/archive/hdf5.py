"""Tables in HDF5 files: a dataset of records, or arrays of equal length in a group. Nothing is unpickled, no other file opened.

Several may lie in one file: ``SeveralTables`` says which, and one is asked for by its key.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .table import MAX_COLUMNS, MAX_FILE_BYTES, MAX_ROWS, ArchiveError, SeveralTables, Table, names_of, thinned_words

Array = NDArray[np.float64]

MOST_OBJECTS = 20_000  # groups and datasets looked at
NAMES = ("columns", "names", "column_names", "param_names", "parameters")  # attributes in which names of columns are kept
_SHOWN = 5  # columns named in the words of a table
_NUMBERS = "iufb"


@dataclass
class _Found:
    """A table in the file: ``parts`` are (first name, dataset), ``record`` whether it is one dataset of records."""

    key: str
    rows: int
    record: bool
    parts: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def width(self) -> int:
        return sum(len(_cell_names(name, d)) for name, d in self.parts)

    def words(self) -> str:
        names = [n for name, d in self.parts for n in _cell_names(name, d)]
        return f"{self.rows:,} rows: {', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''}"


def read_hdf5(path: Path, inside: str | None = None) -> Table:
    """``inside``: the key of a table, where there are several. Raises ArchiveError."""
    import h5py

    try:
        with h5py.File(path, "r", locking=False) as file:
            chosen = _chosen(path.name, list(_tables(file)), inside)
            return _read(path.name, chosen)
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, MemoryError) as error:
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(
            f"{path.name} cannot be read as HDF5 ({error}).", str(path), "Was it copied completely, and closed by what wrote it?"
        ) from error


def _chosen(file: str, found: list[_Found], inside: str | None) -> _Found:
    if not found:
        raise ArchiveError(
            f"{file} holds no table.", "",
            "One dataset with named columns, or arrays of numbers of equal length in one group, are needed.",
        )  # fmt: skip
    if inside is None and len(found) > 1:
        raise SeveralTables(file, tuple((f.key, f.words()) for f in found))
    match = [f for f in found if inside in (None, f.key)]
    if not match:
        raise SeveralTables(file, tuple((f.key, f.words()) for f in found))
    return match[0]


def _tables(file: Any) -> Iterator[_Found]:
    """In the order of the file. Soft and external links are not followed, and data kept in other files is passed over."""
    import h5py

    datasets: list[Any] = []
    left = MOST_OBJECTS

    def visit(_name: str, item: Any) -> bool | None:
        nonlocal left
        left -= 1
        if isinstance(item, h5py.Dataset) and item.shape and not item.is_virtual and not item.external:
            datasets.append(item)
        return None if left else True

    file.visititems(visit)
    groups: dict[tuple[str, int], _Found] = {}
    for item in datasets:
        folder, _, name = str(item.name).rpartition("/")
        if item.dtype.names:
            if item.ndim == 1:
                yield _Found(str(item.name), int(item.shape[0]), True, [("", item)])
        elif item.dtype.kind in _NUMBERS and item.ndim <= 2 and item.shape[0] > 1 and item.size <= MAX_COLUMNS * item.shape[0]:
            key = (folder, int(item.shape[0]))
            groups.setdefault(key, _Found(folder or "/", key[1], False)).parts.append((name, item))
    for found in _named_by_rows(groups):
        if found.width > 1:
            yield found


def _named_by_rows(groups: dict[tuple[str, int], _Found]) -> Iterator[_Found]:
    """Arrays of several lengths in one group are told apart by their number of rows."""
    folders = [folder for (folder, _), found in groups.items() if found.width > 1]
    for (folder, rows), found in groups.items():
        if folders.count(folder) > 1:
            found.key = f"{found.key} [{rows}]"
        yield found


def _cell_names(name: str, dataset: Any) -> list[str]:
    """Of the columns that a dataset makes: fields of records, one for a line of numbers, several for a matrix."""
    if dataset.dtype.names:
        return [n for field_name in dataset.dtype.names for n in _field_names(field_name, dataset.dtype[field_name])]
    if dataset.ndim == 1:
        return [name]
    return _given_names(name, dataset) or [f"{name}_{k + 1}" for k in range(dataset.shape[1])]


def _field_names(name: str, kind: Any) -> list[str]:
    if kind.base.kind not in _NUMBERS or len(kind.shape) > 1 or max(kind.shape, default=1) > MAX_COLUMNS:
        return []
    return [f"{name}_{k + 1}" for k in range(kind.shape[0])] if kind.shape else [name]


def _is_here(group: Any, name: str) -> bool:
    """Whether it lies in the group itself, so that no other file is opened to look at it."""
    import h5py

    return isinstance(group.get(name, getlink=True), h5py.HardLink) and isinstance(group[name], h5py.Dataset)


def _given_names(name: str, dataset: Any) -> list[str]:
    """Names of a matrix's columns: in an attribute, or beside it as pandas writes them (``block0_values``, ``block0_items``)."""
    found: Any = next((dataset.attrs[a] for a in NAMES if a in dataset.attrs), None)
    beside = name.replace("_values", "_items")
    if found is None and beside != name and _is_here(dataset.parent, beside):
        items = dataset.parent[beside]
        found = items[:] if items.dtype.kind == "S" and items.shape == (dataset.shape[1],) else None
    if isinstance(found, str | bytes):
        found = (found.decode("utf-8", "replace") if isinstance(found, bytes) else found).replace(",", " ").split()
    names = [n.decode("utf-8", "replace") if isinstance(n, bytes) else str(n) for n in (() if found is None else found)]
    return names if len(names) == dataset.shape[1] else []


def _read(file: str, found: _Found) -> Table:
    width = found.width
    if width > MAX_COLUMNS:
        raise ArchiveError(f"{found.key} in {file} has {width:,} columns; at most {MAX_COLUMNS} are possible.")
    if not width:
        raise ArchiveError(f"No column of {found.key} in {file} holds numbers.")
    if sum(int(d.nbytes) for _, d in found.parts) > MAX_FILE_BYTES:
        raise ArchiveError(
            f"{found.key} in {file} has {found.rows:,} rows: more than {MAX_FILE_BYTES // 1024**3} GiB are not read.", "",
            "Write a part of it into a file of its own.",
        )  # fmt: skip
    step = math.ceil(found.rows / MAX_ROWS)
    if 8 * math.ceil(found.rows / step) * width > MAX_FILE_BYTES:  # small numbers become large ones
        raise ArchiveError(f"{found.key} in {file} has {found.rows:,} rows and {width:,} columns: too many to be read at once.")
    notes = [thinned_words(f"{found.key} has {found.rows:,} rows", step)] if step > 1 else []
    columns = [c for name, d in found.parts for c in _columns(name, d, step)]
    values = np.column_stack([column for _, column in columns])
    texts = [n for _, d in found.parts if d.dtype.names for n in d.dtype.names if not _field_names(n, d.dtype[n])]
    if texts:
        notes.append(f"Columns without numbers: {', '.join(texts[:10])}.")
    return Table(names_of(tuple(n for n, _ in columns), width), values, file, tuple(notes), f"HDF5, {found.key}")


def _columns(name: str, dataset: Any, step: int) -> Iterator[tuple[str, Array]]:
    content = dataset[::step]
    if not dataset.dtype.names:
        for column, values in zip(_cell_names(name, dataset), content.reshape(len(content), -1).T, strict=True):
            yield column, np.asarray(values, dtype=float)
        return
    for field_name in dataset.dtype.names:
        names = _field_names(field_name, dataset.dtype[field_name])
        parts = content[field_name].reshape(len(content), -1).T if names else ()
        for column, values in zip(names, parts, strict=True):
            yield column, np.asarray(values, dtype=float)
