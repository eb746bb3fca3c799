"""Columns called just u or % right behind compared values: they may hold the errors of these, as nothing else says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.error_units import ErrorUnits, error_units
from bayescope.engine.problem.data.names.column_names import fresh, plain_name, unit_in, without_unit
from bayescope.engine.problem.data.tables.special_rows import sd_name
from bayescope.engine.problem.data.units.unit_scales import error_times, is_share
from bayescope.gui.models.data.dates.day_zero import with_columns_renamed
from bayescope.gui.models.data.errors.errors_beside import stand_beside

_PERCENT = re.compile(r"(?:u[\s_]*)?[(\[]?(?:%|percent)[)\]]?(?:_\d+)?", re.IGNORECASE)
_U = re.compile(r"u(?P<again>_\d+)?", re.IGNORECASE)
_VELOCITIES = frozenset(("v", "w"))  # beside which u is one
MOST_PERCENT = 100.0


def bare_errors(problem: d.Problem, meaning: d.Predictions, used: dict[int, str]) -> dict[int, str]:
    """Of the comparisons that have no column of errors (``used``: which have), those right behind whose values one is called u or
    %, that is in no comparison itself and holds what errors may be."""
    data = problem.data
    if data is None:
        return {}
    taken = {*meaning.aside, *used.values(), *(c for m in meaning.matches for c in (m.column, *(key for _, key in m.keys)))}
    columns = list(data.columns)
    behind = dict(pairwise(columns))
    beside = {i: behind.get(meaning.matches[i].column, "") for i, sds in used.items() if not sds}
    free = {i: name for i, name in beside.items() if name and name not in taken}
    outputs = [o.name for o in problem.outputs]
    said = {i: _says(name, [*(c for c in columns if c != name), *outputs]) for i, name in free.items()}
    return {i: name for i, name in free.items() if said[i] and _may_be(data, name, meaning.matches[i].column, said[i] == "%")}


def _says(column: str, names: Sequence[str]) -> Literal["u", "%", ""]:
    """What a column is called by whose name it may hold errors; '': by another. Beside some ``names`` u is a velocity."""
    if _PERCENT.fullmatch(column.strip()) is not None:
        return "%"
    found, plain = _U.fullmatch(without_unit(column)), [plain_name(name) for name in names]
    if found is None or not _VELOCITIES.isdisjoint(plain):
        return ""
    return "u" if ("u" in plain) == bool(found["again"]) else ""  # u_2 is a second u, where there is one


def in_their_unit(problem: d.Problem, sds: str, of: str) -> d.Problem:
    """``problem`` with errors ``sds`` that are percentages of the values ``of`` in the unit of these."""
    data = problem.data
    units = None if data is None else error_units(sds, of, data.columns[sds])
    if data is None or units is None or not units.relative:
        return problem
    return counted(problem, sds, units, sd_name(of, list(data.columns)))


def counted(problem: d.Problem, sds: str, units: ErrorUnits, called: str = "") -> d.Problem:
    """``problem`` with the errors in the unit of their values, where all others that take them have that unit too."""
    data = problem.data
    assert data is not None
    name = fresh(called or units.name(sds), [c for c in data.columns if c != sds])
    cells = units.sds(data.columns[sds], data.columns[units.of])
    columns = {name if c == sds else c: cells if c == sds else values for c, values in data.columns.items()}
    return with_columns_renamed(problem, msgspec.structs.replace(data, columns=columns), {sds: name})


def _may_be(data: d.DataTable, errors: str, of: str, percent: bool) -> bool:
    """Whether numbers are no less than 0 and stand beside values ``of``, none larger than these, or than 100 %; in a unit of
    theirs."""
    sizes = [v for v in data.columns[errors] if v is not None]
    values = [abs(v) for v in data.columns[of] if v is not None]
    if not sizes or not values or min(sizes) < 0.0 or max(sizes) <= 0.0 or not stand_beside(data, errors, of):
        return False
    unit, its = unit_in(errors), unit_in(of)
    if percent:
        return max(sizes) <= MOST_PERCENT and not is_share(its)
    kin = not unit or not its or unit == its or error_times(unit, its) is not None
    return kin and max(sizes) <= max(values)
