"""What a click or a drag in a text is about: one number, some of a row or a column, a block, or the table below a heading."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..extract.reading import Line
from ..extract.region import row_of
from ..extract.row_cells import Cell, cells_of, is_rule
from ..numbers.numbers_in_text import Token, is_ornament, overlaps, scan
from .labels.labelled_rows import columns_at, is_better, rows_below, rows_like
from .lists.wrapped import wrapped_list
from .selected import Selection
from .tables.block import Block, block_around
from .tables.broken_tables import whole_table
from .tables.heading_above import decimal_comma, heading_above, measured_of, numbers_of
from .tables.numbered_headings import has_measured_names, phrase_at
from .tables.scattered_rows import lone_row, rows_alike
from .words import column_name

_INDEXED = re.compile(r"(?<!\S)(?P<name>[^\W\d_]\w*)[(\[](?P<index>\d+)[)\]](?!\S)")
ROWS_TRIED = 6  # lines of a drag tried as the row that the others are like


def line_at(lines: Sequence[Line], position: int) -> int:
    """The line, counted from 0, in which ``position`` lies."""
    return max(bisect_right([line.start for line in lines], position) - 1, 0)


def select(text: str, lines: Sequence[Line], start: int, end: int, delimited: bool = False) -> Selection | str | None:
    """As ``_select``, whether it is in one list over several lines, and the rows elsewhere that begin with the same text."""
    found = _in_list(text, lines, start, end, delimited)
    if not isinstance(found, Selection) or delimited or found.listed:
        return found
    if found.kind in ("number", "row") and (lone := _alone(found, lines, (start, end))) is not None:
        return lone
    if found.again is None and (table := whole_table(found.block, lines)) is not None:
        rows = tuple(i for i in table.rows if i > line_at(lines, end)) if found.kind == "heading" else found.rows
        found = replace(found, block=table, rows=rows)
    if found.kind in ("heading", "lines"):
        return found
    at, block = found.rows[0], found.block
    again = rows_like(lines, at, block.comma)
    row = row_of(block.taking([block.columns[k] for k in found.columns]), lines[at], 0, block.comma)
    if again is None or row is None or not is_better(again, block, lines):
        return found
    columns = columns_at(again, lines, at, [(c.start, c.end) for c in row.chosen if c is not None])
    return replace(found, again=again, again_columns=columns) if columns else found


def _alone(found: Selection, lines: Sequence[Line], mark: tuple[int, int]) -> Selection | None:
    """The same in a row of numbers that stands by itself and comes again elsewhere; None: it is no such row."""
    at, block = found.rows[0], found.block
    lone = lone_row(lines, at, block)
    table = rows_alike(lone, lines) if lone is not None and rows_like(lines, at, block.comma) is None else None
    if table is None or lone is None:
        return None
    start = lines[at].start
    hit = tuple(k for k, c in enumerate(lone.columns) if overlaps(start + c.left, start + c.right, *mark))
    return replace(found, block=replace(lone, heading=table.heading), columns=hit, again=table, again_columns=hit)


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
        there = numbers_of(lines[i], comma)
        cells = [*there, *(c for c in measured_of(lines[i]) if not any(overlaps(c.start, c.end, n.start, n.end) for n in there))]
        found = ((c, c.start - lines[i].start, c.end - lines[i].start) for c in cells)
        return next((c for c, a, b in found if overlaps(a, b, left, right) or a <= left <= b), None)

    best: Selection | None = None
    tried = 0
    for i in range(top, bottom + 1):
        comma = decimal_comma(text, lines[i], delimited)
        hit = hit_in(i, comma)
        if hit is None:
            continue
        block = block_around(lines, i, hit, comma, (top, bottom))
        if not block.columns or not any(top <= row <= bottom for row in block.rows):  # dashes, or glued numbers of other rows
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
    comma = decimal_comma(text, lines[top], delimited)
    cell = next(iter(numbers_of(lines[top], comma)), None)
    block = None if cell is None else block_around(lines, top, cell, comma, (top, bottom))
    return None if block is None or not {top, bottom} <= set(block.rows) else Selection("heading", block, block.rows, ())


def _whole_lines(first: Line, last: Line, start: int, end: int) -> bool:
    """Whether the mark covers its lines from the beginning of the first to the end of the last."""
    before = first.text[: start - first.start]
    return not before.strip() and end >= last.start + len(last.text.rstrip())


def _on_one_line(
    text: str, lines: Sequence[Line], at: int, start: int, end: int, delimited: bool
) -> Selection | str | None:
    line = lines[at]
    comma = decimal_comma(text, line, delimited)
    if rows_below(lines, at, comma) is not None:  # the 1 in tm band 1 is no result
        return heading_above(text, lines, at, (start - line.start, end - line.start), delimited)
    left, right = start - line.start, end - line.start
    named = next((n for n in _INDEXED.finditer(line.text) if n.start() <= left and right <= n.end()), None)
    if named is not None and left >= named.start("index") - 1:  # the 2 in U(2) is no result either
        heading = heading_above(text, lines, at, (named.start(), named.end("name")), delimited)
        if isinstance(heading, Selection) and heading.named:
            return heading
    if (phrase := phrase_at(line.text, left)) is not None and right <= phrase[1]:  # nor is the 1 in deme 1
        heading = heading_above(text, lines, at, phrase, delimited)
        if isinstance(heading, Selection) and heading.named:
            return heading
    if has_measured_names(line.text) and not _is_like_the_next(lines, at):  # nor are the 5 and 10 of 5 cm and 10 cm
        heading = heading_above(text, lines, at, (left, right), delimited)
        if isinstance(heading, Selection) and len(heading.columns) == 1:
            return replace(heading, named=True)
    hits = [c for c in numbers_of(line, comma) if overlaps(c.start, c.end, start, end)]
    good = [c for c in hits if not c.problem]
    if not hits:
        if start == end and not line.text[max(start - line.start - 1, 0) : start - line.start + 1].strip():
            return None  # beside the words
        if any(overlaps(t.start, t.end, start, end) for t in _with_units(text, line)):
            return None  # 0.37s: a number with its unit, no heading
        number = next((c for c in numbers_of(line, comma) if not c.problem), None)
        block = block_around(lines, at, number, comma) if number is not None else None
        if block is not None and (len(block.rows) > 1 or rows_like(lines, at, comma) is not None):
            return Selection("row", block, (at,), tuple(range(len(block.columns))))  # its name was marked
        return heading_above(text, lines, at, (start - line.start, end - line.start), delimited)
    cell = (good or hits)[0]
    block = block_around(lines, at, cell, comma)
    lone = lone_row(lines, at, block) if block.shape.characters else None  # other rows stand beside it
    block = lone if lone is not None and rows_alike(lone, lines) is not None else block
    if cell.problem and (not block.shape.characters or len(block.rows) == 1):
        return cell.problem if len(block.rows) > 1 and not is_ornament(text, cell.start, cell.end) else None
    columns = _columns_hit(block, lines, at, start, end, cell)
    if not columns:
        return None
    if len({c.start for c in good}) > 1 and len(columns) > 1:
        return Selection("row", block, (at,), tuple(columns))
    return Selection("number", block, (at,), tuple(columns[:1]), cell)


def _is_like_the_next(lines: Sequence[Line], at: int) -> bool:
    """Whether numbers with units stand in the line below, too: then they are results."""
    below = next((line.text for line in lines[at + 1 : at + 4] if line.text.strip() and not is_rule(line.text)), "")
    return has_measured_names(below)


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
