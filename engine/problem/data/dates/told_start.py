"""When a test began, in the words of a data file: “pump on 10:32”, “t0 = 2021-03-05 10:32:00”, “Beginn 10:32 Uhr”. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...numbers.month_names import MONTH
from ..rows.text_keys import date_of, seconds_of

LONGEST = 200  # characters of a line
_DAY = (
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th|\.)?[ -]?{MONTH}[ ,-]*[0-9]{{4}}|{MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}"
)
_CLOCK = r"(?<![\d:.])(?P<clock>[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?(?:\s*[ap]\.?m\.?(?![^\W_]))?)(?![\d:])"
_THING = r"(?:\s+(?:of|des|der|de|del|du)\s+(?:the\s+|la\s+|l')?[^\W\d_]+)?"
_ZERO = r"(?<![^\W_])t(?:ime)?[ _]?(?:=\s*)?0(?![.\w])|\btime[ _]zero\b|\bzero[ _](?:time|hour)\b|\bzeitnullpunkt\b|\bnullzeit\b"
_START = (
    rf"\b(?:start|begin|beginning|onset)\b{_THING}|\b[^\W\d_]+[ _](?:starts?|started|begins?|began|start[ _]time)\b|\bstarted\b"
    r"|\b[^\W\d_]+[ _](?:(?:switched|turned)[ _])?on\b|\b[^\W\d_]+[ _](?:an|ein|eingeschaltet)\b"
    rf"|\b\w*(?:beginn|start)\b{_THING}|\b(?:début|debut|inicio|início|inizio|aanvang)\b{_THING}"
)
_TOLD = re.compile(
    rf"(?:(?P<zero>{_ZERO})|(?:{_START}))(?:\s*[:=,(]\s*|\s+(?:time|was|at|is|um|à|a|alle|om|on|am|le|el)(?=\s)|\s+)*"
    rf"(?:(?P<day>{_DAY})[T ,]*(?:at\s+|um\s+)?)?{_CLOCK}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ToldStart:
    """``words``: as they stand in the file; ``clock``: s since midnight; ``day``: midnight of the day in s since 1970, None: not
    said; ``zero``: it is called time 0."""

    words: str
    clock: float
    day: float | None = None
    zero: bool = False


def told_starts(lines: Iterable[str]) -> tuple[ToldStart, ...]:
    """What lines beside a table say of when something began; what is called time 0 goes first, then in their order."""
    found: dict[tuple[float, float | None], ToldStart] = {}
    for line in lines:
        for match in _TOLD.finditer(line[:LONGEST]):
            clock = seconds_of(match["clock"].strip())
            day = date_of(match["day"]) if match["day"] else None
            if clock is None or (match["day"] and day is None):
                continue
            one = ToldStart(" ".join(match.group().split()), clock, None if day is None else day.clock, bool(match["zero"]))
            found.setdefault((one.clock, one.day), one)
    return tuple(sorted(found.values(), key=lambda one: not one.zero))
