"""The rows of a table that are of one quantity, those without its value included; and which of them an output's values are of.

A table may hold several quantities below each other. A row belongs to a quantity where its value stands, and where it is missing
from a row of the same kind: a date with no count beside it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ... import definition as d
from ..names.column_names import sd_columns
from . import pairing
from .censored import has_value

Flags = NDArray[np.bool_]
_FOUND: deque[tuple[d.DataTable, str, tuple[Flags, Flags]]] = deque(maxlen=8)  # of the columns that were looked at last

_STRANGE: deque[tuple[d.DataTable, str, bool]] = deque(maxlen=8)


def measured_rows(data: d.DataTable, column: str) -> Flags:
    """Where the column of numbers has a value, or a limit of one (n,)."""
    numbers = np.array([v is None or v == v for v in data.columns[column]], dtype=bool)
    return np.asarray(numbers & np.array(has_value(data, column), dtype=bool))


def own_rows(data: d.DataTable, column: str) -> Flags:
    """The rows (n,) of the quantity in ``column``, those that lack its value included.

    Such a row has a cell in a column that rows with the value use too, and none in a column that only other rows use. Where all
    rows with the value have one label in common (the name of the quantity, say), it has that label; else no row of another
    quantity stands between it and them.
    """
    there = measured_rows(data, column)
    if there.all() or not there.any():
        return there
    shared, foreign = np.zeros(len(there), dtype=bool), np.zeros(len(there), dtype=bool)
    other_label, labelled = foreign.copy(), False
    for name, cells in ((n, c) for table in (data.columns, data.texts) for n, c in table.items() if n != column):
        if len(cells) != len(there):
            continue
        filled = measured_rows(data, name) if name in data.columns else filled_cells(cells)
        if np.any(filled & there):
            shared |= filled
        else:
            foreign |= filled
        if name in data.texts and there.sum() > 1:
            labels = {cells[i] for i in np.flatnonzero(there)}
            if len(labels) == 1 and None not in labels:
                labelled = True
                other_label |= np.array([c not in labels for c in cells], dtype=bool)
    own = there | (shared & ~foreign & ~other_label)
    return own if labelled else _joined(own, there)


def between_own(data: d.DataTable, column: str) -> Flags:
    """As ``own_rows`` (n,), but none before the first and none after the last value of ``column``: there rows of a table above
    or below look alike."""
    rows, there = own_rows(data, column), np.flatnonzero(measured_rows(data, column))
    if len(there):
        rows[: there[0]] = False
        rows[there[-1] + 1 :] = False
    return rows


def counted(output: int, match: d.Match, data: d.DataTable) -> tuple[Flags, bool] | None:
    """The rows (n,) that the values of an output are of, in order, and whether rows left out have none; None: no order fits.

    ``output``: how many values the program gave. As ``pairing.counted_rows``, for the column of ``match``, which may take some
    of the values only.
    """
    if match.rows and not 1 <= min(match.rows) <= max(match.rows) <= output:
        return None
    output, there = len(match.rows) or output, measured_rows(data, match.column)
    usual = output == int(there.sum())  # which needs no look at the other columns
    own, whole = ((), True) if usual else (_ways(match, data), not _below_others(data, match.column))
    return pairing.counted_rows(output, there, match.left_out, own, whole)


def in_order(output: int, match: d.Match, data: d.DataTable) -> pairing.Rows | None:
    """For each data row the position of its output value, -1 for none; None if the lengths do not fit."""
    rows = counted(output, match, data)
    if rows is None:
        return None
    at = pairing.positions(rows[0])
    return np.where(at >= 0, np.array(match.rows, dtype=np.intp)[at] - 1, -1) if match.rows else at


def left_out_told(output: int, match: d.Match, data: d.DataTable) -> str:
    """Whether the rows that ``match`` leaves out have values of the program, a sentence; '' where no order fits, or only some of
    the values are taken."""
    if match.rows:
        return ""
    whole = not _below_others(data, match.column)
    return pairing.left_out_told(output, measured_rows(data, match.column), match.left_out, _ways(match, data), whole)


def missing_rows(data: d.DataTable, column: str) -> list[int]:
    """The rows, from 1, that belong to the quantity in ``column`` and lack its value."""
    return [int(i) + 1 for i in np.flatnonzero(own_rows(data, column) & ~measured_rows(data, column))]


def _ways(match: d.Match, data: d.DataTable) -> tuple[Flags, Flags]:
    """``own_rows`` and ``between_own``, looked for once: every run is compared with the same table."""
    for table, column, ways in tuple(_FOUND):
        if table is data and column == match.column:
            return ways
    found = own_rows(data, match.column), between_own(data, match.column)
    for rows in found:
        rows.setflags(write=False)
    _FOUND.append((data, match.column, found))
    return found


def _below_others(data: d.DataTable, column: str) -> bool:
    """Whether rows stand above or below those of ``column`` that share nothing with them: all their cells are in columns that no
    row with its value uses, as the rows of another file do, where a column (a key) stands beside these values. As many values as
    the table has rows are then not one for each of these."""
    for table, name, found in tuple(_STRANGE):
        if table is data and name == column:
            return found
    there = measured_rows(data, column)
    shared, foreign, beside = np.zeros(len(there), dtype=bool), np.zeros(len(there), dtype=bool), False
    sds = sd_columns(list(data.columns))
    for name, cells in ((n, c) for part in (data.columns, data.texts) for n, c in part.items() if n != column):
        if len(cells) != len(there):
            continue
        filled = measured_rows(data, name) if name in data.columns else filled_cells(cells)
        labels = {cells[i] for i in np.flatnonzero(there)} if name in data.texts else set()
        if not np.any(filled & there):
            foreign |= filled
        elif len(labels) != 1:  # else it says what the rows are of
            shared |= filled
            beside |= name not in sds and 2 * int(np.sum(filled & there)) >= int(there.sum())
    strange = beside and bool(np.any(foreign & ~shared & ~there))
    _STRANGE.append((data, column, strange))
    return strange


def _joined(own: Flags, there: Flags) -> Flags:
    """Without rows before the first and after the last value that are not joined to it."""
    others, at = np.flatnonzero(~own), np.flatnonzero(there)
    kept = own.copy()
    before, behind = others[others < at[0]], others[others > at[-1]]
    if len(before):
        kept[: before[-1]] = False
    if len(behind):
        kept[behind[0] :] = False
    return kept


def filled_cells(cells: Iterable[float | str | None]) -> Flags:
    """Where a cell of a column of numbers or texts is no blank (n,)."""
    return np.array([c is not None and c == c and c != "" for c in cells], dtype=bool)
