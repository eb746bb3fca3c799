"""Year, month and day, perhaps hour and minute, in columns of their own, as weather services write them: one column of dates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from ... import definition as d
from ..names.brackets import bracket_of
from ..names.column_names import fresh, without_unit
from .zone_words import stated_zone

_NAMES = {
    "year": "year yr yyyy yy jahr jaar año ano année annee anno",
    "month": "month mon mo monat maand mes mês mois mese",
    "day": "day dy dd tag dag día dia jour giorno",
    "hour": "hour hours hr hh stunde uur hora heure ora",
    "minute": "minute minutes min minuto minuut",
    "second": "second seconds sec ss sekunde seconde segundo secondo",
}
_PARTS = {word: part for part, words in _NAMES.items() for word in words.split()}
_CASED = {"MM": "month", "mm": "minute"}  # of buoys: #YY MM DD hh mm
_OF_YEAR = frozenset("doy dayofyear julianday jday yday yearday jourdelannee tagdesjahres dagvanhetjaar".split())
_CLOCK = ("hour", "minute", "second")
FIRST_YEAR, LAST_YEAR = 1600, 2200


def with_whole_dates(
    table: d.DataTable, outputs: Sequence[str], joined: bool = True
) -> tuple[d.DataTable, tuple[str, ...]]:
    """``table`` with a column of dates in place of those that hold their parts, and a sentence about it; as it is and () where
    year, month and day (or the day of the year) are not all there, are no dates in every row, or one is called like an output,
    which is its key then. Not ``joined``: as it is, too, and what they may be."""
    found = _parts(list(table.columns))
    named = [part for part in (*_NAMES, "of_year") if part in found]
    days = ["year", "of_year"] if "of_year" in found and "day" not in found else ["year", "month", "day"]
    clock = [part for k, part in enumerate(_CLOCK) if all(earlier in found for earlier in _CLOCK[: k + 1])]
    if not set(days) <= set(named) or len(named) < sum(_part(n) is not None for n in table.columns):
        return table, ()
    if set(named) - {*days, *clock} - {"minute", "second"}:
        return table, ()
    columns = [found[part] for part in (*days, *clock)]
    known = {without_unit(output).casefold() for output in outputs}
    dates = [_date(cells, len(days)) for cells in zip(*(table.columns[name] for name in columns), strict=True)]
    if not dates or any(date is None for date in dates) or known & {without_unit(name).casefold() for name in columns}:
        return table, ()
    cells = tuple(_written(date, len(clock)) for date in dates if date is not None)
    kept = {name: values for name, values in table.columns.items() if name not in columns}
    if not kept:
        return table, ()
    quoted = [f"“{column}”" for column in columns]
    which = f"{', '.join(quoted[:-1])} and {quoted[-1]}"
    if not joined:
        return table, (f"Columns {which} may be one date together.",)
    zone = next((f" ({one})" for column in columns if (one := bracket_of(column)) and stated_zone((one,))), "")
    name = fresh(f"date{zone}", [*kept, *table.texts])
    words = f"Columns {which} are one date together, {cells[0]} in the first row: column “{name}”, it can pair rows."
    return msgspec.structs.replace(table, columns=kept, texts={name: cells, **table.texts}), (words,)


def _parts(names: Sequence[str]) -> dict[str, str]:
    """The columns by the part of a date that each holds. Of mm and MM that stand both there the one beside the year and the day
    is the month: yyyy mm dd HH MM."""
    found = {part: name for name in names if (part := _part(name)) is not None}
    unsure = [name for name in names if _bare(name) in _CASED]
    told = [name for name in names if _part(name) is not None]
    if len(unsure) == 2 and {_part(name) for name in unsure} == {"month", "minute"}:
        first, last = unsure
        if "hour" in found and told.index(first) < told.index(found["hour"]) < told.index(last):
            found |= {"month": first, "minute": last}
    elif len(unsure) == 1 and "month" not in found and "hour" not in found:
        found = {part: name for part, name in found.items() if part != "minute"} | {"month": unsure[0]}
    return found


def _bare(name: str) -> str:
    return without_unit(name).strip("# ")


def _part(name: str) -> str | None:
    bare = _bare(name)
    if re.sub(r"[\W_]+", "", bare).casefold() in _OF_YEAR:
        return "of_year"
    return _CASED.get(bare) or _PARTS.get(bare.casefold())


def _date(cells: Sequence[float | None], days: int) -> datetime | None:
    """Of year, month and day, or (``days`` 2) year and day of the year, then hour, minute and second, 0 where none; 24 h
    are 0 h of the next day. None: no date."""
    if any(cell is None for cell in cells) or any(cell is None or not cell.is_integer() for cell in cells[: days + 2]):
        return None
    numbers = [float(cell or 0.0) for cell in cells]
    hour, minute, second = (*numbers[days:], 0.0, 0.0, 0.0)[:3]
    year = int(numbers[0])
    if not FIRST_YEAR <= year <= LAST_YEAR or not 0 <= hour <= 24 or not 0 <= minute < 60 or not 0.0 <= second < 60.0:
        return None
    try:
        if days == 2:
            start = datetime(year, 1, 1) + timedelta(days=int(numbers[1]) - 1)
            if start.year != year:
                return None
        else:
            start = datetime(year, int(numbers[1]), int(numbers[2]))
        return start + timedelta(hours=hour, minutes=minute, seconds=round(second, 3))
    except (ValueError, OverflowError):
        return None


def _written(date: datetime, clock: int) -> str:
    """With as much of its clock as there are columns of it."""
    if clock == 0:
        return f"{date:%Y-%m-%d}"
    if clock < len(_CLOCK):
        return f"{date:%Y-%m-%d %H:%M}"
    return f"{date:%Y-%m-%d %H:%M:%S}" + (f".{date.microsecond // 1000:03}" if date.microsecond else "")
