"""One cell of the measured data, typed over. The file that it came from stays as it is. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.data.rows.censored import of_columns
from bayescope.engine.problem.data.tables.limit_cells import limit_in
from bayescope.engine.problem.data.tables.table_cells import MISSING
from bayescope.engine.problem.definition import DataTable, Problem
from bayescope.engine.problem.numbers.number_text import typed

CORRECTED = " (corrected here)"  # stands behind where the table came from


def corrected(problem: Problem, row: int, column: str, text: str) -> Problem:
    """With ``text`` in ``row`` (from 1) of ``column``, nothing for n/a, - and the like, a limit for <0.05. Raises ValueError
    where it is none of these and a number is needed."""
    data = problem.data
    assert data is not None
    plain = text.strip()
    missing = not plain or plain.casefold() in MISSING
    if column in data.texts:
        labels = list(data.texts[column])
        labels[row - 1] = None if missing else plain
        table = msgspec.structs.replace(data, texts={**data.texts, column: tuple(labels)})
    else:
        limit = None if missing else getattr(limit_in(plain), "text", None)
        cells, limits = list(data.columns[column]), list(data.limits.get(column) or (None,) * len(data.columns[column]))
        cells[row - 1], limits[row - 1] = None if missing or limit is not None else typed(plain), limit
        table = msgspec.structs.replace(
            data, columns={**data.columns, column: tuple(cells)},
            limits=of_columns({**data.limits, column: tuple(limits)}, data.columns),
        )  # fmt: skip
    return msgspec.structs.replace(problem, data=msgspec.structs.replace(table, origin=marked(data)))


def marked(data: DataTable) -> str:
    """Where the table came from, and that it is not any more what stands there."""
    return data.origin if not data.origin or CORRECTED in data.origin else data.origin + CORRECTED
