"""The regions that read certain rows and columns of a block: below which text, which of its appearances, which rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Literal

import msgspec

from ...definition import Region
from ...extract.numbers import ExtractionError
from ...extract.reading import Line
from ...extract.region import appearances, begins_with, blocks_of, squeezed
from ...extract.row_cells import BARS, cells_of, form_of, is_rule
from ...numbers.numbers_in_text import overlaps
from ..anchors.text_above import Anchor, anchors_above
from ..labels.on_line import on_line
from ..lists.wrapped import listed_cells
from ..marked import Marked, Repeat
from .block import Block, Column
from .passes import Passes, has_all, passes_of, rows_alone

__all__ = ["Marked", "Repeat", "regions"]

_LED = re.compile(r"[^\d=:]*[^\W\d_][^\d=:]*[=:]\s*[-+]?[.\d]")
ANCHORS_TRIED = 6
ANCHORS_USED = 2  # offered, one beside the other


def regions(
    marked: Marked, rows: Sequence[int], columns: Sequence[Column], whole: bool, listed: bool
) -> Iterator[tuple[Region, Repeat]]:
    """Regions that read ``columns`` of the lines ``rows``, best first. ``whole``: to the end of the table, however long."""
    every, counted = False, []
    together = _rows_together(marked, columns) if len(rows) == 1 and not whole else None
    for region, repeat in _regions(marked, rows, columns, whole, listed):
        if region.anchor is None and region.row_label is None:
            counted.append((region, repeat))
            continue
        every = every or repeat in ("", "all")
        if together is not None and repeat == "all" and not has_all(marked, region):
            yield together, "all"
            together = None
        yield region, repeat
    if together is not None:
        yield together, "all"
    unsure = not every or bool(marked.selection.block.shape.characters)  # columns of characters are the least sure table
    if len(rows) == 1 and not whole and unsure:
        yield from on_line(marked, rows[0], columns, in_table=True)
    yield from counted  # from the top of the text: the least sure


def _regions(
    marked: Marked, rows: Sequence[int], columns: Sequence[Column], whole: bool, listed: bool
) -> Iterator[tuple[Region, Repeat]]:
    block = marked.selection.table_of(rows, whole)
    if block.shape.on_line:
        yield block.taking(columns), ""
        return
    base = block.taking(columns)
    if listed and marked.selection.kind != "heading":
        yield from _wrapped(marked)
    if listed and marked.selection.listed:
        base = _of_list(marked)
    elif listed and len(columns) == len(block.columns):
        plain = all(c.kind == "n" for i in rows for c in cells_of(marked.lines[i].text, comma=block.comma))
        if plain:  # rows may be of different length
            base = Region(gaps=block.shape.gaps, end=block.shape.end, delimiter=block.shape.delimiter)
        elif not base.characters:
            base = msgspec.structs.replace(base, columns=())
    if len(rows) == 1 and not whole:
        yield from on_line(marked, rows[0], columns, in_table=_is_sentence(marked, rows[0]))
    used = 0
    begin = rows[0] if listed else None
    anchors = anchors_above(marked.lines, block, marked.other, begin) or anchors_above(marked.lines, block, None, begin)
    if len(rows) == 1 and not whole and rows_alone(marked) is not None:
        anchors = sorted(anchors[:ANCHORS_TRIED], key=lambda a: not has_all(marked, msgspec.structs.replace(
            base, anchor=a.text, occurrence="all", followed=True, count=1)))  # fmt: skip
    for anchor in anchors[:ANCHORS_TRIED]:
        some = False
        for found in _below(marked, base, anchor, rows, whole):
            some = True
            yield found
        used += some
        if used == ANCHORS_USED or (some and anchor.count == 1 and not anchor.numbered):
            return
    if not used and whole and block is marked.selection.again:
        yield from _row_of_each(marked, block, columns)
    if not used:
        for gaps in (base.gaps, "text"):
            top = msgspec.structs.replace(base, anchor=None, gaps=gaps)
            first = _first(marked.lines, top, rows, block.comma)
            if first is not None:
                yield from ((region, "") for region in _chosen_rows(marked, top, rows, whole, first[0]))
                return


def _rows_together(marked: Marked, columns: Sequence[Column]) -> Region | None:
    """These columns of all rows that stand by themselves as the marked one does."""
    again = rows_alone(marked)
    if again is None:
        return None
    numbers = {c.number for c in columns}
    chosen = [c for c in again.columns if c.number in numbers]
    return next((region for region, _ in _regions(marked, again.rows, chosen, True, False)), None)


def _is_sentence(marked: Marked, at: int) -> bool:
    """Whether words stand between the numbers of a line, which are then told by them rather than by their characters, or the line
    is none of several and a sign leads from its words to its numbers."""
    block, text = marked.selection.block, marked.lines[at].text
    if len(block.rows) == 1 and _LED.match(text) is not None:
        return True
    if not block.shape.characters:
        return False
    cells = cells_of(text, by="number", comma=block.comma)
    inner = form_of(cells).strip("t")
    first = next((k for k, c in enumerate(cells) if c.kind == "n"), 0)
    words = [text[c.start : c.end] for c in cells[first : first + len(inner)] if c.kind == "t"]
    return sum(sum(x.isalpha() for x in word) > 1 for word in words) > 1


def _below(
    marked: Marked, base: Region, anchor: Anchor, rows: Sequence[int], whole: bool
) -> Iterator[tuple[Region, Repeat]]:
    """The rows below an anchor: at this appearance of it, at the last, at all."""
    this = msgspec.structs.replace(base, anchor=anchor.text, occurrence=anchor.nth)
    found = _first(marked.lines, this, rows, marked.selection.block.comma)
    if found is None:
        return
    first, top = found
    between = (marked.lines[i].text for i in range(anchor.line + 1, top))
    if marked.selection.block.heading is None or this.gaps != "text":
        this = msgspec.structs.replace(this, headings=sum(bool(text.strip()) and not is_rule(text) for text in between))
    if anchor.count == 1:
        yield from ((region, "") for region in _chosen_rows(marked, this, rows, whole, first))
        return
    form = _form_of_all(marked, this)
    alike = msgspec.structs.replace(this, form=form)
    passes = passes_of(alike, anchor.nth, marked.lines, marked.other, marked.selection.block.comma)
    for region in _chosen_rows(marked, this, rows, whole, first, passes):
        yield from _repeated(marked, region, region.form if region.form != this.form else form, passes, rows[0])
    if whole and passes.longest > 1 and not _is_list(base):  # one row of each
        for one in (-1, 1):
            single = msgspec.structs.replace(alike, first=one, count=1)
            every = _repeated(marked, single, form, passes, rows[0])
            yield from ((region, repeat) for region, repeat in every if region.occurrence == "all")


def _row_of_each(marked: Marked, block: Block, columns: Sequence[Column]) -> Iterator[tuple[Region, Repeat]]:
    """The rows of ``block``, which stand one by one, below a text that comes before each: other rows have their form, too."""
    lone = replace(block, rows=block.rows[:1], shape=msgspec.structs.replace(block.shape, gaps="none"), heading=None)
    for anchor in anchors_above(marked.lines, lone, marked.other)[:ANCHORS_TRIED]:
        this = msgspec.structs.replace(lone.taking(columns), anchor=anchor.text, occurrence=anchor.nth)
        found = _first(marked.lines, this, lone.rows, block.comma)
        if found is None:
            continue
        between = (marked.lines[i].text for i in range(anchor.line + 1, found[1]))
        this = msgspec.structs.replace(this, headings=sum(bool(text.strip()) and not is_rule(text) for text in between))
        every = passes_of(this, anchor.nth, marked.lines, marked.other, block.comma).every
        each = msgspec.structs.replace(every, first=found[0], count=1)
        try:
            read = blocks_of(each, marked.lines, block.comma, found[0])
        except ExtractionError:
            continue  # below one appearance of the text no row follows, as where the output was cut off
        if tuple(row.line.number - 1 for rows in read for row in rows) == block.rows:
            yield each, ""
            return


def _is_list(base: Region) -> bool:
    return not base.columns


def _repeated(marked: Marked, region: Region, form: str, passes: Passes, at: int) -> Iterator[tuple[Region, Repeat]]:
    """The rows of ``region``, below which appearances of its text: this one, the last, some, all."""
    every = msgspec.structs.replace(
        region, form=form, occurrence="all", headings=passes.every.headings, followed=passes.every.followed
    )  # fmt: skip
    one = every if every.followed else msgspec.structs.replace(every, headings=region.headings)
    last = msgspec.structs.replace(one, occurrence=-1)
    if passes.nth == passes.count:
        yield last, "last"
    yield msgspec.structs.replace(one, occurrence=passes.nth) if passes.steadier else region, "this"
    if passes.nth > 1:
        yield msgspec.structs.replace(one, occurrence=1), "first"
    if passes.nth < passes.count:
        yield last, "last"
    if _reads_others(marked, every, at):
        return
    if passes.loop is not None:
        since, until = passes.loop
        yield msgspec.structs.replace(every, since=since, until=until), "loop"
    yield every, "all"
    if 1 < passes.nth < passes.count:
        yield msgspec.structs.replace(every, since=passes.nth), "on"
        yield msgspec.structs.replace(every, until=passes.nth), "up"


def _form_of_all(marked: Marked, this: Region) -> str:
    """The form of the rows in all tables: a text may follow them, if it does in others and behind none of the marked one."""
    if not this.form or this.form.endswith("*"):
        return this.form
    noted = msgspec.structs.replace(this, form=f"{this.form}*")

    def rows(one: Region, which: int | Literal["all"]) -> list[int]:
        there = msgspec.structs.replace(one, occurrence=which, headings=None if which == "all" else one.headings)
        return [row.line.number for table in blocks_of(there, marked.lines, marked.selection.block.comma) for row in table]

    try:
        same = rows(this, this.occurrence) == rows(noted, this.occurrence)
        return noted.form if same and len(rows(noted, "all")) > len(rows(this, "all")) else this.form
    except ExtractionError:
        return this.form


def _reads_others(marked: Marked, every: Region, at: int) -> bool:
    """Whether a single row, told by its characters, is another one below another heading: it begins with another word."""
    if not every.characters or every.count != 1 or every.row_label is not None:
        return False
    try:
        tables = blocks_of(every, marked.lines, marked.selection.block.comma, every.first if every.first > 0 else None)
    except ExtractionError:
        return False
    there = {_first_word(table[min(every.first, len(table)) - 1 if every.first > 0 else -1].line) for table in tables}
    return bool(_first_word(marked.lines[at])) and there != {_first_word(marked.lines[at])}


def _first_word(line: Line) -> str:
    word = (line.text.split() or [""])[0]
    return word if word[:1].isalpha() else ""


def _first(lines: Sequence[Line], region: Region, rows: Sequence[int], comma: bool) -> tuple[int, int] | None:
    """Which row of the region, from 1, is the first of ``rows``, and the line of its row 1.

    None if they are not among its rows, one after the other.
    """
    try:
        found = [row.line.number - 1 for row in blocks_of(region, lines[: rows[-1] + 1], comma)[0]]
    except ExtractionError:
        return None
    if rows[0] not in found:
        return None
    at = found.index(rows[0])
    return (at + 1, found[0]) if tuple(found[at : at + len(rows)]) == tuple(rows) else None


def _chosen_rows(
    marked: Marked, base: Region, rows: Sequence[int], whole: bool, first: int, passes: Passes | None = None
) -> Iterator[Region]:
    """The same rows told in several ways: by their label, their number, from the end."""
    if whole:
        yield msgspec.structs.replace(base, first=first, count=None)
        return
    block = marked.selection.block
    numbered = msgspec.structs.replace(base, first=first, count=len(rows))
    if len(rows) == 1:
        label = _label(marked, rows[0])
        form = _form_to(base, marked.lines[rows[0]], block)
        by_label = msgspec.structs.replace(base, first=1, count=1, row_label=label, form=form) if label else None
        if by_label is not None and not label.isdigit():
            yield by_label
        last = msgspec.structs.replace(base, first=-1, count=1)
        uneven = passes is not None and passes.uneven
        varied = passes is not None and passes.varied and len(block.rows) > 1
        ended = rows[0] == block.rows[-1] and (len(block.rows) > 1 or uneven)
        yield from [last, numbered] if ended and varied else [numbered, last] if ended else [numbered]
        if by_label is not None and label.isdigit():
            yield by_label
        return
    yield numbered


def _form_to(base: Region, line: Line, block: Block) -> str:
    """The form up to the last chosen number where texts stand behind it: of them another run may have more or fewer. A sign that
    separates, a colon or a bar, belongs to it: before it other tables may have other columns."""
    form = base.form.rstrip("*")
    last = max(base.columns, default=0)
    numbers = [k for k, kind in enumerate(form) if kind == "n"]
    end = last if base.by != "number" else numbers[last - 1] + 1 if 0 < last <= len(numbers) else 0
    cells = cells_of(line.text, by=base.by, delimiter=base.delimiter, comma=block.comma)
    if 0 < end < len(cells) and form[end : end + 1] == "t":
        end += not any(c.isalnum() for c in line.text[cells[end].start : cells[end].end])
    return f"{form[:end]}*" if end > 0 and {"t", "x"} & set(form[end:]) else base.form


def _label(marked: Marked, at: int) -> str:
    """What the row begins with, if no other row of the block does: its name or whole number; empty if there is none."""
    block = marked.selection.block
    by = "gap" if block.shape.by == "gap" else "number"
    cells = cells_of(marked.lines[at].text, by=by, delimiter=block.shape.delimiter, comma=block.comma)
    bars = [c for c in cells if marked.lines[at].text[c.start : c.end].strip(BARS + " ")]
    if not bars:
        return ""
    label = squeezed(marked.lines[at].text[bars[0].start : bars[0].end]).strip("\"'")
    named = bars[0].kind == "t" and any(c.isalpha() for c in label)
    chosen_first = any(c.left <= bars[0].start < c.right for c in _chosen(marked))
    if chosen_first or not (named or label.isdigit()) or len(block.rows) < 2:
        return ""
    words = label.split()
    plain = " ".join(takewhile(lambda word: not any(c.isdigit() for c in word), words)) or words[0]
    for text in dict.fromkeys((plain, label)):
        if [i for i in block.rows if begins_with(marked.lines[i].text, text)] == [at]:
            return text
    return ""


def _chosen(marked: Marked) -> list[Column]:
    return [marked.selection.block.columns[k] for k in marked.selection.columns]


def _wrapped(marked: Marked) -> Iterator[tuple[Region, Repeat]]:
    """All numbers behind a text on the first marked line, those on the next lines too: an array printed over several."""
    at = next((i for i, line in enumerate(marked.lines) if line.start + len(line.text) >= marked.start), 0)
    line = marked.lines[at]
    cells = cells_of(line.text, line.start, by="number", comma=marked.selection.block.comma)
    before = [c for c in cells if c.kind == "t" and c.end <= marked.start]
    after = [c for c in cells if c.kind == "n" and c.end > marked.start]
    if not before or not after or any(c.kind == "n" and before[-1].end <= c.start < after[0].start for c in cells):
        return
    label = squeezed(marked.text[before[-1].start : before[-1].end]).rstrip("=:, ").strip()
    places = [i for i, _ in appearances(label, marked.lines)] if any(c.isalpha() for c in label) else []
    if at in places:
        nth = places.index(at) + 1
        yield Region(anchor=label, occurrence=nth, on_line=True), "this" if len(places) > 1 else ""


def _of_list(marked: Marked) -> Region:
    """All numbers of the list in which the mark lies, or those from the first to the last that a drag holds."""
    selection = marked.selection
    if selection.kind in ("heading", "number", "row"):
        return Region()
    cells = [c for i in selection.listed for c in listed_cells(marked.lines[i], selection.block.comma)]
    hit = [k for k, c in enumerate(cells) if overlaps(c.start, c.end, marked.start, marked.end)]
    if not hit or len(hit) == len(cells):
        return Region()
    return Region(first_number=hit[0] + 1, number_count=len(hit))
