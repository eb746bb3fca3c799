"""Which date is 0 in the keys of a comparison, and which other one would give more rows a partner. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.rows.comparison import column, key_values, measured_values
from bayescope.engine.problem.data.rows.text_keys import UNITS
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.renaming import rebuilt

Array = NDArray[np.float64]
COLUMNS = ("column", "key_column", "second_key_column", "sd_column", "scale_column", "error_column")  # fields that name one
MOST_KEYS = 1_000  # of the data and of the output, of which every distance is looked at while the window waits


@dataclass(frozen=True)
class OtherDay:
    """Another day 0 of the keys: ``start`` in s since 1970, None where several would do; ``rows`` of ``measured`` fit."""

    start: float | None
    rows: int
    measured: int


def with_day_zero(problem: d.Problem, start: float, of: float | None = None) -> d.Problem:
    """``problem`` with ``start`` (s since 1970) as day 0 of all columns that count from a date, or from the date ``of`` alone, as
    those of one file do; what refers to them follows."""
    if problem.data is None:
        return problem
    data, names = day_zero.moved(problem.data, start, of)
    return with_columns_renamed(problem, data, names) if names else problem


def with_columns_renamed(problem: d.Problem, data: d.DataTable, names: Mapping[str, str]) -> d.Problem:
    """``problem`` with the table ``data``, of which some columns have new ``names``; what refers to them follows."""

    def part(record: Any, field: str, inner: Any) -> Any:
        if isinstance(inner, str):
            return names.get(inner, inner) if field in COLUMNS else inner
        return rebuilt(inner, part)

    return msgspec.structs.replace(problem, data=data, meaning=rebuilt(problem.meaning, part))


def key_day_zero(match: d.Match) -> day_zero.Counted | None:
    """The first key column of ``match`` that counts from a date."""
    found = (day_zero.counted(name) for _, name in match.keys)
    return next((one for one in found if one is not None), None)


def starts_at_first(data: d.DataTable | None, match: d.Match) -> bool:
    """Whether day 0 of the keys is the first date among them, as it is where nobody said another one."""
    counts = key_day_zero(match)
    name = counts.full if counts is not None else ""
    return data is not None and min((v for v in data.columns.get(name, ()) if v is not None), default=None) == 0.0


def other_day(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], paired: int) -> OtherDay | None:
    """A day 0 with which more than ``paired`` measured rows would find a partner; None: there is none, or no key has a day 0."""
    counts = key_day_zero(match)
    if counts is None or len(match.keys) != 1:
        return None
    name, places = match.keys[0][1], key_values(match, outputs)[0]
    keys = column(data, name)[~np.isnan(measured_values(match, data))]
    keys, found = np.unique(keys[np.isfinite(keys)]), np.unique(places[np.isfinite(places)])
    if not len(keys) or not len(found) or max(len(keys), len(found)) > MOST_KEYS:
        return None
    shifts, rows = np.unique(np.round((found[None, :] - keys[:, None]).ravel(), 6), return_counts=True)
    best = int(rows.max())
    if best <= paired:
        return None
    same = shifts[rows == best]
    start = counts.start - float(same[0]) * UNITS[counts.unit] if len(same) == 1 else None
    return OtherDay(start, best, len(keys))


def day_zero_words(counts: day_zero.Counted, other: OtherDay | None) -> str:
    """What the keys count from, and what another day 0 would give, for below a mismatch."""
    said = f"“{one_line(counts.name, 30)}” counts from {day_zero.written(counts.start)}: is that day 0 of the program?"
    if other is None:
        return said
    many = f"all {other.measured}" if other.rows == other.measured else f"{other.rows} of {other.measured}"
    which = "another one" if other.start is None else day_zero.written(other.start)
    return f"{said} From {which}, {many} keys would be among the output's."
