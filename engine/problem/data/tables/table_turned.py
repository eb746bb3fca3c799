"""A table on its side, whose quantities are rows: its rows and columns exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..names.column_names import plain_name
from .table_columns import DataFileError
from .table_text import Cells, is_number_or_missing

FEW_ROWS = 12  # a table on its side has few rows, one for each quantity


def turned(cells: Cells, asked: bool | None, outputs: Sequence[str]) -> tuple[Cells, bool, list[str]]:
    """The cells with rows and columns exchanged, if that was asked for or if the first cells of the rows name outputs."""
    rows = [*([cells.header] if cells.header else []), *cells.rows]
    if len(rows) > FEW_ROWS and not asked:
        return cells, False, []
    first = [row[0] for row in rows]
    numbers = [all(is_number_or_missing(c, cells.decimal_comma) for c in row[1:]) for row in rows]
    labels = not any(is_number_or_missing(c, cells.decimal_comma) for c in first[1:])
    on_its_side = len(rows) > 1 and len(rows[0]) > 2 and labels and all(numbers)
    known = {plain_name(o) for o in outputs}
    turn = asked
    if turn is None:
        turn = on_its_side and sum(plain_name(c) in known for c in first) * 2 >= len(first) > 1
    if not turn:
        hint = "If each line is one quantity, say that the table is to be turned." if on_its_side else ""
        return cells, False, [hint] if hint else []
    width = len(rows[0])
    columns = [tuple(row[k] for row in rows) for k in range(width)]
    if width < 2:
        raise DataFileError("A table of one column cannot be turned.", "", "Read it as it is in the file.")
    lines = tuple(cells.lines[:1]) * (width - 1)
    header = columns[0] if not all(is_number_or_missing(c, cells.decimal_comma) for c in columns[0]) else None
    body = columns[1:] if header is not None else columns
    if header is None:
        lines = (*lines, cells.lines[0])
    found = replace(cells, rows=tuple(body), lines=lines, header=header)
    return found, True, ["Each line of the file is one quantity: the table was turned."] if asked is None else []
