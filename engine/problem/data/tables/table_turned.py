"""A table on its side, whose quantities are rows: its rows and columns exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..names.column_names import plain_name
from ..units.unit_names import is_unit
from .measured_cells import is_missing
from .table_columns import DataFileError
from .table_lines import Told
from .table_text import Cells, is_number_or_missing

NOTHING = Told()
FEW_ROWS = 12  # a table on its side has few rows, one for each quantity


def turned(cells: Cells, asked: bool | None, outputs: Sequence[str], told: Told = NOTHING) -> tuple[Cells, bool, list[str]]:
    """The cells with rows and columns exchanged, if that was asked for or if the first cells of the rows name outputs; whether
    they were; and notes. ``told``: of columns of the file, by their numbers: none of them gives names."""
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
    columns = {k + 1: tuple(row[k] for row in rows) for k in range(width)}  # by their numbers in the file
    if width < 2:
        raise DataFileError("A table of one column cannot be turned.", "", "Read it as it is in the file.")
    notes = ["Each line of the file is one quantity: the table was turned."] if asked is None else []
    header = None
    if not all(is_number_or_missing(c, cells.decimal_comma) for c in columns[1]):
        header = columns.pop(1)
        free = 2 in columns and 2 not in (*told.out, *told.kept, told.errors)
        if len(columns) > 1 and free and (names := _with_second_labels(header, columns[2], cells.decimal_comma)) is not None:
            if cells.header:
                notes.append(f"“{header[0]}” and “{columns[2][0]}” name the quantities together.")
            del columns[2]
            header = names
    found = replace(cells, rows=tuple(columns.values()), lines=tuple(columns), header=header, turned=True)
    return found, True, notes


def _with_second_labels(first: Sequence[str], second: Sequence[str], decimal_comma: bool) -> tuple[str, ...] | None:
    """Names of the quantities out of two columns of labels: with their units, or where ``first`` alone tells them not apart;
    None: ``second`` does neither."""
    there = [cell for cell in second[1:] if not is_missing(cell)]
    if not there or any(is_number_or_missing(cell, decimal_comma) for cell in there):
        return None
    if all(is_unit(cell) for cell in there):
        return first[0], *(a if is_missing(b) else f"{a} ({b})" for a, b in zip(first[1:], second[1:], strict=True))
    both = [a if is_missing(b) else f"{a} {b}" for a, b in zip(first[1:], second[1:], strict=True)]
    return (first[0], *both) if len(set(first[1:])) < len(both) == len(set(both)) else None
