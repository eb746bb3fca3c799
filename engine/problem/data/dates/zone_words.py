"""In which zone a file's clock is, by its words: “Time_UTC”, “Times: local time CEST (UTC+2)”. Pure.

Offsets are those of the tz database (IANA); an abbreviation that several zones share (CST, IST) tells no offset.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

HOUR = 3600.0  # s
_HOURS = {
    "UTC": 0.0, "GMT": 0.0, "WET": 0.0, "WEST": 1.0, "CET": 1.0, "MEZ": 1.0, "CEST": 2.0, "MESZ": 2.0, "EET": 2.0, "EEST": 3.0,
    "MSK": 3.0, "EST": -5.0, "EDT": -4.0, "CDT": -5.0, "MST": -7.0, "MDT": -6.0, "PST": -8.0, "PDT": -7.0, "JST": 9.0,
    "AEST": 10.0, "AEDT": 11.0, "NZST": 12.0, "NZDT": 13.0,
}  # fmt: skip
_SHARED = ("BST", "CST", "IST", "AST")
_SHIFT = r"(?:UTC|GMT)[ \t]*(?P<sign>[+\-\u2212\u00b1])[ \t]*(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?(?![0-9])"
_NAMES = "|".join((*_HOURS, *_SHARED))
_ZONE = re.compile(rf"(?<![A-Za-z])(?:(?:(?P<called>{_NAMES})[ \t]*[(,=]?[ \t]*)?{_SHIFT}\)?|(?P<name>{_NAMES})(?![A-Za-z]))")
_LOCAL = re.compile(r"(?<![^\W_])(?:local[ _]time|ortszeit|lokale tijd|heure locale|hora local)(?![^\W_])", re.IGNORECASE)


@dataclass(frozen=True)
class Zone:
    """A zone by its ``words``; ``offset`` from UTC in s, None where the words do not tell it."""

    words: str
    offset: float | None = None


def stated_zone(names: Iterable[str], lines: Iterable[str] = ()) -> Zone | None:
    """Of a file whose columns of times have these ``names`` and that says ``lines`` above its table; the names count first. None:
    nothing is said, or different things are."""
    for texts in (names, lines):
        found = [zone for text in texts for zone in _zones(text)]
        told = [zone for zone in found if zone.offset is not None] or found
        if told:
            return told[0] if len({zone.offset for zone in told}) == 1 else None
    return None


def _zones(text: str) -> list[Zone]:
    found = [_zone(match) for match in _ZONE.finditer(text)]
    return found or [Zone(match.group()) for match in _LOCAL.finditer(text)]


def _zone(match: re.Match[str]) -> Zone:
    words = match.group()
    words = words if "(" in words else words.rstrip(")")
    if (name := match["name"]) is not None:
        hours = _HOURS.get(name)
        return Zone(words, None if hours is None else HOUR * hours)
    size = HOUR * int(match["hours"]) + 60.0 * int(match["minutes"] or 0)
    return Zone(words, -size if match["sign"] in "-\u2212" else size)
