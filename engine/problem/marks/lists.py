"""The list of numbers in which a mark lies, or before which its name stands: where it begins, what it is called, where it ends."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..definition import NumberList
from ..extract.list_body import ListBody
from ..extract.list_lead import COLUMNS, INDEX, WORD, begins_list, leads
from ..extract.row_cells import is_rule
from ..numbers.number_text import value_of
from ..numbers.numbers_in_text import line_bounds

MOST_LINES_UP = 200_000  # looked through for the beginning of a list
MOST_NAMES = 20_000  # appearances of a name; of more the list is none
MOST_WORDS = 12  # of a name
MOST_LETTERS = 64
LEAST = 2  # numbers of a list
_BODY = re.compile(r"[-+0-9.,eEdD*_\s]*[0-9_][-+0-9.,eEdD*_\s]*")
_PARTS = re.compile(r"[;,(){}\[\]]|[^\s;,(){}\[\]<>\"']+|[<>\"']")
_SCALE_LINE = re.compile(r"\s*[0-9.]+[eE][-+]?[0-9]+\s*\*\s*")
_TAG = re.compile(r"<([A-Za-z_][\w.:\-]*)([^<>]*)>\s*$")
_NAMED = re.compile(r"""\b(?:name|id|key)\s*=\s*("[^"]+"|'[^']+')""", re.IGNORECASE)
_BEFORE_NAME = re.compile(r"[;,{}|\t]|(?<!\w)\[|\]|(?<!\S)[-+]?[0-9][0-9.]*(?:[eEdD][-+]?[0-9]+)?(?=\s)")
_SIGNED = re.compile(r"(?:[=:]|<-)\s*$")
_COUNTED = re.compile(r"[0-9]{1,9}[^\S\n]*\n")
_WORDS = re.compile(r"\S+")


@dataclass(frozen=True)
class Found:
    """``whole`` reads all of the list at this appearance, the ``nth`` of ``count``, of its name [start, end)."""

    whole: NumberList
    body: ListBody
    nth: int
    count: int
    start: int
    end: int
    comma: bool = False

    @property
    def stop(self) -> int:
        return self.body.stop

    def holds(self, start: int, end: int) -> bool:
        """Whether a mark [start, end) is on the list or on its name."""
        return self.start <= start and end <= max(self.stop, self.end)

    def numbers_at(self, start: int, end: int) -> list[int]:
        """The numbers, from 0, that a mark touches."""
        spans = self.body.spans
        if spans != sorted(spans):
            return [k for k, (a, b) in enumerate(spans) if a < end and start < b or a <= start == end <= b]
        low = bisect_right([b for _, b in spans], start - (start == end))
        found = []
        for k in range(low, len(spans)):
            a, b = spans[k]
            if a > end or (a == end and start < end):
                break
            found.append(k)
        return found


