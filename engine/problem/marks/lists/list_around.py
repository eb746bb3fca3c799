"""The list of numbers in which a mark lies, or on whose name it is: where it begins, what it is called, where it ends."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from ...definition import NumberList
from ...extract.hdf_dump import stored_in
from ...extract.list_body import ListBody
from ...extract.list_lead import COLUMNS, INDEX, PLACE, WORD, Lead, begins_list, lead, leads, name_pattern
from ...extract.number_list import places_of
from ...extract.row_cells import is_rule
from ...netcdf_text import group_of
from ...numbers.number_text import value_of
from ...numbers.numbers_in_text import line_bounds
from .found_list import Found, stored_at, stored_lists

MOST_LINES_UP = 200_000  # looked through for the beginning of a list
MOST_NAMES = 20_000  # appearances of a name; of more the list is none
MOST_WORDS = 12  # of a name
MOST_LETTERS = 64
LEAST = 2  # numbers of a list
FIRST = "[1]"  # before the first number of a vector that R prints; its name where there is no other
_BODY = re.compile(r"[-+0-9.,eEdD*_\s]*[0-9_][-+0-9.,eEdD*_\s]*")
_PARTS = re.compile(r"[;,(){}\[\]]|[^\s;,(){}\[\]<>\"']+|[<>\"']")
_SCALE_LINE = re.compile(r"\s*[0-9.]+[eE][-+]?[0-9]+\s*\*\s*")
_TAG = re.compile(r"(?<!\w)<([A-Za-z_][\w.:\-]*)([^<>]*)>\s*$")
_NAMED = re.compile(r"""\b(?:name|id|key)\s*=\s*("[^"]+"|'[^']+')""", re.IGNORECASE)
_BEFORE_NAME = re.compile(r"[;,{}|\t]|(?<!\w)\[|\](?!\s*[=:])|(?<!\S)[-+]?[0-9][0-9.]*(?:[eEdD][-+]?[0-9]+)?(?=\s)")
_SIGNED = re.compile(r"(?:[=:]|<-|=>)\s*$")
_COUNTED = re.compile(r"[0-9]{1,9}[^\S\n]*\n")
_COUNT_BEHIND = re.compile(r"(.*\D)\s*[0-9]{1,9}$")
_WHOLE_TAG = re.compile(r"(?<!\w)<[A-Za-z_][^<>]*>")
_TO_SIGN = re.compile(r"[^\s=:(\[{<]+")
_THEN_SIGN = re.compile(r"\s*(?:=>|=|:|<-)")
_END_SIGNS = (";", ")", "]", "}")
_WORDS = re.compile(r"\S+")
_INDEXED = re.compile(r"(?<=[^\W\d_])\((\d+(?:,\d+){1,2})\)(?!\S)")


class _Name(NamedTuple):
    """What a list may be called, in the characters [low, high) of the text; ``counted``: how many it has stands behind it."""

    text: str | None
    counted: bool
    low: int
    high: int


