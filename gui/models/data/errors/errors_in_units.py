"""A comparison whose column of errors is in another unit than its values: what is said of it, and what mends it. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.error_units import ErrorUnits, error_units
from bayescope.engine.problem.data.names.column_names import fresh
from bayescope.gui.models.data.dates.day_zero import with_columns_renamed
from bayescope.gui.models.data.errors.doubtful_errors import sd_of
from bayescope.gui.models.data.units.other_units import OtherUnit
from bayescope.gui.models.plain import one_line, shown

CAPTION = "Are the errors in another unit?"
KEEP = "They have one unit"


def errors_in_other_unit(problem: d.Problem, index: int) -> OtherUnit | None:
    """Of comparison ``index``; None: its headings say one unit, or none."""
    meaning, data = problem.meaning, problem.data
    if data is None or not isinstance(meaning, d.Predictions) or not 0 <= index < len(meaning.matches):
        return None
    match = meaning.matches[index]
    sds = sd_of(meaning, match)
    if sds not in data.columns or match.column not in data.columns or (units := error_units(sds, match.column)) is None:
        return None
    column, of = one_line(sds, 30), one_line(match.column, 30)
    share = " of each value" if units.relative else ""
    words = (
        f"“{column}” holds errors in {units.unit}{share}, and “{of}” is in {units.its}. They are taken as if both had one unit."
    )
    button = f"Count them &in {units.its}" if units.relative else _by(units.factor)
    hint = f"Its numbers become those in {units.its}; Undo takes it back."
    return OtherUnit(words, button, _counted(problem, sds, units), hint=hint, caption=CAPTION, known=True, keep=KEEP)


def _by(factor: float) -> str:
    """In the shorter of two ways: divided by 1440."""
    times, over = shown(factor), shown(float(f"{1.0 / factor:.12g}"))
    return f"M&ultiply them by {times}" if len(times) <= len(over) else f"Divi&de them by {over}"


def _counted(problem: d.Problem, sds: str, units: ErrorUnits) -> d.Problem:
    """``problem`` with the errors in the unit of their values, where all others that take them have that unit too."""
    data = problem.data
    assert data is not None
    name = fresh(units.name(sds), [c for c in data.columns if c != sds])
    cells = units.sds(data.columns[sds], data.columns[units.of])
    columns = {name if c == sds else c: cells if c == sds else values for c, values in data.columns.items()}
    return with_columns_renamed(problem, msgspec.structs.replace(data, columns=columns), {sds: name})
