"""Outputs of which nothing was measured: the column of their name holds no value in the file. Nothing is asked of them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bayescope.engine.problem.data.names.column_names import same_names, sd_columns
from bayescope.engine.problem.definition import DataTable, Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.session.read_files import ReadFile
from bayescope.gui.models.archive.import_columns import ColumnRow, made


def emptied(table: DataTable, rows: Sequence[ColumnRow], by: str) -> tuple[str, ...]:
    """Columns that the split of ``table`` by the column ``by`` would make if no value were missing: the failed gauge of one load
    case. ``rows``: how its columns are used."""
    if not by:
        return ()
    columns = {name: tuple(0.0 if v is None else v for v in cells) for name, cells in table.columns.items()}
    try:
        there, every = made(table, rows, by), made(msgspec.structs.replace(table, columns=columns), rows, by)
    except ProblemError:
        return ()
    sds = sd_columns(list(every.columns))
    return tuple(name for name in every.columns if name not in there.columns and name not in sds)


def unmeasured(problem: Problem, files: Iterable[ReadFile]) -> frozenset[str]:
    """The outputs named like a column of one of ``files`` that holds no value, and like none that does."""
    empty = tuple(dict.fromkeys(name for one in files for name in one.empty))
    if not empty or problem.data is None:
        return frozenset()
    outputs = [o.name for o in problem.outputs]
    return frozenset(same_names(outputs, empty)) - frozenset(same_names(outputs, list(problem.data.columns)))
