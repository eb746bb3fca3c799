"""Dates with hours that are all of one day: what their clock shows pairs them with a program that prints the time of day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from ..rows.text_keys import UNITS, date_of

_DAY = UNITS["d"]


def clock_on_one_day(cells: Sequence[str | None]) -> tuple[str, tuple[str | None, ...]] | None:
    """The day, 2026-06-16, and what the clock shows in each cell, 02:00; None: some is no date, or says no hour or a zone, or
    they are of several days."""
    dates = [None if not cell else date_of(cell) for cell in cells]
    if any(cell and (date is None or date.zone or ":" not in cell) for cell, date in zip(cells, dates, strict=True)):
        return None
    days = {date.clock // _DAY for date in dates if date is not None}
    if len(days) != 1:
        return None
    day = datetime.fromtimestamp(days.pop() * _DAY, UTC)
    return f"{day:%Y-%m-%d}", tuple(None if date is None else _shown(date.clock % _DAY) for date in dates)


def _shown(seconds: float) -> str:
    """The time of day, its seconds where it has any."""
    whole, rest = divmod(round(seconds, 3), 60.0)
    hours, minutes = divmod(int(whole), 60)
    return f"{hours:02}:{minutes:02}" + (f":{rest:06.3f}".rstrip("0").rstrip(".") if rest else "")
