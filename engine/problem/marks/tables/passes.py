"""The tables below all appearances of one text, as passes of a loop print them: which have rows, which belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile

import msgspec

from ...definition import Region
from ...extract.numbers import ExtractionError
from ...extract.reading import Line
from ...extract.region import blocks_of
from ...extract.region_places import places_of
from ...extract.region_rows import rows_from
from ...extract.row_cells import is_rule
from ..anchors.lines_beside import shape_of
from ..marked import Marked
from .block import Block

LEAST_LOOP = 3  # tables; two are as well told as this one and the ones above it
LEAST_ALIKE = 2  # lines above the first pass of a loop that are those above the next
LINES_ALIKE = 6  # with text above the heading of a table, by which it is told from those of another run


@dataclass(frozen=True)
class Table:
    """One appearance of the text and the rows below it: lines from 0. No rows: none is there."""

    heading: int
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Passes:
    """``nth``: of the ``count`` appearances that count. ``every``: as all of them are read. ``uneven``: their tables are not all
    of one length; ``varied``: not those of this run and of the other; ``longest``: rows of the longest; ``loop``: which of them
    belong together (``since``, ``until``), if not all; ``steadier``: another run has as many appearances that a row follows, but
    not as many in all."""

    nth: int
    count: int
    every: Region
    uneven: bool = False
    varied: bool = False
    longest: int = 1
    loop: tuple[int, int] | None = None
    steadier: bool = False


def passes_of(this: Region, nth: int, lines: Sequence[Line], other: Sequence[Line] | None, comma: bool) -> Passes:
    """``this``: the rows below the ``nth`` appearance of a text. ``other``: the lines of another run."""
    every = plain = msgspec.structs.replace(this, occurrence="all", headings=None, first=1, count=None)
    found = tables_of(every, lines, comma)
    there = tables_of(every, other, comma) if other is not None else []
    if not found:
        return Passes(nth, 1, every)
    at = found[min(nth, len(found)) - 1].heading
    led, steadier = [t for t in found if t.rows], False
    if len(led) < len(found) or any(not t.rows for t in there):
        every = msgspec.structs.replace(every, followed=True)
        near = msgspec.structs.replace(plain, headings=this.headings)
        close = [t for t in tables_of(near, lines, comma) if t.rows]
        if _reach_others(led, close, lines):
            every = msgspec.structs.replace(every, headings=this.headings)
            led, there = close, tables_of(near, other, comma) if other is not None else []
        steadier = 0 < len(there) != len(found)
        there = [t for t in there if t.rows]
        steadier = steadier and len(there) == len(led)
    place = next((k for k, t in enumerate(led) if t.heading == at), None)
    if place is None or len(led) < 2:
        return Passes(nth, len(found), plain)
    lengths, others = [len(t.rows) for t in led], [len(t.rows) for t in there]
    varied = any(a != b for a, b in zip(lengths, others, strict=False))
    uneven = varied or len(set(lengths)) > 1
    return Passes(place + 1, len(led), every, uneven, varied, max(lengths), _loop(led, lines, place, there, other), steadier)


def tables_of(every: Region, lines: Sequence[Line], comma: bool) -> list[Table]:
    """The tables below all appearances, those without rows too; none if something in them cannot be read."""
    try:
        return [
            Table(place.index - 1, tuple(row.line.number - 1 for row in rows_from(every, lines, place, comma)))
            for place in places_of(every, lines, comma)
        ]
    except ExtractionError:
        return []


def _reach_others(led: Sequence[Table], close: Sequence[Table], lines: Sequence[Line]) -> bool:
    """Whether some of the rows ``led``, above which more lines stand than above those ``close`` to their heading, are rows of
    something else, not of a pass in which a warning came between: another text follows them than the others."""
    near = {t.heading for t in close}
    behind = {_text_behind(t, lines) for t in close}
    return any(t.heading not in near and _text_behind(t, lines) not in behind for t in led)


def _text_behind(table: Table, lines: Sequence[Line]) -> str:
    return next((shape for i in range(table.rows[-1] + 1, len(lines)) if (shape := _words_of(lines[i]))), "")


def _words_of(line: Line) -> str:
    """A line without its numbers; empty: it is empty or a rule."""
    return "" if is_rule(line.text) else shape_of(line.text)


def _loop(
    led: Sequence[Table], lines: Sequence[Line], place: int, there: Sequence[Table], other: Sequence[Line] | None
) -> tuple[int, int] | None:
    first, last = _alike(led, lines, place)
    count = len(led)
    if last - first + 1 < LEAST_LOOP or last - first + 1 == count:
        return None
    since, until = first + 1, last + 1
    if other is not None and len(there) not in (0, count):  # what stays the same where the number of passes varies
        begins, ends = _alike(there, other, min(place, len(there) - 1))
        since = since if begins == first or first - count != begins - len(there) else first - count
        until = until if ends == last or last - count != ends - len(there) else last - count
    return since, until if until != count else -1


def _alike(led: Sequence[Table], lines: Sequence[Line], place: int) -> tuple[int, int]:
    """The first and the last of the tables around ``place`` with the same texts right above them."""
    above = [_above(t, led[k - 1].rows[-1] if k else -1, lines) for k, t in enumerate(led)]
    shared = [_shared(a, b) for a, b in pairwise(above)]
    joined = [n == min(len(a), len(b)) for n, (a, b) in zip(shared, pairwise(above), strict=True)]
    for k, n in enumerate(shared):  # above the first pass stands, farther up, what comes before the loop
        begins = not (k and joined[k - 1]) and k + 1 < len(joined) and joined[k + 1]
        joined[k] = joined[k] or (begins and n >= LEAST_ALIKE)
    before = sum(1 for _ in takewhile(bool, reversed(joined[:place])))
    behind = sum(1 for _ in takewhile(bool, joined[place:]))
    return place - before, place + behind


def _shared(a: Sequence[str], b: Sequence[str]) -> int:
    """In how many lines, from the lowest upwards, two texts agree."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def _above(table: Table, former: int, lines: Sequence[Line]) -> list[str]:
    """The shapes of the lines above a table, from its heading upwards to the table before it; what is behind the last pass of a
    loop is something else."""
    above = (shape for i in range(table.heading - 1, former, -1) if (shape := _words_of(lines[i])))
    return list(islice(above, LINES_ALIKE))


def rows_alone(marked: Marked) -> Block | None:
    """The rows of which the marked one is one, if each stands by itself between other lines."""
    again = marked.selection.again
    return again if again is not None and not again.shape.on_line and marked.selection.kind != "heading" else None


def has_all(marked: Marked, every: Region) -> bool:
    """Whether the rows that ``every`` reads are all that stand by themselves as the marked one does: a text that comes in some
    passes only tells the others wrong."""
    again = rows_alone(marked)
    if again is None:
        return True
    try:
        tables = blocks_of(every, marked.lines, again.comma, 1)
    except ExtractionError:
        return False
    return {row.line.number - 1 for rows in tables for row in rows} >= set(again.rows)
