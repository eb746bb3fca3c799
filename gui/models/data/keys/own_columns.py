"""The column of a file that holds the key of another file, called otherwise there: Wavelength / nm and lambda (nm). Pure."""

from __future__ import annotations

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import unit_in
from bayescope.engine.problem.data.names.same_meaning import mean_the_same
from bayescope.engine.problem.data.rows.comparison import key_codes, measured_values
from bayescope.engine.problem.data.rows.key_scale import Scale, scale_of, with_scale
from bayescope.engine.problem.data.units.unit_scales import conversion


def own_name(data: d.DataTable | None, name: str | None, behind: str) -> str | None:
    """What the column ``name`` is called in a file or group whose names have ``behind`` behind them: time (b.csv)."""
    present = {*data.columns, *data.texts} if data is not None else set()
    return f"{name}{behind}" if name and behind and f"{name}{behind}" in present else name


def behind_of(model: d.Match, match: d.Match) -> str:
    """What stands behind the names of the columns of ``match`` where it does not behind those of ``model``: (b.csv)."""
    if is_twin(model, match):
        return match.column.removeprefix(model.column)
    return match.column[match.column.rfind(" (") :] if match.column.endswith(")") and " (" in match.column else ""


def is_twin(model: d.Match, match: d.Match) -> bool:
    """Whether the column of ``match`` is that of ``model`` in a further file or group."""
    return match.column.startswith(f"{model.column} (")


def by_own_columns(data: d.DataTable, match: d.Match, model: d.Match) -> d.Match:
    """``model`` with the key columns of the file of ``match``, and with the scale of the first in the unit of that column."""
    first, second = (_own_column(data, match, model, name) for name in (model.key_column, model.second_key_column))
    mine = msgspec.structs.replace(model, key_column=first, second_key_column=second)
    if first is None or model.key_column is None or first == model.key_column:
        return mine
    found = conversion(unit_in(model.key_column), unit_in(first))
    if found is None:
        return mine
    factor, offset = found
    now = scale_of(model)
    return with_scale(mine, Scale(now.factor * factor, now.offset * factor + offset, now.inverse))


def _own_column(data: d.DataTable, match: d.Match, model: d.Match, name: str | None) -> str | None:
    """By its name with the file behind it, else the nearest column before that of ``match`` that means the same and has an entry
    in every measured row of it; or any such, where ``name`` lacks some."""
    own = own_name(data, name, behind_of(model, match))
    if name is None or own != name or match.column not in data.columns:
        return own
    columns, there = [*data.columns, *data.texts], ~np.isnan(measured_values(match, data))

    def complete(column: str) -> bool:
        codes = key_codes(data, column)
        return len(codes) == len(there) and bool(np.isfinite(codes[there]).all())

    same = [c for c in columns if c != match.column and (c in data.texts) == (name in data.texts)]
    same = [c for c in same if c == name or (mean_the_same(name, c) and complete(c))]
    before = [c for c in same if c in data.columns and columns.index(c) < columns.index(match.column)]
    if before and before[-1] != name and columns.index(before[-1]) > columns.index(name):
        return before[-1]
    others = [c for c in same if c != name]
    return others[0] if others and name in columns and not complete(name) else name
