"""How a clock of the data runs beside that of the program, by words of the file: "logger 01:00 is model 02:00", "5 min fast",
"winter time all year". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..rows.text_keys import UNITS
from .zone_words import stated_zone

LONGEST = 300  # characters of a line; more are a text about other things
HOUR = UNITS["h"]
_GENERIC = frozenset("clock time times date datum zeit uhr uhrzeit hour hours stunde heure hora t day tag on of the all".split())
_WORD = re.compile(r"[^\W\d_]+")
_CLOCK = r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9]"
_BOTH = re.compile(
    rf"(?P<one>[^\W\d_][\w .-]{{0,30}}?)\s*(?P<first>{_CLOCK})\s*(?:is|=|equals|means|corresponds to|entspricht|ist|->|→)\s*"
    rf"(?P<other>[^\W\d_][\w .-]{{0,30}}?)\s*(?P<second>{_CLOCK})",
    re.IGNORECASE,
)
_PROGRAM = frozenset("model models program simulation simulator code modell programm rechnung modèle".split())
_OFF = re.compile(
    r"(?P<size>[0-9]+(?:[.,][0-9]+)?)\s*(?P<unit>hours?|hrs?|h|minutes?|mins?|min|seconds?|secs?|s|stunden?|sekunden?|minuten?)\s+"
    r"(?:too\s+|zu\s+)?(?P<way>fast|ahead|early|slow|behind|late|vor|nach)\b",
    re.IGNORECASE,
)
_WINTER = re.compile(
    r"\b(?:winter[ -]?time|standard time|winterzeit|normalzeit|heure d'hiver|no (?:daylight saving|dst))\b", re.IGNORECASE
)
_SUMMER = re.compile(r"\b(?:summer[ -]?time|daylight[ -]saving(?:s)?(?: time)?|dst|sommerzeit|heure d'été)\b", re.IGNORECASE)


@dataclass(frozen=True)
class SaidClock:
    """``words``: of the file. ``shift``: what is to be added to the program's clock, in s, for it to show that of the data, where
    they tell it (``sure``), or as it is where the program keeps the other time of summer and winter. ``pair``: two times that are
    one moment, of the data and of the program; ``season``: which of the two the clock of the data shows; ``zone``: in which one
    the clock of the data is, where the program's is in another or, it says nothing, may be in UTC."""

    words: str
    shift: float
    sure: bool
    pair: tuple[str, str] = ("", "")
    season: str = ""
    zone: str = ""


def said_clock(lines: Iterable[str], column: str, alone: bool) -> SaidClock | None:
    """What the ``lines`` of a file say of the clock in ``column``, which they name by a word of its own, or need not where it is
    the only one (``alone``)."""
    own = {word.casefold() for word in _WORD.findall(column)} - _GENERIC
    doubts: list[SaidClock] = []
    for line in (one for one in lines if len(one) <= LONGEST):
        if (own and not own & {word.casefold() for word in _WORD.findall(line)}) or not (own or alone):
            continue
        found = _told(" ".join(line.split()), own)
        if found is not None and found.sure:
            return found
        doubts += [found] if found is not None else []
    return doubts[0] if doubts else None


def zoned_clock(lines: Iterable[str], column: str, printed: Iterable[str]) -> SaidClock | None:
    """The clock in ``column`` by the zone that its heading or the ``lines`` say; ``printed``: what the program calls its own."""
    lines = [line for line in lines if len(line) <= LONGEST]
    zone, own = stated_zone([column], lines), stated_zone(printed)
    if zone is None or zone.offset is None or (own is not None and own.offset is None):
        return None
    shift = zone.offset - (0.0 if own is None or own.offset is None else own.offset)
    words = next((" ".join(line.split()) for line in (column, *lines) if zone.words in line), zone.words)
    return SaidClock(words, shift, own is not None, zone=zone.words) if shift else None


def _told(line: str, own: set[str]) -> SaidClock | None:
    for both in _BOTH.finditer(line):
        sides = [{word.casefold() for word in _WORD.findall(both[name])} for name in ("one", "other")]
        times = both["first"], both["second"]
        if sides[1] & _PROGRAM or (own & sides[0] and not own & sides[1]):
            data, program = times
        elif sides[0] & _PROGRAM or (own & sides[1] and not own & sides[0]):
            program, data = times
        else:
            continue
        shift = _seconds(data) - _seconds(program)
        if shift:
            return SaidClock(line, shift, True, (data, program))
    if (off := _OFF.search(line)) is not None:
        size = float(off["size"].replace(",", ".")) * _unit(off["unit"])
        ahead = off["way"].casefold() in ("fast", "ahead", "early", "vor")
        return SaidClock(line, size if ahead else -size, True)
    winter, summer = _WINTER.search(line), _SUMMER.search(line)
    if winter is None and summer is None:
        return None
    first_winter = winter is not None and (summer is None or winter.start() < summer.start())
    return SaidClock(line, -HOUR if first_winter else HOUR, False, season="winter" if first_winter else "summer")


def _unit(word: str) -> float:
    word = word.casefold()
    return HOUR if word.startswith(("h", "st")) else UNITS["min"] if word.startswith("m") else 1.0


def _seconds(clock: str) -> float:
    hours, minutes = clock.split(":")
    return 3600.0 * int(hours) + 60.0 * int(minutes)