@dataclass
class Lists:
    """The lists of a text, found one by one; what was read once is kept."""

    text: str
    _places: dict[tuple[str | None, bool], list[tuple[int, int]]] = field(default_factory=dict)
    _found: dict[tuple[int, bool, bool], Found | None] = field(default_factory=dict)

    def at(self, start: int, end: int) -> Found | None:
        """The list that a mark is in, or whose name it is on; None: there is none for sure."""
        if (stored := stored_at(self.text, start, end)) is not None:
            touched = (f for f in stored if f.numbers_at(start, end) or f.start <= start <= f.end)
            return next(touched, stored[0] if stored else None)
        for found in self._candidates(start, end):
            if found.holds(start, end) and (found.numbers_at(start, end) or start < found.body.lead.at):
                return found
        return None

    def touched(self, start: int, end: int, most: int) -> list[Found]:
        """The lists that a drag [start, end) touches; ``most`` of them."""
        first = self.at(start, start)
        begin = first.stop if first is not None else start
        return [*([first] if first is not None else []), *self.within(begin, end, most)][:most]

    def within(self, start: int, end: int, most: int) -> list[Found]:
        """The lists that begin in [start, end), each once; ``most`` of them."""
        found: list[Found] = []
        at = start
        while at < end and len(found) < most:
            low, high = line_bounds(self.text, at)
            if (dumped := next((s for s in stored_in(self.text) if at <= s.start < min(high, end)), None)) is not None:
                found += stored_lists(self.text, dumped)
                at = dumped.stop
                continue
            one = next((f for f in self._on_line(max(low, at), high) if f.start >= at and f.stop > at), None)
            if one is not None and one.start < end:
                found.append(one)
                at = max(one.stop, at + 1)
            else:
                at = high + 1
        return found[:most]

    def _on_line(self, low: int, high: int) -> Iterator[Found]:
        """The lists that begin in the line, from the left."""
        line = self.text[low:high]
        if not any(c.isalpha() for c in line):
            return
        for end in [low + m.end() for m in islice(_WORDS.finditer(line), MOST_WORDS)]:
            yield from self._candidates(end - 1, end - 1)

    # -------------------------------------------------------------- from a place to a name

    def _candidates(self, start: int, end: int) -> Iterator[Found]:
        tried: set[_Name] = set()
        for name in self._names(start, end):
            if name not in tried:
                tried.add(name)
                found = self._read(name)
                if found is not None:
                    yield found

    def _names(self, start: int, end: int) -> Iterator[_Name]:
        """What the list may be called, in which a mark lies or before which it stands."""
        text = self.text
        low, high = line_bounds(text, start)
        tag = _WHOLE_TAG.search(text, max(low, text.rfind("<", low, max(end, start + 1))))
        if tag is not None and tag.start() <= start < tag.end():
            yield from self._called(tag.end())
        inside = self._beginning(start)
        if inside is not None:
            yield from self._called(inside)
            counted = _COUNTED.match(text, inside)
            before = line_bounds(text, inside)[0]
            if counted is not None and (name := self._label(text[before:inside])):
                yield _Name(name, True, before, inside)
        if _WORDS.search(text, start, high) is None:
            return
        first = max(low, text.rfind(" ", low, start) + 1)
        for word in islice(_WORDS.finditer(text, first, high), MOST_WORDS):
            signs = _TO_SIGN.match(text, word.start())
            for stop in dict.fromkeys((word.end(), signs.end() if signs is not None else word.end())):
                name = self._label(text[low:stop])
                if not name or stop < start:
                    continue
                signed = _THEN_SIGN.match(text, stop)
                if signed is not None and (with_sign := self._label(text[low : signed.end()])):
                    yield _Name(with_sign, False, low, signed.end())
                yield _Name(name, False, low, stop)
                yield _Name(name, True, low, stop)

    def _called(self, at: int) -> Iterator[_Name]:
        """Names of a list whose numbers or brackets begin at ``at``."""
        text = self.text
        low, high = line_bounds(text, at)[0], at
        left = text[low:at].rstrip()
        while not left.strip(" \t#%!>|\"'") or is_rule(left) or _SCALE_LINE.fullmatch(left) or COLUMNS.match(left):
            if low == 0:
                break
            low, high = line_bounds(text, low - 1)
            left = text[low:high].rstrip()
        if not left.strip():
            yield _Name(None, False, 0, 0)
            return
        tag = _TAG.search(left)
        if tag is not None:
            named = _NAMED.search(tag[2])
            if named is not None:
                yield _Name(named[0], False, low, high)
            yield _Name(f"<{tag[1]}", False, low, high)
        counted = _COUNT_BEHIND.match(left)
        if counted is not None and (name := self._label(counted[1])):
            yield _Name(name, True, low, high)
        if name := self._label(left):
            yield _Name(name, False, low, high)
        begin = line_bounds(text, at)[0]
        if self._is_first(begin):
            yield _Name(FIRST, False, begin, line_bounds(text, at)[1])

    @staticmethod
    def _label(left: str) -> str:
        """The words that end ``left`` and may be a name; empty without a letter."""
        kept = left.rstrip().rstrip("([{\"'").rstrip()
        before = [m.end() for m in _BEFORE_NAME.finditer(kept)]
        name = " ".join(kept[before[-1] if before else 0 :].split())
        if len(name) > MOST_LETTERS:
            name = name[-MOST_LETTERS:].partition(" ")[2]
        named = any(any(c.isalpha() for c in word) and value_of(word) is None for word in name.split())
        return name if named else ""

    def _beginning(self, at: int) -> int | None:
        """Where the list begins that may hold the place ``at``: its first number, or the brackets before it; None: nowhere."""
        text = self.text
        low, high = line_bounds(text, at)
        word = WORD.search(text, max(low, at - 1), high)
        begin = self._left_of(low, max(at, word.end() if word is not None and word.start() <= at else at))
        if begin is None or begin > low or self._is_first(low):
            return begin
        for _ in range(MOST_LINES_UP):
            if low == 0:
                return 0
            above, stop = line_bounds(text, low - 1)
            line = text[above:stop]
            if _BODY.fullmatch(line):
                low = above
                continue
            if not line.strip():
                return self._over_blank(low, above)
            if COLUMNS.match(line) or _SCALE_LINE.fullmatch(line):
                low = above
                continue
            begin = self._left_of(above, stop)
            if begin is None or begin > above:
                return low if begin is None or begin >= stop else begin
            low = above
            if self._is_first(low):
                return low
        return None

    def _is_first(self, low: int) -> bool:
        """Whether the line that begins at ``low`` is the first of a vector whose positions are printed: [1] 1.5 2.5"""
        index = INDEX.match(self.text, low + len(self.text[low : low + 80]) - len(self.text[low : low + 80].lstrip()))
        return index is not None and index[1] == "1"

    def _over_blank(self, low: int, blank: int) -> int:
        """The same over blank lines, below which line ``low`` begins: only to other columns of the same list."""
        text = self.text
        while blank > 0:
            above, stop = line_bounds(text, blank - 1)
            if text[above:stop].strip():
                headed = COLUMNS.match(text, above)
                if headed is not None and headed[1] != "1":
                    before = self._beginning(max(0, len(text[:above].rstrip()) - 1))
                    return low if before is None else before
                return low
            blank = above
        return low

    def _left_of(self, low: int, at: int) -> int | None:
        """Where the signs and numbers that end text[low:at] begin; None: it does not end with one."""
        placed = PLACE.match(self.text, low, at)
        parts = list(_PARTS.finditer(self.text, low if placed is None else placed.end(), at))
        begin: int | None = None
        opened = 0
        for part in reversed(parts):
            sign = part.group()
            if sign in "([{":
                opened += 1
            elif sign == ";":
                if opened or "[" not in self.text[low : part.start()]:
                    break  # it ends what stands before, unless it is one between rows in brackets
            elif sign not in ",)]}\"'" and not begins_list(self.text, part.start()):
                break
            begin = part.start()
        if parts and begin == parts[0].start():
            return low
        return begin

    # -------------------------------------------------------------- reading

    def _read(self, name: _Name) -> Found | None:
        """The list behind the last appearance of a name in its line, if it is one for sure."""
        if name.text is None:
            here = next(leads(self.text, None), None)
        else:
            found = [m.end() for m in name_pattern(name.text).finditer(self.text, name.low, name.high)]
            there = lead(self.text, found[-1], name.counted) if found else None
            here = (0, found[-1], there) if there is not None and (there.count is not None or not name.counted) else None
        if here is None:
            return None
        key = here[1], name.counted, name.text is None
        if key not in self._found:
            self._found[key] = self._found_at(name, here[1], here[2])
        return self._found[key]

    def _found_at(self, name: _Name, end: int, there: Lead) -> Found | None:
        for comma in (False, True):
            body = ListBody(self.text, there, None, comma)
            if not body.problem:
                break
        if body.problem or len(body.values) < LEAST or not _is_list(self.text, name.text or "", body, name.counted):
            return None
        called, group = name.text, group_of(self.text, end - 1)
        called = f"{group}/{called}" if called and group else called
        places = self._places_of(called, name.counted)
        k = bisect_right([stop for _, stop in places], end) - 1
        if k < 0 or places[k][1] != end:
            return None
        sign = body.end if body.end in _END_SIGNS else None
        whole = NumberList(name=called, occurrence=k + 1, end=sign, counted=name.counted)
        start = self.text.rfind("<", 0, places[k][0] + 1) if there.tag else places[k][0]
        return Found(whole, body, k + 1, len(places), start, end, comma)

    def _places_of(self, name: str | None, counted: bool) -> list[tuple[int, int]]:
        key = name, counted
        if key not in self._places:
            found = [(start, end) for start, end, _ in places_of(self.text, name, counted, MOST_NAMES + 1)]
            self._places[key] = found if len(found) <= MOST_NAMES else []
        return self._places[key]


