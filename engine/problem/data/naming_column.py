"""Which column of texts names the quantity of each row of a table in long form, and the table split by it with its units."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from .. import definition as d
from .column_names import is_unit, loose_name, says_where, without_unit
from .long_form import FEW, names_in, split, value_columns
from .text_keys import seconds_of

_SAYS_WHAT = frozenset(
    "quantity quantities variable observable property parameter output measurand symbol name series probe sensor".split()
)
_SAYS_UNIT = frozenset("unit units uom einheit einheiten".split())


def naming_column(table: d.DataTable) -> str:
    """The column of texts whose entries are most likely names of quantities; '' if there is none.

    Neither units nor times. One whose name says so goes first, then one with few texts that come again, then one with another
    text in every row beside a column of units.
    """
    rows = max((len(cells) for cells in table.texts.values()), default=0)
    units = unit_column(table)
    fits = [name for name in table.texts if name != units and not _says_when(table, name) and len(names_in(table, name)) > 1]
    said = [name for name in fits if loose_name(name) in _SAYS_WHAT]
    again = [name for name in fits if len(names_in(table, name)) <= min(FEW, rows // 2)]
    single = [name for name in fits if len(names_in(table, name)) == rows <= FEW] if units else []
    return next(iter((*said, *again, *single)), "") if value_columns(table) else ""


def unit_column(table: d.DataTable) -> str:
    """The column of texts that holds the unit of each row; '' if there is none."""
    said = [name for name in table.texts if loose_name(name) in _SAYS_UNIT]
    every = (name for name in table.texts if (found := names_in(table, name)) and all(map(is_unit, found)))
    return next(iter((*said, *every)), "")


def split_with_units(table: d.DataTable, by: str, values: Sequence[str] | None = None) -> d.DataTable:
    """As ``split``, with the units of a column of units in the names: Dipole moment [D]. The column goes with them, unless one
    quantity has several; where each row is another quantity, ``by`` stays to tell which. Raises ProblemError."""
    found = split(table, by, values, units=True)
    units, names = unit_column(table), names_in(table, by)
    pairs = {(q, u) for q, u in zip(table.texts[by], table.texts.get(units, ()), strict=False) if q and u}
    unit_of = {(q or "").strip(): (u or "").strip() for q, u in pairs}
    columns, texts = dict(found.columns), dict(found.texts)
    if units != by and unit_of and len(pairs) == len(unit_of):
        columns = {_with_unit(name, unit_of): cells for name, cells in columns.items()}
        texts.pop(units, None)
    if len(columns) < len(found.columns):
        return found
    if len(names) == len(table.texts[by]):
        texts = {by: table.texts[by], **texts}
    return msgspec.structs.replace(found, columns=columns, texts=texts)


def _with_unit(name: str, unit_of: dict[str, str]) -> str:
    return f"{name} [{unit_of[name]}]" if unit_of.get(name) and without_unit(name) == name else name


def _says_when(table: d.DataTable, name: str) -> bool:
    return says_where(name) or all(seconds_of(text) is not None for text in names_in(table, name))
