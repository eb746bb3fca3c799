"""Where a program's text says from which date it counts: “hours since 2019-09-01 00:00:00”, “time 0 = 3 March 2021”. Pure.

The first way is that of the CF conventions (Climate and Forecast metadata, section 4.4), the second one people's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ...numbers.month_names import MONTH
from ...numbers.numbers_in_text import line_bounds
from ..rows.text_keys import date_of
from .calendars import CIVIL, first_calendar

LOOKED_AT = 200_000  # characters at the beginning of a text: what it counts is said in its head
SHORT = 1_000  # characters of which what is said is sooner found than remembered: headings
_WORDS = {"d": "days?|d", "h": "hours?|hrs?|h", "min": "minutes?|mins?|min", "s": "seconds?|secs?|s"}  # of each unit
_UNIT = "|".join(f"(?P<{unit}>{words})" for unit, words in _WORDS.items())
_DAY = (
    r"[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|er|\.)?[ -]?{MONTH}[ ,-]*[0-9]{{4}}|{MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}"
)
_HOUR = r"(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{1,2})(?::(?P<second>[0-9]{1,2}(?:\.[0-9]*)?))?)?"
_ZONE = r"(?P<zone>Z|UTC|GMT|[+-][0-9]{1,2}(?::?[0-9]{2})?)"
_DATE = rf"(?P<day>{_DAY})(?:(?:T|[ \t]+(?:at[ \t]+)?){_HOUR}(?:[ \t]?{_ZONE})?)?(?![\w-])"
_SINCE = re.compile(rf"(?<![\w])(?<![0-9.][ \t])(?:{_UNIT})[ \t]+(?:since|after)[ \t]+{_DATE}", re.IGNORECASE)
_ZERO = re.compile(
    r"(?<![\w.])(?:(?:time|t|day|hour|date)[ \t]*(?:=[ \t]*)?(?:0(?:\.0*)?(?![.\w])|zero\b)|t0\b"
    r"|(?:reference|base|origin|zero)[ \t_-]*(?:date|time|day)\b|(?:time|date)[ \t_-]*(?:origin|of[ \t]origin)\b)"
    rf"(?:[ \t\"'(=:]|->|(?:is|are|at|on|of|corresponds to|means)\b)+{_DATE}",
    re.IGNORECASE,
)
_OF = re.compile(r"(\w+):units\s*=\s*[\"']?$")  # time:units = "days since 2000-01-01", as ncdump prints it


@dataclass(frozen=True)
class Stated:
    """A program's time 0: ``start`` in s since 1970, counted in ``unit`` ('': not said). ``words``: as they stand in the text,
    from character ``at`` on. ``zoned``: by a zone other than UTC. ``calendar``: by whose days it counts.
    ``of``: the variable of which it is said, '' where that is not told."""

    unit: str
    start: float
    words: str = ""
    at: int = 0
    zoned: bool = False
    calendar: str = CIVIL
    of: str = ""


def statements(text: str) -> tuple[Stated, ...]:
    """All that ``text`` says of a time 0, in order."""
    return _kept(text[:LOOKED_AT]) if len(text) > SHORT else _statements(text)


@lru_cache(maxsize=64)  # the texts of a test run, asked for again by each output and page
def _kept(text: str) -> tuple[Stated, ...]:
    return _statements(text)


def _statements(text: str) -> tuple[Stated, ...]:
    found = [one for way in (_SINCE, _ZERO) for match in way.finditer(text) if (one := _stated(match)) is not None]
    return tuple(sorted(found, key=lambda one: one.at))


def stated(name: str, own: Iterable[str], texts: Sequence[str]) -> Stated | None:
    """From which date the output ``name`` counts; None: nothing says so, or different things are said.

    ``own``: what is known of the output itself, such as the heading that it is read by. ``texts``: that it is read from, then the
    others of the run. The lines that name the output count before the rest of a text; what is said of a variable that is none of
    the words in ``own`` does not count.
    """
    own = tuple(own)
    found = _first(name, own, texts)
    if found is None or (calendar := first_calendar((*own, *(text[:LOOKED_AT] for text in texts)), name)) == CIVIL:
        return found
    return replace(found, calendar=calendar, words=f"{found.words}, calendar {calendar}")


def _first(name: str, own: Sequence[str], texts: Sequence[str]) -> Stated | None:
    for words in own:
        if (one := _agreed(statements(words))) is not None:
            return one
    word = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])") if name else None
    mine = {name, *(part for words in own for part in re.findall(r"\w+", words))}
    for text in texts:
        every = [one for one in statements(text) if one.of in ("", *mine)]
        named = [one for one in every if word is not None and word.search(text[slice(*line_bounds(text, one.at))])]
        if (one := _agreed(named or every)) is not None or every:
            return one
    return None


def _agreed(every: Sequence[Stated]) -> Stated | None:
    """The one that all say; without its unit where they differ in that."""
    if not every or len({one.start for one in every}) > 1:
        return None
    units = {one.unit for one in every if one.unit}
    one = next((one for one in every if one.unit), every[0])
    return one if len(units) < 2 else replace(one, unit="")


def _stated(match: re.Match[str]) -> Stated | None:
    parts = match.groupdict()
    day = parts["day"]
    if (year := re.fullmatch(r"([0-9]{1,4})(-[0-9]{1,2}-[0-9]{1,2})", day)) is not None:
        day = f"{int(year[1]):04}{year[2]}"  # days since 1-1-1 is of the year 1
    read = date_of(day)
    if read is None:
        return None
    clock = [float(parts[part] or 0.0) for part in ("hour", "minute", "second")]
    if clock[0] > 24.0 or max(clock[1:]) >= 60.0:
        return None
    offset = _offset(parts["zone"] or "")
    start = read.clock + 3600.0 * clock[0] + 60.0 * clock[1] + clock[2] - offset
    unit = next((unit for unit in _WORDS if parts.get(unit)), "")
    words = " ".join(match.group().split())
    words += ")" if "(" in words else "'" if "'" in words else '"' if '"' in words else ""  # what is opened before a date
    line = match.string[line_bounds(match.string, match.start())[0] : match.start()]
    return Stated(unit, start, words, match.start(), offset != 0.0, of=of[1] if (of := _OF.search(line)) else "")


def _offset(zone: str) -> float:
    """Of a zone from UTC, in s."""
    if zone[:1] not in ("+", "-"):
        return 0.0
    digits = zone[1:].replace(":", "")
    hours, minutes = (digits, "0") if len(digits) <= 2 else (digits[:-2], digits[-2:])
    return (3600.0 * int(hours) + 60.0 * int(minutes)) * (1 if zone[0] == "+" else -1)
