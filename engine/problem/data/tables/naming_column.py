"""Which column of texts names the quantity of each row of a table in long form, and the table split by it with its units."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ... import definition as d
from ..names.column_names import fresh, has_unit, loose_name, says_where
from ..rows.censored import renamed
from ..rows.text_keys import seconds_of
from ..units.unit_names import is_unit
from .long_form import FEW, labels, names_in, split, value_columns
from .naming_pairs import says_what
from .quality_flags import says_quality
from .remark_columns import is_remark, says_remark
from .table_cells import SAYS_UNIT

_DIGITS = re.compile(r"[0-9]+")


def naming_column(table: d.DataTable) -> str:
    """The column of texts whose entries are most likely names of quantities; '' if there is none.

    Neither units nor times nor remarks. One whose name says so goes first, then one with few texts that come again, then one with
    another text in every row beside a column of units.
    """
    rows = max((len(cells) for cells in table.texts.values()), default=0)
    units = unit_column(table)
    texts = [name for name in table.texts if name != units and not says_quality(table, name) and not says_remark(name)]
    fits = [name for name in texts if not _says_when(table, name) and len(names_in(table, name)) > 1]
    said = [name for name in fits if says_what(name)]
    again = [name for name in fits if len(names_in(table, name)) <= min(FEW, rows // 2) and not is_remark(table, name)]
    single = [name for name in fits if len(names_in(table, name)) == rows <= FEW] if units else []
    return next(iter((*said, *again, *single)), "") if value_columns(table) else ""


def label_column(table: d.DataTable) -> str:
    """As ``naming_column``; else the first column of texts with another one in every row: a quantity in each; '' if there is
    none."""
    rows = max((len(cells) for cells in table.columns.values()), default=0)
    units = unit_column(table) if len(table.texts) > 1 else ""
    fits = (n for n in table.texts if n != units and not _says_when(table, n) and len(names_in(table, n)) == rows)
    return naming_column(table) or next(fits, "")


def numbered(table: d.DataTable) -> d.DataTable:
    """``table`` with a column of texts that numbers its rows, by which it can be split: row 1, row 2 ..."""
    rows = max((len(cells) for cells in table.columns.values()), default=0)
    name = fresh("row", [*table.columns, *table.texts])
    return msgspec.structs.replace(table, texts={name: tuple(f"row {i + 1}" for i in range(rows)), **table.texts})


def unit_column(table: d.DataTable) -> str:
    """The column of texts that holds the unit of each row; '' if there is none."""
    said = [name for name in table.texts if loose_name(name) in SAYS_UNIT]
    texts = {name: names_in(table, name) for name in table.texts}
    every = (name for name, found in texts.items() if found and all(map(is_unit, found)) and not _counted(found))
    return next(iter((*said, *every)), "")


def _counted(names: Sequence[str]) -> bool:
    """Whether they differ by numbers alone, D1, D2: labels, and no powers of a unit."""
    return len(names) > 1 and len({_DIGITS.sub("", name) for name in names}) == 1


def split_with_units(table: d.DataTable, by: str, values: Sequence[str] | None = None) -> d.DataTable:
    """As ``split``, with the units of a column of units in the names: Dipole moment [D]. The column goes with them, unless one
    quantity has several; where each row is another quantity, ``by`` stays to tell which. Raises ProblemError."""
    found = split(table, by, values, units=True)
    units, names = unit_column(table), names_in(table, by)
    pairs = {(q, u) for q, u in zip(labels(table, by), table.texts.get(units, ()), strict=False) if q and u}
    unit_of = {(q or "").strip(): (u or "").strip() for q, u in pairs}
    columns, texts, limits = dict(found.columns), dict(found.texts), found.limits
    if units != by and unit_of and len(pairs) == len(unit_of):
        columns = {_with_unit(name, unit_of): cells for name, cells in columns.items()}
        limits = renamed(limits, {name: _with_unit(name, unit_of) for name in limits})
        texts.pop(units, None)
    if len(columns) < len(found.columns):
        return found
    if len(names) == len(labels(table, by)):
        texts = {by: labels(table, by), **texts}
    return msgspec.structs.replace(found, columns=columns, texts=texts, limits=limits)


def _with_unit(name: str, unit_of: dict[str, str]) -> str:
    unit = unit_of.get(name, "")
    if not unit or has_unit(name, unit):
        return name
    return f"{name} ({unit})" if "[" in name else f"{name} [{unit}]"  # [B] is a concentration


def _says_when(table: d.DataTable, name: str) -> bool:
    return says_where(name) or all(seconds_of(text) is not None for text in names_in(table, name))
