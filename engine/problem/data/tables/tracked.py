"""Tables over time: longitudes and latitudes of what moves are measured, and so is all else beside the times. Pure."""

from __future__ import annotations

import re

from ... import definition as d
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import says_where, sd_columns, unit_in, without_unit
from ..names.key_words import TIMES
from ..names.same_quantity import in_english
from ..rows.text_keys import SINCE_1970, unit_of
from ..units.unit_scales import times

_ON_THE_GLOBE = ("longitude", "latitude")
_WHEN = frozenset(("t", "time", "date", "hour", "day", "timestamp", "datetime", *TIMES))
_WORDS = re.compile(r"[^\W\d_]+")


def says_when(table: d.DataTable, column: str) -> bool:
    """Whether a column holds moments, or counts time."""
    if column in table.texts:
        return unit_of(table.texts[column]) in (SINCE_1970, "s")
    unit = unit_in(column)
    if " since " in column[len(without_unit(column)) :] or (unit and times(unit, "s") is not None and says_where(column)):
        return True
    words = [in_english(word) for word in _WORDS.findall(without_unit(column))]
    return says_where(column) and bool(words) and words[0] in _WHEN


def tracked(table: d.DataTable) -> frozenset[str]:
    """Longitudes and latitudes that were measured: times stand beside them, and no other numbers but errors."""
    names = [column for column in table.columns if _on_the_globe(column)]
    if not names or not any(says_when(table, column) for column in (*table.texts, *table.columns)):
        return frozenset()
    sds = sd_columns(list(table.columns))
    others = [c for c in table.columns if c not in names and c not in sds and not says_when(table, c)]
    return frozenset(names if not others else ())


def measured_beside_times(table: d.DataTable, kinds: tuple[str | None, ...]) -> list[str]:
    """The columns of numbers that were measured where times stand beside them, with their errors: all but places, times, and
    what is the same in all rows of one of ``kinds`` (n,), the labels that the table is split by. Empty: no column says when."""
    if not any(says_when(table, column) for column in (*table.texts, *table.columns)):
        return []
    moving, sds = tracked(table), sd_pairs(list(table.columns))
    values = [c for c in table.columns if c not in sds.values() and (c in moving or not says_where(c))]
    values = [c for c in values if _varies(table.columns[c], kinds)]
    return [c for c in table.columns if c in values or any(sds.get(value) == c for value in values)]


def _on_the_globe(column: str) -> bool:
    words = _WORDS.findall(without_unit(column))
    return bool(words) and in_english(words[0]) in _ON_THE_GLOBE and says_where(column)


def _varies(cells: tuple[float | None, ...], kinds: tuple[str | None, ...]) -> bool:
    """Whether one kind has different numbers."""
    under: dict[str, set[float]] = {}
    for kind, value in zip(kinds, cells, strict=False):
        if kind and value is not None:
            under.setdefault(kind, set()).add(value)
    return any(len(found) > 1 for found in under.values())
