"""Columns of errors in percent of the values they are of, as errors in the unit of those values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..names.column_names import fresh, in_percent, says_sd, says_value, says_where, without_unit
from .sd_pairs import sd_pairs

Column = tuple[float | None, ...]


def values_of(columns: Sequence[str]) -> dict[str, str]:
    """Each column of errors with the column of the values that they are of, where names or places tell it."""
    own = {sd: value for value, sd in sd_pairs(columns).items()}
    values = [c for c in columns if not says_sd(c) and not says_where(c)]
    only = [c for c in values if says_value(c)] or values
    found = ((name, own.get(name) or (only[0] if len(only) == 1 else "")) for name in columns if says_sd(name))
    return {name: value for name, value in found if value}


def relative_errors(columns: Mapping[str, Column]) -> dict[str, str]:
    """Each column of errors in percent with the column of the values that they are of, where names or places tell it; none of
    values that are percentages themselves."""
    return {n: value for n, value in values_of(list(columns)).items() if in_percent(n) and not in_percent(value)}


def made_absolute(columns: Mapping[str, Column], of: Mapping[str, str]) -> tuple[dict[str, Column], list[str]]:
    """``columns`` with those ``of`` others in their unit, under names without the percent sign; and a sentence about each."""
    made: dict[str, Column] = {}
    notes = []
    for name, cells in columns.items():
        if name not in of:
            made[name] = cells
            continue
        pairs = list(zip(cells, columns[of[name]], strict=True))
        sds = tuple(None if p is None or v is None else abs(v) * p / 100.0 for p, v in pairs)
        first = next((f": {p:g} % of {v:g} is {s:.4g}" for (p, v), s in zip(pairs, sds, strict=True) if s is not None), "")
        made[fresh(without_unit(name), [*columns, *made])] = sds
        notes.append(f"Column “{name}” is taken for percent of “{of[name]}”{first}.")
    return made, notes