@dataclass
class Lists:
    """The lists of a text, found one by one; what was read once is kept."""

    text: str
    _places: dict[tuple[str, bool], list[tuple[int, int, object]]] = field(default_factory=dict)
    _bodies: dict[tuple[int, bool], Found | None] = field(default_factory=dict)

    def at(self, start: int, end: int) -> Found | None:
        """The list that a mark is in, or whose name it is on; None: there is none for sure."""
        for found in self._candidates(start, end):
            if found.holds(start, end) and (found.numbers_at(start, end) or start < found.body.lead.at):
                return found
        return None

    def within(self, start: int, end: int, most: int) -> list[Found]:
        """The lists that begin in [start, end), each once; ``most`` of them."""
        found: list[Found] = []
        at = start
        while at < end and len(found) < most:
            low, high = line_bounds(self.text, at)
            one = next((f for f in self._on_line(max(low, at), high) if f.start >= at and f.stop > at), None)
            if one is not None and one.start < end:
                found.append(one)
                at = max(one.stop, at + 1)
            else:
                at = high + 1
        return found

    def _on_line(self, low: int, high: int) -> Iterator[Found]:
        """The lists that begin in the line, from the left."""
        line = self.text[low:high]
        if not any(c.isalpha() for c in line):
            return
        ends = [low + m.end() for m in _WORDS.finditer(line)]
        for end in ends[:MOST_WORDS]:
            for one in self._candidates(end - 1, end - 1):
                yield one

    # -------------------------------------------------------------- from a place to a name

    def _candidates(self, start: int, end: int) -> Iterator[Found]:
        tried: set[tuple[str | None, bool]] = set()
        for name, counted, near in self._names(start, end):
            if (name, counted) in tried:
                continue
            tried.add((name, counted))
            found = self._read(name, counted, near)
            if found is not None:
                yield found

    def _names(self, start: int, end: int) -> Iterator[tuple[str | None, bool, int]]:
        """What the list may be called, whether its numbers are counted there, and a place at or behind the name."""
        text = self.text
        low, high = line_bounds(text, start)
        on_name = _WORDS.search(text, start, high) is not None
        inside = self._beginning(start)
        if inside is not None:
            yield from self._called(inside, start)
            counted = _COUNTED.match(text, inside)
            if counted is not None and (name := self._label(text[line_bounds(text, inside)[0] : inside])):
                yield name, True, start
        tag = re.compile(r"<[A-Za-z_][^<>]*>").search(text, max(low, text.rfind("<", low, max(end, start + 1))))
        if tag is not None and tag.start() <= start < tag.end():
            yield from self._called(tag.end(), tag.end())
        if not on_name:
            return
        first = max(low, text.rfind(" ", low, start) + 1)
        for word in list(_WORDS.finditer(text, first, high))[:MOST_WORDS]:
            signs = re.compile(r"[^\s=:(\[{<]+").match(text, word.start())
            for stop in dict.fromkeys((word.end(), signs.end() if signs is not None else word.end())):
                name = self._label(text[low:stop])
                if name and stop >= start:
                    signed = re.compile(r"\s*(?:=|:|<-)").match(text, stop)
                    if signed is not None and not _SIGNED.search(name):
                        with_sign = self._label(text[low : signed.end()])
                        yield with_sign, False, signed.end()
                    yield name, False, stop
                    yield name, True, stop

    def _called(self, at: int, near: int) -> Iterator[tuple[str | None, bool, int]]:
        """Names of a list whose numbers or brackets begin at ``at``."""
        text = self.text
        low = line_bounds(text, at)[0]
        left = text[low:at].rstrip()
        while not left.strip(" \t#%!>|\"'") or is_rule(left) or _SCALE_LINE.fullmatch(left) or COLUMNS.match(left):
            if low == 0:
                break
            low, high = line_bounds(text, low - 1)
            left = text[low:high].rstrip()
        if not left.strip():
            yield None, False, near
            return
        tag = _TAG.search(left)
        if tag is not None:
            named = _NAMED.search(tag[2])
            if named is not None:
                yield f"{named[0]}", False, near
            yield f"<{tag[1]}", False, near
        counted = re.compile(r"(.*\D)\s*[0-9]{1,9}$").match(left)
        if counted is not None and (name := self._label(counted[1])):
            yield name, True, near
        if name := self._label(left):
            yield name, False, near

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
        if begin is None or begin > low:
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
        return None

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
        parts = list(_PARTS.finditer(self.text, low, at))
        begin: int | None = None
        opened = 0
        for part in reversed(parts):
            sign = part.group()
            if sign in "([{":
                opened += 1
            elif sign == ";" and not (opened == 0 and "[" in self.text[low : part.start()]):
                break
            elif sign not in ",)]};" and not begins_list(self.text, part.start()):
                break
            begin = part.start()
        if parts and begin == parts[0].start():
            return low
        return begin

    # -------------------------------------------------------------- reading

    def _read(self, name: str | None, counted: bool, near: int) -> Found | None:
        """The list behind the last appearance of ``name`` at or before ``near``, if it is one for sure."""
        places = self._places_of(name, counted)
        starts = [end for _, end, _ in places]
        k = bisect_right(starts, near) - 1
        if k < 0:
            return None
        key = (places[k][1], counted)
        if key not in self._bodies:
            self._bodies[key] = self._found(name, counted, k)
        return self._bodies[key]

    def _places_of(self, name: str | None, counted: bool) -> list[tuple[int, int, object]]:
        key = (name or "", counted)
        if key not in self._places:
            found: list[tuple[int, int, object]] = []
            for place in leads(self.text, name, counted):
                found.append(place)
                if len(found) > MOST_NAMES:
                    found = []
                    break
            self._places[key] = found
        return self._places[key]

    def _found(self, name: str | None, counted: bool, k: int) -> Found | None:
        places = self._places_of(name, counted)
        start, end, lead = places[k]
        for comma in (False, True):
            body = ListBody(self.text, lead, None, comma)  # type: ignore[arg-type]
            if not body.problem:
                break
        if body.problem or len(body.values) < LEAST or not _is_list(self.text, name or "", body, counted):
            return None
        whole = NumberList(
            name=name, occurrence=k + 1, end=body.end if body.end in (";", ")", "]", "}") and body.end else None, counted=counted
        )  # fmt: skip
        return Found(whole, body, k + 1, len(places), start, end, comma)


def _is_list(text: str, name: str, body: ListBody, counted: bool) -> bool:
    """Whether what was read is one list for sure, and no rows of a table."""
    lead = body.lead
    if lead.brackets or lead.tag or counted or lead.column is not None or lead.scale or body.end or INDEX.match(text, lead.at):
        return True
    if "," in body.separators:
        return lead.lines == 0 and _SIGNED.search(name) is not None or _wraps(body)
    if lead.lines == 0:
        return _wraps(body) or (_SIGNED.search(name) is not None and not text[body.stop : line_bounds(text, body.stop)[1]].strip())
    return _SIGNED.search(name) is not None


def _wraps(body: ListBody) -> bool:
    """Whether it takes several lines: full ones below the first, and a shorter last one."""
    counts = widths(body)
    full = set(counts[1:-1])
    return len(counts) > 1 and min(counts[0], LEAST) == LEAST and len(full) < 2 and counts[-1] <= max(full or {counts[0]})


def widths(body: ListBody) -> list[int]:
    """How many numbers stand on each line of a list that has any."""
    counts = (b - a for a, b in zip(body.breaks, [*body.breaks[1:], len(body.values)], strict=True))
    return [count for count in counts if count]
