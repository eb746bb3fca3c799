"""Year, month and day, perhaps hour and minute, in columns of their own, as weather services write them: one column of dates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from ... import definition as d
from ..names.column_names import fresh, without_unit

_NAMES = {
    "year": "year yr yyyy yy jahr jaar año ano année annee anno",
    "month": "month mon mo monat maand mes mês mois mese",
    "day": "day dy dd tag dag día dia jour giorno",
    "hour": "hour hours hr hh stunde uur hora heure ora",
    "minute": "minute minutes min minuto",
}
_PARTS = {word: part for part, words in _NAMES.items() for word in words.split()}
_CASED = {"MM": "month", "mm": "minute"}  # of buoys: #YY MM DD hh mm
FIRST_YEAR, LAST_YEAR = 1600, 2200


def with_whole_dates(table: d.DataTable, outputs: Sequence[str]) -> tuple[d.DataTable, tuple[str, ...]]:
    """``table`` with a column of dates in place of those that hold their parts, and a sentence about it; as it is and () where
    year, month and day are not all there, are no dates in every row, or one is called like an output, which is its key then."""
    found = {part: name for name in table.columns if (part := _part(name)) is not None}
    named = [part for part in _NAMES if part in found]
    if named[:3] != ["year", "month", "day"] or len(named) < sum(_part(n) is not None for n in table.columns):
        return table, ()
    named = named if named != ["year", "month", "day", "minute"] else named[:3]
    columns = [found[part] for part in named]
    known = {without_unit(output).casefold() for output in outputs}
    dates = [_date(cells) for cells in zip(*(table.columns[name] for name in columns), strict=True)]
    if not dates or any(date is None for date in dates) or known & {without_unit(name).casefold() for name in columns}:
        return table, ()
    with_time = len(named) > 3
    cells = tuple(f"{date:%Y-%m-%d %H:%M}" if with_time else f"{date:%Y-%m-%d}" for date in dates)
    kept = {name: values for name, values in table.columns.items() if name not in columns}
    if not kept:
        return table, ()
    name = fresh("date", [*kept, *table.texts])
    quoted = [f"“{column}”" for column in columns]
    one = f"{', '.join(quoted[:-1])} and {quoted[-1]} are one date together, {cells[0]} in the first row"
    words = f"Columns {one}: column “{name}”, it can pair rows."
    return msgspec.structs.replace(table, columns=kept, texts={name: cells, **table.texts}), (words,)


def _part(name: str) -> str | None:
    bare = without_unit(name).strip("# ")
    return _CASED.get(bare) or _PARTS.get(bare.casefold())


def _date(cells: Sequence[float | None]) -> datetime | None:
    """Of year, month, day, hour and minute, the last two 0 where there are none; 24 h are 0 h of the next day. None: no date."""
    if any(cell is None or not cell.is_integer() for cell in cells):
        return None
    year, month, day, hour, minute = (*(int(cell or 0) for cell in cells), 0, 0)[:5]
    if not FIRST_YEAR <= year <= LAST_YEAR or not 0 <= hour <= 24 or not 0 <= minute < 60:
        return None
    try:
        return datetime(year, month, day) + timedelta(hours=hour, minutes=minute)
    except ValueError:
        return None
