"""What a click or a drag in a text is about: one number, some of a row or a column, a block, or the table below a heading."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..extract.reading import Line
from ..extract.region import REACH, row_of
from ..extract.row_cells import Cell, cells_of, is_rule
from ..numbers.numbers_in_text import Token, is_ornament, number_at, overlaps, scan
from .block import Block, block_around
from .heading_words import column_named
from .labelled_rows import columns_at, is_better, named_columns, rows_below, rows_like
from .united_headings import has_parted_units
from .words import column_name, flush_words, united_over
from .wrapped import wrapped_list

Kind = Literal["number", "piece", "row", "block", "heading", "lines"]
_INDEXED = re.compile(r"(?<!\S)(?P<name>[^\W\d_]\w*)[(\[](?P<index>\d+)[)\]](?!\S)")
HEADING_LINES = 8  # lines with text between a heading that is marked and the first row
ROWS_TRIED = 6  # lines of a drag tried as the row that the others are like


@dataclass(frozen=True)
class Selection:
    """``rows``: marked lines of the block, from 0; ``columns``: the marked ones, as places in ``block.columns``.

    ``listed``: the lines of the one list of numbers, printed over several, in which the mark lies; empty: in none.
    ``again``: the table of all lines that begin with the same text, if the block has not all of them; ``again_columns``: those
    marked in it.
    """

    kind: Kind
    block: Block
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    cell: Cell | None = None  # the number clicked
    listed: tuple[int, ...] = ()
    again: Block | None = None
    again_columns: tuple[int, ...] = ()
    named: bool = False  # the one name of a column was marked, not a title above the table

    def table_of(self, rows: Sequence[int], whole: bool) -> Block:
        """The table of which these rows are read, all of them or not."""
        return self.again if self.again is not None and whole and tuple(rows) == self.again.rows else self.block


def line_at(lines: Sequence[Line], position: int) -> int:
    """The line, counted from 0, in which ``position`` lies."""
    return max(bisect_right([line.start for line in lines], position) - 1, 0)


def select(text: str, lines: Sequence[Line], start: int, end: int, delimited: bool = False) -> Selection | str | None:
    """As ``_select``, whether it is in one list over several lines, and the rows elsewhere that begin with the same text."""
    found = _in_list(text, lines, start, end, delimited)
    if not isinstance(found, Selection) or delimited or found.listed or found.kind in ("heading", "lines"):
        return found
    at, block = found.rows[0], found.block
    again = rows_like(lines, at, block.comma)
    row = row_of(block.taking([block.columns[k] for k in found.columns]), lines[at], 0, block.comma)
    if again is None or row is None or not is_better(again, block, lines):
        return found
    columns = columns_at(again, lines, at, [(c.start, c.end) for c in row.chosen if c is not None])
    return replace(found, again=again, again_columns=columns) if columns else found


def _in_list(text: str, lines: Sequence[Line], start: int, end: int, delimited: bool) -> Selection | str | None:
    found = _select(text, lines, start, end, delimited)
    if not isinstance(found, Selection) or delimited:
        return found
    block = found.block
    rows = wrapped_list(lines, found.rows[0], block.comma) if found.rows else ()
    if not rows or all(column_name(block, c, lines) for c in block.columns):
        return found
    top, bottom = line_at(lines, start), line_at(lines, max(start, end - 1))
    outside = (i for i in range(top, bottom + 1) if not rows[0] <= i <= rows[-1])
    if found.kind != "heading" and any(c.kind == "n" for i in outside for c in cells_of(lines[i].text, comma=block.comma)):
        return found
    straight = found.kind == "piece" and _is_straight(lines, (top, bottom), (start, end), block.comma)
    return replace(found, listed=rows, kind="block" if found.kind == "piece" and not straight else found.kind)


def _is_straight(lines: Sequence[Line], between: tuple[int, int], mark: tuple[int, int], comma: bool) -> bool:
    """Whether the first and the last number of a drag stand below one another."""
    top, bottom = (lines[i] for i in between)
    first = next((c for c in cells_of(top.text, top.start, comma=comma) if c.end > mark[0]), None)
    last = next((c for c in reversed(cells_of(bottom.text, bottom.start, comma=comma)) if c.start < mark[1]), None)
    return first is None or last is None or overlaps(
        first.start - top.start, first.end - top.start, last.start - bottom.start, last.end - bottom.start
    )  # fmt: skip


def _select(text: str, lines: Sequence[Line], start: int, end: int, delimited: bool) -> Selection | str | None:
    """What [start, end) of ``text`` means. ``delimited``: by commas.

    None if there is neither a number nor a table below; a sentence if what stands there is no number for sure.
    """
    starts = [line.start for line in lines]
    if not starts:
        return None
    top, bottom = (max(bisect_right(starts, position) - 1, 0) for position in (start, end))
    if bottom > top and end == lines[bottom].start:
        bottom, end = bottom - 1, lines[bottom - 1].start + len(lines[bottom - 1].text)
    if top == bottom:
        return _on_one_line(text, lines, top, start, end, delimited)
    left, right = sorted((start - lines[top].start, end - lines[bottom].start))
    whole = _whole_lines(lines[top], lines[bottom], start, end)
    if whole:
        left, right = 0, max(len(lines[i].text) for i in range(top, bottom + 1))

    def hit_in(i: int, comma: bool) -> Cell | None:
        found = ((c, c.start - lines[i].start, c.end - lines[i].start) for c in _numbers(lines[i], comma))
        return next((c for c, a, b in found if overlaps(a, b, left, right) or a <= left <= b), None)

    best: Selection | None = None
    tried = 0
    for i in range(top, bottom + 1):
        comma = _comma(text, lines[i], delimited)
        hit = hit_in(i, comma)
        if hit is None:
            continue
        block = block_around(lines, i, hit, comma, (top, bottom))
        if not any(top <= row <= bottom for row in block.rows):  # glued numbers: no row of the block is within the mark
            continue
        tried += 1
        corners = None if whole else _between_corners(lines, block, (top, bottom), (start, end))
        area = _rectangle(lines, block, i, (top, bottom), (left, right), hit, corners)
        if best is None or len(area.rows) > len(best.rows):
            best = area
        if tried == ROWS_TRIED or len(best.rows) * 2 > bottom - top:
            break
    others = (i for i in range(top, min(bottom + 1, top + 2 * ROWS_TRIED)) if best is not None and i not in best.rows)
    if best is not None and len(best.rows) == 1 and any(hit_in(i, best.block.comma) for i in others):
        return Selection("lines", best.block, best.rows, best.columns)
    best = best or _beside_numbers(text, lines, top, bottom, delimited)
    return best or heading_above(text, lines, bottom, (left, right), delimited)


def _beside_numbers(text: str, lines: Sequence[Line], top: int, bottom: int, delimited: bool) -> Selection | None:
    """A drag over labels of a table, as a mark on the heading of this one and not of the next; None: these are no such rows."""
    comma = _comma(text, lines[top], delimited)
    cell = next(iter(_numbers(lines[top], comma)), None)
    block = None if cell is None else block_around(lines, top, cell, comma, (top, bottom))
    return None if block is None or not {top, bottom} <= set(block.rows) else Selection("heading", block, block.rows, ())


def _whole_lines(first: Line, last: Line, start: int, end: int) -> bool:
    """Whether the mark covers its lines from the beginning of the first to the end of the last."""
    before = first.text[: start - first.start]
    return not before.strip() and end >= last.start + len(last.text.rstrip())


def _comma(text: str, line: Line, delimited: bool) -> bool:
    """Whether the numbers of the line have decimal commas."""
    if "," not in line.text or delimited:
        return False
    found = number_at(text, line.start, line.start + len(line.text), True)
    words = [w for w in line.text.split() if "," in w.strip(",")]
    return found is not None and any(
        (n := number_at(text, line.start + line.text.find(w), line.start + line.text.find(w) + len(w))) is not None
        and n.decimal_comma
        for w in words
    )


def _numbers(line: Line, comma: bool) -> list[Cell]:
    found = [c for c in cells_of(line.text, line.start, by="number", comma=comma) if c.kind == "n"]
    for sign in (";", ","):
        if sign in line.text and not (sign == "," and comma):
            known = {c.start for c in found if not c.problem}
            found += [
                c for c in cells_of(line.text, line.start, delimiter=sign) if c.kind == "n" and c.start not in known
            ]
    return sorted(found)


def _on_one_line(
    text: str, lines: Sequence[Line], at: int, start: int, end: int, delimited: bool
) -> Selection | str | None:
    line = lines[at]
    comma = _comma(text, line, delimited)
    if rows_below(lines, at, comma) is not None:  # the 1 in tm band 1 is no result
        return heading_above(text, lines, at, (start - line.start, end - line.start), delimited)
    named = next((n for n in _INDEXED.finditer(line.text) if n.start() <= start - line.start and end - line.start <= n.end()), None)
    if named is not None and start - line.start >= named.start("index") - 1:  # the 2 in U(2) is no result either
        heading = heading_above(text, lines, at, (named.start(), named.end("name")), delimited)
        if isinstance(heading, Selection) and heading.named:
            return heading
    hits = [c for c in _numbers(line, comma) if overlaps(c.start, c.end, start, end)]
    good = [c for c in hits if not c.problem]
    if not hits:
        if start == end and not line.text[max(start - line.start - 1, 0) : start - line.start + 1].strip():
            return None  # beside the words
        if any(overlaps(t.start, t.end, start, end) for t in _with_units(text, line)):
            return None  # 0.37s: a number with its unit, no heading
        number = next((c for c in _numbers(line, comma) if not c.problem), None)
        block = block_around(lines, at, number, comma) if number is not None else None
        if block is not None and (len(block.rows) > 1 or rows_like(lines, at, comma) is not None):
            return Selection("row", block, (at,), tuple(range(len(block.columns))))  # its name was marked
        return heading_above(text, lines, at, (start - line.start, end - line.start), delimited)
    cell = (good or hits)[0]
    block = block_around(lines, at, cell, comma)
    if cell.problem and (not block.shape.characters or len(block.rows) == 1):
        return cell.problem if len(block.rows) > 1 and not is_ornament(text, cell.start, cell.end) else None
    columns = _columns_hit(block, lines, at, start, end, cell)
    if not columns:
        return None
    if len({c.start for c in good}) > 1 and len(columns) > 1:
        return Selection("row", block, (at,), tuple(columns))
    return Selection("number", block, (at,), tuple(columns[:1]), cell)


def _with_units(text: str, line: Line) -> Iterator[Token]:
    """The numbers with a point in them that touch a unit."""
    tokens = scan(text, units=True, start=line.start, end=line.start + len(line.text))
    return (t for t in tokens if not t.problem and "." in text[t.start : t.end])


def _columns_hit(block: Block, lines: Sequence[Line], at: int, start: int, end: int, cell: Cell) -> list[int]:
    found = []
    for k, column in enumerate(block.columns):
        row = row_of(block.taking([column]), lines[at], 0, block.comma)
        mine = row.chosen[0] if row is not None else None
        if mine is not None and overlaps(mine.start, mine.end, start, end):
            found.append(k)
    if not found and len(block.rows) == 1:
        return [0]
    return found


def _between_corners(
    lines: Sequence[Line], block: Block, between: tuple[int, int], mark: tuple[int, int]
) -> set[int] | None:
    """The columns from the cell in which a drag begins to that in which it ends, where a sign separates the cells: those of one
    column stand anywhere in their lines. None: the cells at its ends cannot be counted."""
    sign = block.shape.delimiter
    if sign is None:
        return None
    ends = []
    for i, at in zip(between, mark, strict=True):
        line = lines[i]
        if line.text.count(sign) != lines[block.rows[0]].text.count(sign):
            return None
        ends.append(line.text[: at - line.start].count(sign) + 1)
    return {k for k, c in enumerate(block.columns) if min(ends) <= c.number <= max(ends)}


def _rectangle(
    lines: Sequence[Line], block: Block, at: int, between: tuple[int, int], across: tuple[int, int], cell: Cell,
    corners: set[int] | None,
) -> Selection:  # fmt: skip
    rows = tuple(i for i in block.rows if between[0] <= i <= between[1])
    hit: set[int] = corners or set()
    for i in {rows[0], rows[-1]} if not hit else ():
        start, end = lines[i].start + across[0], lines[i].start + across[1]
        hit.update(_columns_hit(block, lines, i, start, end, cell))
    columns = tuple(range(min(hit), max(hit) + 1)) if hit else tuple(
        k for k, c in enumerate(block.columns) if c.left <= across[1] and across[0] <= c.right
    )  # fmt: skip
    columns = columns or (0,)
    if len(rows) == 1:
        return Selection(
            "number" if len(columns) == 1 else "row", block, rows, columns, cell if len(columns) == 1 else None
        )
    return Selection("piece" if len(columns) == 1 else "block", block, rows, columns)


def heading_above(
    text: str, lines: Sequence[Line], at: int, across: tuple[int, int], delimited: bool = False
) -> Selection | None:
    """The table below line ``at``; ``columns``: those below the marked part of the heading."""
    again = rows_below(lines, at, _comma(text, lines[at], delimited))
    if again is not None:
        hit = named_columns(again, lines, at, across)
        return Selection("heading", again, again.rows, hit, again=again, again_columns=hit)
    passed = 0
    for i in range(at + 1, min(at + 1 + REACH, len(lines))):
        if not lines[i].text.strip() or is_rule(lines[i].text):
            continue
        comma = _comma(text, lines[i], delimited)
        cell = next((c for c in _numbers(lines[i], comma) if not c.problem), None)
        if cell is not None:
            block = block_around(lines, i, cell, comma)
            if block.columns and (len(block.rows) > 1 or len(block.columns) > 1):
                united = _united_below(block, lines, at, across)
                if len(united) == 1:
                    return Selection("heading", block, tuple(r for r in block.rows if r > at), united, named=True)
                flush = flush_words(block, lines[at])
                below = tuple(k for k, w in enumerate(flush) if w.start() <= across[1] and across[0] <= w.end()) or None
                below = below or united or _counted_below(block, lines, at, across)
                if below is None:
                    below = tuple(k for k, c in enumerate(block.columns) if c.left <= across[1] and across[0] <= c.right)
                rows = tuple(r for r in block.rows if r > at)
                named = column_named(block, lines, at, across)
                return Selection("heading", block, rows, below if named is None else (named,), named=named is not None)
        passed += 1
        if passed > HEADING_LINES:
            return None
    return None


def _united_below(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...]:
    """The columns whose headings are marked where units in them are written with blanks; empty: it is no such line."""
    if any(line.text.strip() and not is_rule(line.text) for line in lines[at + 1 : block.rows[0]]):
        return ()
    spans = enumerate(united_over(block, lines, lines[at].text), 1)
    point = across[0] == across[1]  # what is only touched is not meant by a drag
    hit = {k for k, (a, b) in spans if (a <= across[0] <= b if point else a < across[1] and across[0] < b)}
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)


def _counted_below(block: Block, lines: Sequence[Line], at: int, across: tuple[int, int]) -> tuple[int, ...] | None:
    """The columns whose names are marked, where heading ``at`` has as many cells as the rows; None: they cannot be counted."""
    delimiter = block.shape.delimiter
    if block.shape.characters or block.shape.by == "number" or (delimiter and delimiter not in lines[at].text):
        return None
    by = block.shape.by
    if delimiter is None and by == "word" and has_parted_units(lines[at].text):
        return None
    names = cells_of(lines[at].text, by=by, delimiter=delimiter, comma=block.comma)
    if len(names) != len(cells_of(lines[block.rows[0]].text, by=by, delimiter=delimiter, comma=block.comma)):
        return None
    hit = {k + 1 for k, name in enumerate(names) if name.start <= across[1] and across[0] <= name.end}
    if across[0] < across[1]:  # what is only touched is not meant by a drag
        hit = {k + 1 for k, name in enumerate(names) if name.start < across[1] and across[0] < name.end} or hit
    return tuple(k for k, column in enumerate(block.columns) if column.number in hit)
