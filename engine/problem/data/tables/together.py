"""Several tables put together into one, below each other; which of their columns of one name become one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ... import definition as d
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import fresh, says_value, says_where, sd_columns, unit_in, without_unit
from ..names.titled_names import with_title
from ..rows.censored import renamed
from ..rows.pairing import swept
from ..rows.place_columns import FEWEST, counts_time, may_say_where
from ..units.unit_scales import times
from .long_form import label_columns


def together(tables: Sequence[d.DataTable], names: Sequence[str], first_too: bool = False) -> d.DataTable:
    """One table with the rows of all below each other; a column that a table lacks is empty there.

    A column of places, times or labels is shared, also of labels that are numbers, or that leads each table; other columns of
    one name in several tables are different quantities and get the table's name (``names``) too, also those of the first table
    and in other units only if ``first_too``: nothing is compared with them yet.
    """
    keys = shared_keys(tables)
    shared = {c for table in tables for c in table.columns if first_too and c not in keys and _comes_again(tables, c)}
    alike = [c for c in tables[0].columns if c in shared]
    if alike:
        titled = {c: with_title(c, names[0]) for c in alike}
        own = {titled.get(c, c): cells for c, cells in tables[0].columns.items()}
        limits = renamed(tables[0].limits, titled)
        tables = [d.DataTable(columns=own, texts=tables[0].texts, limits=limits, origin=tables[0].origin), *tables[1:]]
    columns: dict[str, list[float | None]] = {}
    texts: dict[str, list[str | None]] = {}
    beyond: dict[str, list[str | None]] = {}
    rows = 0
    for table, title in zip(tables, names, strict=True):
        n = _rows(table)
        for column, cells in table.columns.items():
            name = column
            if name in texts or name in shared or (name in columns and name not in keys):
                name = fresh(with_title(column, title), [*columns, *texts])
            columns.setdefault(name, [None] * rows).extend(cells)
            if column in table.limits:
                beyond.setdefault(name, []).extend([None] * (rows - len(beyond.get(name, ()))))
                beyond[name].extend(table.limits[column])
        for column, labels in table.texts.items():
            name = fresh(f"{column} ({title})", [*columns, *texts]) if column in columns else column
            texts.setdefault(name, [None] * rows).extend(labels)
        rows += n
        for numbers in columns.values():
            numbers.extend([None] * (rows - len(numbers)))
        for words in texts.values():
            words.extend([None] * (rows - len(words)))
    origin = ", ".join(dict.fromkeys(t.origin for t in tables if t.origin))
    return d.DataTable(
        columns={k: tuple(v) for k, v in columns.items()}, texts={k: tuple(v) for k, v in texts.items()},
        limits={k: (*v, *[None] * (rows - len(v))) for k, v in beyond.items()}, origin=origin,
    )  # fmt: skip


def _comes_again(tables: Sequence[d.DataTable], column: str) -> bool:
    """Whether several tables have a column of that name, perhaps in another unit of the same kind."""
    name, unit = without_unit(column), unit_in(column)
    twins = [{c for c in table.columns if without_unit(c) == name} for table in tables]
    return sum(any(c == column or (unit and times(unit_in(c), unit) is not None) for c in found) for found in twins) > 1


def shared_keys(tables: Sequence[d.DataTable]) -> set[str]:
    """The columns that are the same of several tables: places and times, conditions, and what leads each."""
    return {
        c for table in tables for c in table.columns if says_where(c) or _is_one_key(tables, c) or _leads(tables, c)
    }


def _is_one_key(tables: Sequence[d.DataTable], column: str) -> bool:
    """Whether a column of several tables tells of which condition each row is: whole numbers, the same ones in all of them, that
    come again in one table."""
    those = [{v for v in table.columns[column] if v is not None} for table in tables if column in table.columns]
    same = len(those) > 1 and all(one == those[0] for one in those) and all(v.is_integer() for v in those[0])
    return same and any(column in label_columns(table) for table in tables)


def _leads(tables: Sequence[d.DataTable], column: str) -> bool:
    """Whether a column says where in several tables by its place alone, min: in each it is the first of numbers, has no errors,
    and only rises or only falls beside what was measured; no other says where."""
    having = [table for table in tables if column in table.columns]
    if len(having) < 2 or says_value(column) or any(column != next(iter(table.columns)) for table in having):
        return False
    if any(may_say_where(table, c) for table in having for c in table.columns if c != column):
        return False
    return all(counts_time(table, column) or _rises(table, column) for table in having)


def _rises(table: d.DataTable, column: str) -> bool:
    """Whether it does beside each other column: the rows of a table may be those of several below each other."""
    if column in (*sd_columns(list(table.columns)), *sd_pairs(list(table.columns))):
        return False
    beside = list(_beside(table, column))
    return any(len(cells) >= FEWEST for cells in beside) and all(
        None not in cells and swept(np.array(cells, dtype=float)) for cells in beside
    )


def _beside(table: d.DataTable, column: str) -> Iterator[list[float | None]]:
    """The cells of ``column`` in the rows of each other one."""
    for other, values in table.columns.items():
        if other != column:
            yield [cell for cell, value in zip(table.columns[column], values, strict=True) if value is not None]


def _rows(table: d.DataTable) -> int:
    return max((len(c) for c in (*table.columns.values(), *table.texts.values())), default=0)
