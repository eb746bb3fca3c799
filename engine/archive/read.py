"""Any source of earlier evaluations as a table: a file, another session, a folder of tables or of run folders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ..problem.definition import Problem
from ..session.file import SUFFIX
from .appended import tables_in
from .several import together
from .sources import read_run_folders, read_session
from .table import ArchiveError, Table
from .table_file import read_table


def read(
    path: Path,
    problem: Problem,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal_comma: bool | None = None,
    inside: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """Raises ArchiveError or SessionError, both in words."""
    if not path.exists():
        raise ArchiveError("There is no such file or folder.", str(path))
    if path.is_dir():
        tables = tables_in(path)
        if tables and not any(p.is_dir() for p in path.iterdir()):
            return together([read_table(p, delimiter=delimiter, header=header, decimal_comma=decimal_comma) for p in tables])
        return read_run_folders(path, problem, progress)
    if path.suffix == SUFFIX:
        return read_session(path)
    return read_table(path, delimiter=delimiter, header=header, decimal_comma=decimal_comma, inside=inside)


def read_all(
    paths: Sequence[Path],
    problem: Problem,
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    inside: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Table:
    """``read`` for several sources, as one table; ``inside`` is meant for each HDF5 file. Raises as it does."""
    return together(
        [
            read(path, problem, delimiter=delimiter, decimal_comma=decimal_comma, inside=inside, progress=progress)
            for path in paths
        ]
    )
