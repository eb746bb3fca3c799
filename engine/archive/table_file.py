"""A table of numbers from a file of any kind that is read."""

from __future__ import annotations

from pathlib import Path

from ..problem.errors import ProblemError
from ..problem.text_files import check_ordinary, read_bytes
from .apart import HDF5, PARQUET, read_apart
from .table import MAX_FILE_BYTES, ArchiveError, Table, parse, read_npy


def read_table(
    path: Path,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal_comma: bool | None = None,
    inside: str | None = None,
) -> Table:
    """None: find out. ``inside``: the key of one of several tables in an HDF5 file. Raises ArchiveError, of which
    ``SeveralTables`` asks for a choice."""
    try:
        check_ordinary(path)  # a named pipe would be waited for
        suffix = path.suffix.lower()
        if suffix == ".npy":
            return read_npy(path)
        if suffix in (*HDF5, *PARQUET):
            return read_apart(path, inside)
        if suffix in (".npz", ".mat", ".pkl", ".pickle", ".xlsx", ".xls", ".feather"):
            raise ArchiveError(
                f"Files of type {path.suffix} are not read.", str(path),
                "Save the table as CSV, Parquet or HDF5, or a plain array as .npy.",
            )  # fmt: skip
        data = read_bytes(path, MAX_FILE_BYTES)
        return parse(data, path.name, delimiter=delimiter, header=header, decimal_comma=decimal_comma)
    except ArchiveError:
        raise
    except ProblemError as error:
        raise ArchiveError(error.what, error.where or str(path), error.suggestion) from error
