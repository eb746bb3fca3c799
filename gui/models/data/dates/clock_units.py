"""In what an output or a column counts time, by the words of its name, its unit, or the heading that it is read by. Pure."""

from __future__ import annotations

import re

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.day_zero import in_any_calendar
from bayescope.engine.problem.data.names.column_names import says_where, unit_in
from bayescope.engine.problem.data.rows.text_keys import UNITS
from bayescope.engine.problem.data.units.unit_scales import times

_UNIT = re.compile(r"(?:(days?|d)|(hours?|hrs?|h)|(minutes?|mins?|min)|(seconds?|secs?|s))")
_WHOLE = re.compile(r"(?:(days?)|(hours?|hrs?)|(minutes?)|(seconds?))")
_KINDS = ("d", "h", "min", "s")


def unit_said(name: str) -> str:
    """What an output counts in by its name: 'd' of day or “t (d)”; '' where it does not tell. A lone letter is a quantity."""
    parts = [part for part in re.split(r"[^A-Za-z]+", name) if part]
    for part in reversed(parts):
        if (len(part) > 1 and (found := _UNIT.fullmatch(part.lower()))) or (len(parts) > 1 and (found := _UNIT.fullmatch(part))):
            return _kind(found)
    return ""


def clock_unit(output: d.Output) -> str:
    """As ``unit_said``, of the output's name, its unit, or the heading or label that it is read by."""
    if unit := _of_unit(output.unit):
        return unit
    read_by = (getattr(output.extractor, part, None) for part in ("column", "label"))
    said = (output.name, *(words.rstrip(" :=") for words in read_by if isinstance(words, str)))
    return next((unit for words in said if (unit := _of_unit(unit_in(words)) or unit_said(words))), "")


def clock_units(problem: d.Problem) -> dict[str, str]:
    """Of every output of numbers that says what it counts in."""
    return {o.name: unit for o in problem.outputs if not o.text and (unit := clock_unit(o))}


def unit_of_times(column: str) -> str:
    """What a data column that says when counts in, by a unit or a whole word of its name: hours, elapsed days; '' else."""
    if (dates := in_any_calendar(column)) is not None:
        return dates.unit
    if unit := _of_unit(unit_in(column)):
        return unit
    words = [part for part in re.split(r"[^A-Za-z]+", column.lower()) if part]
    whole = next((found for word in reversed(words) if (found := _WHOLE.fullmatch(word))), None)
    if whole is not None:
        return _kind(whole)
    return unit_said(column) if says_where(column) and "time" in words else ""


def _kind(found: re.Match[str]) -> str:
    return _KINDS[next(i for i, group in enumerate(found.groups()) if group)]


def _of_unit(unit: str) -> str:
    """One of those that dates are counted in; '' for any other unit."""
    seconds = times(unit, "s") if unit else None
    return next((kind for kind in _KINDS if seconds == UNITS[kind]), "")
