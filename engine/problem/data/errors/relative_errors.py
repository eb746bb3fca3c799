"""Columns of errors in percent of the values they are of, as errors in the unit of those values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...numbers.shown_digits import spoken
from ..names.column_names import fresh, says_sd, says_value, says_where, without_unit
from ..names.percent_names import in_percent, parts_of
from ..rows.pairing import swept
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
    values that are percentages themselves, unless it says that its numbers are parts of these."""
    found = values_of(list(columns))
    lead = next(iter(columns), "")
    if lead and not says_sd(lead) and _swept(columns[lead]):  # an angle, which no name tells from a value
        found = {**values_of([n for n in columns if n != lead]), **found}
    return {n: value for n, value in found.items() if parts_of(n, value)}


def _called(name: str, of: str, columns: Sequence[str]) -> str:
    """The column ``name`` without its percent sign; after its values where that would not tell any more whose errors it holds."""
    plain = without_unit(name)
    if values_of([plain if c == name else c for c in columns]).get(plain) == of:
        return plain
    bare = without_unit(of)
    return f"{bare} sd {of.strip()[len(bare) :].strip()}".strip()


def _swept(cells: Column) -> bool:
    """Whether all cells are filled and only rise or only fall, as those of a place that is set do."""
    filled = [c for c in cells if c is not None]
    return len(filled) == len(cells) > 2 and swept(np.array(filled))


def hundredth(name: str, cells: Column) -> float:
    """What 1 in a column of relative errors ``cells`` is of a value: 0.01, or 1 where the name says no percent and all are
    below 1."""
    return 1.0 if not in_percent(name) and all(abs(c) < 1.0 for c in cells if c is not None) else 0.01


def sds_of(name: str, cells: Column, values: Column) -> Column:
    """Relative errors ``cells`` (n,) of column ``name`` in the unit of their ``values`` (n,)."""
    by = hundredth(name, cells)
    pairs = zip(cells, values, strict=True)
    return tuple(None if p is None or v is None else float(f"{abs(v) * p * by:.12g}") for p, v in pairs)


def words_of(name: str, of: str, cells: Column, values: Column) -> str:
    """That they are taken so, a sentence with an example."""
    sds = zip(cells, values, sds_of(name, cells, values), strict=True)
    percent = hundredth(name, cells) != 1.0
    sign, what = (" %", "percent") if percent else (" times", "parts")
    share, known = f"{sign}{' of' if percent else ''}", ((p, v, s) for p, v, s in sds if None not in (p, v, s))
    first = next((f": {spoken(p or 0.0)}{share} {spoken(v or 0.0)} is {spoken(s or 0.0, 4)}" for p, v, s in known), "")
    return f"Column “{name}” is taken for {what} of “{of}”{first}."


def made_absolute(columns: Mapping[str, Column], of: Mapping[str, str]) -> tuple[dict[str, Column], list[str]]:
    """``columns`` with those ``of`` others in their unit, under names without the percent sign; and a sentence about each."""
    made: dict[str, Column] = {}
    notes = []
    for name, cells in columns.items():
        if name not in of:
            made[name] = cells
            continue
        values = columns[of[name]]
        made[fresh(_called(name, of[name], list(columns)), [*columns, *made])] = sds_of(name, cells, values)
        notes.append(words_of(name, of[name], cells, values))
    return made, notes