def _is_list(text: str, name: str, body: ListBody, counted: bool) -> bool:
    """Whether what was read is one list for sure, and no rows of a table."""
    lead = body.lead
    if _is_index(text, body):
        return False
    if lead.brackets or lead.tag or counted or lead.column is not None or lead.scale:
        return True
    if body.end or INDEX.match(text, lead.at) or name == FIRST:
        return True
    if "," in body.separators:
        return (lead.lines == 0 and _SIGNED.search(name) is not None) or _wraps(body)
    if lead.lines == 0:
        behind = text[body.stop : line_bounds(text, body.stop)[1]]
        return _wraps(body) or (_SIGNED.search(name) is not None and not behind.strip())
    return _SIGNED.search(name) is not None


def _is_index(text: str, body: ListBody) -> bool:
    """Whether the numbers are the index in a name among other words, as in a line of headings: SIGMA(1,1)"""
    low, high = line_bounds(text, body.lead.at)
    index = next((m for m in _INDEXED.finditer(text, low, high) if m.start(1) <= body.lead.at <= m.end(1)), None)
    return index is not None and len(text[low:high].split()) > 1


def _wraps(body: ListBody) -> bool:
    """Whether it takes several lines: full ones below the first, and a shorter last one."""
    counts = widths(body)
    full = set(counts[1:-1])
    return len(counts) > 1 and min(counts[0], LEAST) == LEAST and len(full) < 2 and counts[-1] <= max(full or {counts[0]})


def widths(body: ListBody) -> list[int]:
    """How many numbers stand on each line of a list that has any."""
    counts = (b - a for a, b in zip(body.breaks, [*body.breaks[1:], len(body.values)], strict=True))
    return [count for count in counts if count]
