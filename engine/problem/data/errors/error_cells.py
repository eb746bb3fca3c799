"""Columns of errors each cell of which says its own unit, or that it is a percentage: 4 µm, 2 %, 12 Hz. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ... import definition as d
from ...numbers.number_characters import shorten
from ...numbers.shown_digits import spoken
from ..names.column_names import says_sd, unit_in
from ..names.percent_names import PERCENT
from ..tables.naming_column import unit_column
from ..tables.table_cells import cell_value, inside
from ..tables.table_columns import Columns
from ..units.unit_scales import times
from .relative_errors import values_of

_CELL = re.compile(r"(?:±|\+/-|\+-)?\s*(?P<size>[0-9.,]+(?:[eE][-+]?[0-9]+)?)\s*(?P<unit>[^\s0-9.,].*)?")

Column = tuple[float | None, ...]


@dataclass(frozen=True)
class ErrorCells:
    """The standard deviations (n,) in column ``name`` of the values ``of``, in the unit of these; ``relative`` of them are given
    in percent, ``absolute`` in a unit. ``example``: one of the latter, in words."""

    name: str
    of: str
    sds: Column
    relative: int
    absolute: int
    example: str = ""

    @property
    def words(self) -> str:
        """What was understood, a sentence."""
        counts = ((self.relative, f"in % of “{self.of}”"), (self.absolute, "absolute"))
        told = ", ".join(f"{count} {how}" for count, how in counts if count)
        example = f" ({self.example})" if self.example else ""
        return f"Column “{self.name}”: {told}{example}; it holds errors."


def error_cells(table: d.DataTable, order: Sequence[str], decimal_comma: bool) -> tuple[list[ErrorCells], list[str]]:
    """The columns of texts of ``table`` (its columns in ``order``) that are errors of a column of numbers, by their name and all
    of their cells; and a sentence on each that its name calls so, but one of whose cells is not understood."""
    found, notes = [], []
    for name, cells in table.texts.items():
        if not says_sd(name):
            continue
        of = values_of([c for c in order if c in table.columns or c == name]).get(name, "")
        if not of or not any(cells):
            continue
        one = _read(name, of, cells, table, decimal_comma)
        if isinstance(one, ErrorCells):
            found.append(one)
        else:
            notes.append(one)
    return found, notes


def take_error_cells(found: Columns, names: Sequence[str], decimal_comma: bool) -> None:
    """Columns of texts that are errors, each cell with its own unit, become numbers. ``names``: of the columns in their order."""
    order = [*names, *(name for name in found.numbers if name not in names)]
    errors, notes = error_cells(d.DataTable(columns=found.numbers, texts=found.texts), order, decimal_comma)
    found.numbers = _with_errors(found.numbers, errors)
    for one in errors:
        del found.texts[one.name]
        found.labels.remove(one.name)
        found.numeric[list(names).index(one.name)] = True
    found.notes += [*notes, *(one.words for one in errors)]


def _read(name: str, of: str, cells: Sequence[str | None], table: d.DataTable, comma: bool) -> ErrorCells | str:
    units, own = table.texts.get(unit_column(table), ()) if unit_in(of) == "" else (), unit_in(of)
    sds: list[float | None] = []
    relative = absolute = 0
    example = ""
    for i, (cell, value) in enumerate(zip(cells, table.columns[of], strict=True)):
        if cell is None:
            sds.append(None)
            continue
        unit = (units[i] if units else own) or ""
        size = _size(cell, comma)
        factor = None if size is None else _factor(size[1], value, unit)
        if size is None or factor is None:
            why = "is no size of an error" if size is None else f"is in another unit than “{of}”{f', {unit}' if unit else ''}"
            return f"Column “{name}” is taken for text: “{shorten(cell)}” {why}."
        sds.append(None if value is None else float(f"{size[0] * factor:.12g}"))
        relative, absolute = relative + (size[1] in PERCENT), absolute + (size[1] not in PERCENT)
        if size[1] not in ("", *PERCENT, unit) and not example:
            example = f"{cell} is {spoken(size[0] * factor)} {unit}"
    return ErrorCells(name, of, tuple(sds), relative, absolute, example)


def _size(cell: str, comma: bool) -> tuple[float, str] | None:
    """The number in a cell and its unit, '' where it says none; None: it is no size."""
    found = _CELL.fullmatch(inside(cell))
    try:
        size = None if found is None else cell_value(found["size"], comma)
    except ValueError:
        return None
    return None if found is None or size is None or size < 0.0 else (size, (found["unit"] or "").strip())


def _factor(unit: str, value: float | None, of: str) -> float | None:
    """By what a size in ``unit`` is multiplied to be one in the unit ``of`` the value; None: not known."""
    if unit in PERCENT and of not in PERCENT:
        return abs(value or 0.0) / 100.0
    return 1.0 if not unit or unit == of else times(unit, of)


def _with_errors(numbers: Mapping[str, Column], found: Sequence[ErrorCells]) -> dict[str, Column]:
    """The columns of ``numbers`` with those of errors right behind the values that they are of."""
    made: dict[str, Column] = {}
    for name, cells in numbers.items():
        made[name] = cells
        made |= {one.name: one.sds for one in found if one.of == name}
    return made
