"""A column of dates and one of the clock beside it, as loggers and field sheets write them: one column of moments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import msgspec

from ... import definition as d
from ..names.column_names import fresh, without_unit
from ..rows.text_keys import UNITS, date_of, is_date, seconds_of, unit_of
from .past_midnight import DAY

_CLOCKS = frozenset(
    "time clock tijd tijdstip klok kloktijd zeit uhrzeit uhr heure hora ora orario tid klokkeslæt klockslag klockan czas godzina "
    "čas saat".split()
)
_NO_CLOCKS = frozenset("elapsed run since total duration relative lag travel dauer looptijd laufzeit verstreken durée".split())


def with_moments(table: d.DataTable, outputs: Sequence[str], joined: bool = True) -> tuple[d.DataTable, str]:
    """``table`` with a column of moments in place of one of dates and one of the clock, and a sentence about it; as it is and ''
    where there is no such pair, several may be meant, or the program prints both under these names. Not ``joined``: as it is,
    too, and what they may be.

    A date stands for the rows below it that have none, a day later where their clock goes back: sheets written by hand say a
    day once.
    """
    dates = [name for name, cells in table.texts.items() if _are_days(cells)]
    clocks = [name for name, cells in table.texts.items() if _is_clock(name) and _shows_clock(cells)]
    if len(dates) != 1 or len(clocks) != 1:
        return table, ""
    (day,), (clock,) = dates, clocks
    known = {without_unit(output).casefold() for output in outputs}
    if {without_unit(day).casefold(), without_unit(clock).casefold()} <= known:
        return table, ""
    cells = tuple(_moments(table.texts[day], table.texts[clock]))
    if not any(cells):
        return table, ""
    if not joined:
        return table, f"Columns “{day}” and “{clock}” may be one moment together."
    texts = {name: column for name, column in table.texts.items() if name not in (day, clock)}
    name = fresh(f"{day} {clock}", [*texts, *table.columns])
    first = next(cell for cell in cells if cell)
    words = f"Columns “{day}” and “{clock}” are one moment together, {first} in the first row: column “{name}”, it can pair rows."
    return msgspec.structs.replace(table, texts={name: cells, **texts}), words


def _is_clock(name: str) -> bool:
    words = frozenset(without_unit(name).casefold().replace("_", " ").replace(".", " ").split())
    return bool(words & _CLOCKS) and not words & _NO_CLOCKS


def _are_days(cells: Sequence[str | None]) -> bool:
    """Whether the filled cells are dates, and none says an hour."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(is_date(cell) and ":" not in cell for cell in filled)


def _shows_clock(cells: Sequence[str | None]) -> bool:
    seconds = [seconds_of(cell) for cell in cells if cell]
    return unit_of(cells) == "s" and all(s is not None and 0.0 <= s <= DAY for s in seconds)


def _moments(days: Sequence[str | None], clocks: Sequence[str | None]) -> Iterator[str | None]:
    """The moment of each row, None where its clock is not known."""
    start, before = None, 0.0
    for day, clock in zip(days, clocks, strict=True):
        seconds = seconds_of(clock) if clock else None
        if day and (read := date_of(day)) is not None:
            start = read.clock
        elif start is not None and seconds is not None and seconds < before:
            start += DAY
        before = before if seconds is None else seconds
        yield None if start is None or seconds is None else _written(start + seconds)


def _written(seconds: float) -> str:
    """A moment in s since 1970, its seconds where it has any."""
    moment = datetime(1970, 1, 1) + timedelta(seconds=round(seconds, 3))
    if moment.microsecond:
        return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03}".rstrip("0")
    return f"{moment:%Y-%m-%d %H:%M:%S}" if seconds % UNITS["min"] else f"{moment:%Y-%m-%d %H:%M}"
