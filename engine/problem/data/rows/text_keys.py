"""Labels, times and dates as keys that pair rows: one number for each, the same on the side of the data and of the program.

Outputs travel and are stored as numbers, so a label is one too: a whole number from 2^52 on made of a hash of its characters.
A text that is a number is that number; a time is its seconds; a date is its seconds since 1970. Spaces around and within a text,
no-break spaces and the looks of a minus sign make no difference; capital and small letters do (Co is not CO).
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...numbers.month_names import MONTH, month_number
from ...numbers.number_text import value_of

FIRST_LABEL = 2.0**52  # whole numbers from here to 2^53 are exact and far above any measured key
_TIME = re.compile(r"([+-]?)(?:([0-9]{1,6})\s*d(?:ays?)?,?\s+)?([0-9]{1,6}):([0-5]?[0-9])(?::([0-5]?[0-9](?:[.,][0-9]+)?))?")
_HALF_DAY = re.compile(r"(?P<hour>1[0-2]|0?[0-9])(?P<rest>(?::[0-5][0-9]){1,2}(?:[.,][0-9]+)?)\s?(?P<half>[AaPp])\.?\s?[Mm]\.?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ]+(.+?))?(Z|[+-][0-9]{2}:?[0-9]{2})?")
_DOTTED_DATE = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})(?:[T ]+(.+?))?(Z|[+-][0-9]{2}:?[0-9]{2})?")
_NAMED_DATE = re.compile(
    rf"([0-9]{{1,2}})(?:st|nd|rd|th|er|\.)?(?:[ -]*| de )({MONTH})(?:[ ,-]*| de )([0-9]{{4}})(?:[T, ]+(.+?))?", re.IGNORECASE
)
_ISO_WEEK = re.compile(r"([0-9]{4})[- ]?W([0-9]{2})(?:-?([1-7]))?")  # ISO 8601, section 5.2.4: 2024-W01, perhaps a day of it
_MONTH_FIRST = re.compile(rf"({MONTH}) *([0-9]{{1,2}})(?:st|nd|rd|th)?,? +([0-9]{{4}})(?:[T, ]+(.+?))?", re.IGNORECASE)
SLASHED_DATE = re.compile(  # 5/3/24, or 05-03-2024: of two digits between hyphens the year is not known
    r"(?=[0-9]+(?:/[0-9]+/|-[0-9]+-[0-9]{4}))([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{2}|[0-9]{4})(?:[T ]+(.+))?"
)
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
PLACE = "Data page, tab Comparison."  # where that is said
SINCE_1970 = "s since 1970"  # what dates count in where they stand for numbers
MOST_KNOWN = 1 << 15  # texts that are known as what they are: pages ask for those of a table again at every change
MOST_COLUMNS_KNOWN = 256
LARGEST_COUNT = 1e8  # of days, hours or seconds since a start, three years in s; dates since 1973 are larger in s since 1970


@lru_cache(maxsize=MOST_KNOWN)
def plain(text: str) -> str:
    """The one spelling of a label: no spaces around, single ones within, compatible characters made alike."""
    found = " ".join(unicodedata.normalize("NFKC", text).split())
    return found.replace("\u2212", "-").replace("\u2010", "-").replace("\u2011", "-")


@lru_cache(maxsize=MOST_KNOWN)
def seconds_of(text: str) -> float | None:
    """Seconds of a time (00:30:00, 1:05, 2 d 03:00:00) or of a date since 1970 (2024-05-01, 01.05.2024 12:00, 1 May 2024; of
    2024-W18 its Monday); None: neither."""
    text = _of_24_hours(plain(text))
    if time := _TIME.fullmatch(text):
        sign, days, hours, minutes, seconds = time.groups()
        total = 86400.0 * int(days or 0) + 3600.0 * int(hours) + 60.0 * int(minutes)
        total += float((seconds or "0").replace(",", "."))
        return -total if sign == "-" else total
    read = date_of(text)
    return None if read is None else read.clock - (read.offset or 0.0)


@dataclass(frozen=True)
class Date:
    """A date, perhaps with a time: what its clock shows, in seconds since 1970 as if that were UTC; and its zone.

    ``offset``: of the zone from UTC, in s; None where none is stated. ``zone``: as it is written, '' for none.
    """

    clock: float
    offset: float | None = None
    zone: str = ""


@dataclass(frozen=True)
class Written:
    """A date as it is written, whether a calendar has that day or not: its day, and the seconds of that day. ``zone``: '' for
    none."""

    year: int
    month: int
    day: int
    seconds: float = 0.0
    zone: str = ""

    @property
    def offset(self) -> float | None:
        """Of the zone from UTC, in s; None where none is stated."""
        if not self.zone:
            return None
        if self.zone == "Z":
            return 0.0
        return 60.0 * (60 * int(self.zone[1:3]) + int(self.zone[-2:])) * (1 if self.zone[0] == "+" else -1)


def date_written(text: str) -> Written | None:
    """The year, month and day that stand in ``text``, and its time; None: it is written like no date."""
    text = plain(text)
    if found := _DATE.fullmatch(text):
        year, month, day, rest, zone = found.groups()
    elif found := _DOTTED_DATE.fullmatch(text):
        day, month, year, rest, zone = found.groups()
    elif (found := _NAMED_DATE.fullmatch(text)) or (found := _MONTH_FIRST.fullmatch(text)):  # the names of months tell
        first, second, year, rest = found.groups()
        name, day = (first, second) if second.isdigit() else (second, first)
        month, zone = str(month_number(name)), None
    elif week := _ISO_WEEK.fullmatch(text):
        return _day_of_week(int(week[1]), int(week[2]), int(week[3] or 1))
    else:
        return None
    seconds = 0.0 if rest is None else _of_day(rest)
    return None if seconds is None else Written(int(year), int(month), int(day), seconds, zone or "")


def _day_of_week(year: int, week: int, day: int) -> Written | None:
    """A day, 1 for its Monday, of an ISO week; None: the year has no such week."""
    try:
        found = date.fromisocalendar(year, week, day)
    except ValueError:
        return None
    return Written(found.year, found.month, found.day)


@lru_cache(maxsize=MOST_KNOWN)
def date_of(text: str) -> Date | None:
    """The date that ``text`` is; None: it is none."""
    read = date_written(text)
    if read is None:
        return None
    try:
        start = datetime(read.year, read.month, read.day, tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None
    return Date(start + read.seconds, read.offset, read.zone)


def slashed_date(text: str, day_first: bool) -> str | None:
    """05/03/2024 14:10 or 05-03-2024 as an ISO date, its time as it stands; None: it is no such date."""
    match = SLASHED_DATE.fullmatch(plain(text))
    if match is None:
        return None
    day, month = (match[1], match[2]) if day_first else (match[2], match[1])
    year = match[3] if len(match[3]) == 4 else f"20{match[3]}"
    return f"{year}-{int(month):02}-{int(day):02}" + (f" {match[4]}" if match[4] else "")


def is_date(text: str) -> bool:
    """Whether ``text`` is a date with a year, perhaps with a time."""
    text = _of_24_hours(plain(text))
    return seconds_of(text) is not None and _TIME.fullmatch(text) is None


def unit_of(texts: Iterable[str | None]) -> str:
    """What times and dates count in where they stand for numbers, 's' or 's since 1970'; '' unless all filled texts are such."""
    return _unit_of(tuple(texts))


@lru_cache(maxsize=MOST_COLUMNS_KNOWN)
def _unit_of(texts: tuple[str | None, ...]) -> str:
    filled = [text for text in texts if text and plain(text)]
    if not filled or any(seconds_of(text) is None or value_of(plain(text)) is not None for text in filled):
        return ""
    return SINCE_1970 if any(is_date(text) for text in filled) else "s"


def counts_from_zero(values: NDArray[np.float64]) -> bool:
    """Whether numbers (n,) may be the time since a start: rising, begun no farther from 0 than they reach, and no dates."""
    known = values[np.isfinite(values)]
    rising = len(known) > 1 and bool(np.all(np.diff(known) >= 0)) and known[-1] > known[0]
    return rising and abs(float(known[0])) <= float(known[-1] - known[0]) and float(known[-1]) < LARGEST_COUNT


def count_dates(cells: Iterable[str | None], values: NDArray[np.float64]) -> str:
    """What helps where dates ``cells`` are to pair with numbers (n,) that count from a start; '' where that is not so."""
    if unit_of(cells) != SINCE_1970 or not counts_from_zero(values):
        return ""
    return f"Count the dates from the day on which the program's time is 0: {PLACE}"


@lru_cache(maxsize=MOST_KNOWN)
def code(text: str) -> float:
    """The number that stands for a key; NaN for an empty one."""
    text = plain(text)
    if not text:
        return math.nan
    value = value_of(text)
    if value is not None and math.isfinite(value):
        return value
    seconds = seconds_of(text)
    if seconds is not None:
        return seconds
    digest = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    return FIRST_LABEL + 1.0 + float(digest % (2**52 - 1))  # FIRST_LABEL itself is an empty label of a program


def _of_24_hours(time: str) -> str:
    """01:30:00 PM as 13:30:00; another text as it is."""
    half = _HALF_DAY.fullmatch(time)
    if half is None:
        return time
    return f"{int(half['hour']) % 12 + (12 if half['half'] in 'Pp' else 0):02}{half['rest']}"


def _of_day(rest: str) -> float | None:
    """Seconds of the day of a time behind a date; None: it is none."""
    time = _TIME.fullmatch(_of_24_hours(rest.strip()))
    if time is None or time[1] or time[2]:
        return None
    return 3600.0 * int(time[3]) + 60.0 * int(time[4]) + float((time[5] or "0").replace(",", "."))
