"""Dates and times of day that stand in a text: where they are, and the words of which they are made. Pure."""

from __future__ import annotations

import re

from .month_names import MONTH
from .number_characters import plain_signs

_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)"
_ZONE = r"(?:\s?(?:Z|UTC|GMT|[+-][0-9]{1,2}:?[0-9]{2}|[A-Z]{3,4}(?=\s+[0-9]{4}))(?![\w]))"
_CLOCK = r"[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?:\s?[ap]\.?m\b\.?)?"
_NUMBERED = r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2(?:[0-9]{4}|[0-9]{2})"
_NAMED = (
    rf"[0-9]{{1,2}}(?:st|nd|rd|th|er|\.)?(?:[\s-]*|\sde\s){MONTH}(?:[\s,-]*|\sde\s)(?:[0-9]{{4}}|(?<=-)[0-9]{{2}})"
    rf"|{MONTH}\s+[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s+[0-9]{{4}}(?!\s*:)"
    rf"|{MONTH}\s+[0-9]{{1,2}}\s+{_CLOCK}{_ZONE}?(?:\s+[0-9]{{4}})?"  # as the C library writes it: Nov 27 14:03:22 UTC 2026
)
_DATE = re.compile(
    rf"(?<![\w.:/-]){_WEEKDAY}?(?:{_NUMBERED}|{_NAMED})(?:(?:T|[\s,]+(?:at\s+)?){_CLOCK}{_ZONE}?)?(?!\w)(?![.:/-][0-9])"
    rf"|(?<![\w.:]){_CLOCK}{_ZONE}?(?!\w)(?![.:][0-9])",
    re.IGNORECASE,
)


def dates_in(text: str) -> list[tuple[int, int]]:
    """[start, end) of every date, with its weekday, time of day and zone, and of every time of day that stands alone."""
    return [m.span() for m in _DATE.finditer(plain_signs(text))]


def behind_dates(line: str, start: int) -> int:
    """Where what stands in ``line`` from ``start`` on begins, behind its last date or time of day."""
    return max(start, *(end for _, end in dates_in(line)), 0)
