"""Numbers behind a text on their own line, which may stand in many lines: in this one, the first, the last, every one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from ...definition import LabelledNumber, Region
from ...extract.reading import Line
from ...extract.region import appearances, row_of, squeezed
from ...extract.region_places import behind, lines_of_form
from ...extract.row_cells import cells_of, form_of
from ...numbers.dates_in_text import behind_dates, dates_in
from ...numbers.number_characters import shorten
from ...propose_tables import Proposal
from ..marked import Marked, Repeat
from ..tables.block import SAMPLED, Block, Column
from ..words import MOST_SHOWN
from .label_below import signed_label
from .labelled_rows import heading_of, labelled_line

_AMOUNT = re.compile(r"(?<!\S)[-+]?[0-9]+\.[0-9]*\w*(?!\S)")  # a value with its unit amid a label: TIME LEFT: 2.00D GRAD.
_WORD = re.compile(r"[^\W\d_]{2,}")


def on_line(
    marked: Marked, at: int, columns: Sequence[Column], in_table: bool = False
) -> Iterator[tuple[Region, Repeat]]:
    """Numbers behind a text on their own line. ``in_table``: also where the line looks like one row of a table of many."""
    block, line = marked.selection.block, marked.lines[at]
    row = row_of(block.taking(columns), line, 0, block.comma)
    hits = sorted(c.start for c in row.chosen if c is not None) if row is not None else []
    if not hits:
        return
    for one in (_by_fields(marked, line, hits), _by_numbers(marked, at, hits, in_table)):
        if one is None or one.anchor is None:
            continue
        places = lines_of_form(one, marked.lines, block.comma)[0]
        if one.delimiter is None and _is_common(marked.lines, one, places, at):
            return
        if at not in places or (marked.other is not None and not any(True for _ in appearances(one.anchor, marked.other))):
            continue
        yield from _repeated(one, len(places), places.index(at) + 1)
        return


def names_behind(again: Block | None, extractor: Region, names: Sequence[str], lines: Sequence[Line]) -> list[str]:
    """What the heading of such lines calls what is read; ``names``: of the columns of ``again``, each an output of its own."""
    if len(names) > 1:
        return list(names)
    if again is None or (again.shape.anchor, again.shape.delimiter) != (extractor.anchor, extractor.delimiter):
        return [""]
    if len(extractor.columns) != 1:
        return [""]
    heading = heading_of(again, lines)
    return [heading[extractor.columns[0] - 1] if heading else ""]


def passed(extractor: Region, marked: Marked) -> str:
    """Which lines have the text too and are not read, since something else follows it there, in words; empty: none."""
    if not extractor.on_line or not extractor.form or extractor.occurrence != "all":
        return ""
    others = lines_of_form(extractor, marked.lines, marked.selection.block.comma)[1]
    kind = f"line{'s' * (others != 1)} with “{shorten(extractor.anchor or '', MOST_SHOWN)}” {'are' if others != 1 else 'is'}"
    return f"{others} more {kind} of another form" if others else ""


def _is_common(lines: Sequence[Line], one: Region, places: Sequence[int], at: int) -> bool:
    """Whether the text stands before all sorts of numbers, as "Info :" does: most of the words behind them are others."""
    mine = _word_behind(lines[at], one)
    if not mine or len(places) < 2:
        return False
    seen = places if len(places) <= 2 * SAMPLED else [*places[:SAMPLED], *places[-SAMPLED:]]
    return 2 * sum(_word_behind(lines[i], one) == mine for i in seen) <= len(seen)


def _word_behind(line: Line, one: Region) -> str:
    """The first word behind the last number that is read; empty: there is none."""
    end = next((end for _, end in appearances(one.anchor or "", [line])), 0)
    row = row_of(one, line, behind(line.text, end), False)
    cell = row.chosen[-1] if row is not None and row.chosen else None
    word = _WORD.search(line.text, cell.end - line.start) if cell is not None else None
    return word.group() if word is not None else ""


def plain_ways(again: Block | None, older: Sequence[Proposal]) -> list[Proposal]:
    """``older``, without the number behind a label where that begins rows: it would be counted among other lines with it."""
    return [p for p in older if again is None or not isinstance(p.extractor, LabelledNumber)]


def _repeated(one: Region, count: int, nth: int) -> Iterator[tuple[Region, Repeat]]:
    if count == 1:
        yield one, ""
        return
    last = msgspec.structs.replace(one, occurrence=-1)
    if nth == count:
        yield last, "last"
    yield msgspec.structs.replace(one, occurrence=nth), "this"
    if nth > 1:
        yield one, "first"
    if nth < count:
        yield last, "last"
    every = msgspec.structs.replace(one, occurrence="all")
    yield every, "all"
    if 1 < nth < count:
        yield msgspec.structs.replace(every, since=nth), "on"
        yield msgspec.structs.replace(every, until=nth), "up"


def _by_fields(marked: Marked, line: Line, hits: Sequence[int]) -> Region | None:
    """Behind the text in the first field of a line of fields, each number being one as a whole; None: it is no such line."""
    block, again = marked.selection.block, marked.selection.again
    found = labelled_line(line, block.comma) if len(block.rows) == 1 or again is not None else None
    if found is None or found.sign is None:
        return None
    columns = tuple(k + 1 for k, c in enumerate(found.cells) if c.kind == "n" and c.start in hits)
    if len(columns) < len(hits):
        return None
    form = f"{found.form[: columns[-1]]}*"
    return Region(
        anchor=found.label, on_line=True, columns=columns, count=1, by="word", form=form, delimiter=found.sign
    )  # fmt: skip


def _by_numbers(marked: Marked, at: int, hits: Sequence[int], in_table: bool) -> Region | None:
    """Behind the last text before the numbers, which are counted from there."""
    block, line = marked.selection.block, marked.lines[at]
    cells = cells_of(line.text, line.start, by="number", comma=block.comma)
    marks = [k for k, c in enumerate(cells) if c.kind == "n" and c.start in hits]
    if not marks or marks[0] == 0 or any(a <= cells[marks[0]].start - line.start < b for a, b in dates_in(line.text)):
        return None
    if len(block.rows) > 1 and not in_table and not _says(line.text[: cells[marks[0]].start - line.start]):
        return None
    texts = [k for k in range(marks[0]) if cells[k].kind == "t"]
    while len(texts) > 1 and not any(c.isalpha() for c in line.text[slice(*(e - line.start for e in cells[texts[-1]][:2]))]):
        texts.pop()  # the commas of a list, ± before an error: what it is of stands farther left
    if not texts:
        return None
    start, end = cells[texts[-1]].start - line.start, cells[texts[-1]].end - line.start
    label = squeezed(line.text[behind_dates(line.text[:end], start) : end]).rstrip("=:,").strip().lstrip(",;").strip()
    if not any(c.isalpha() for c in label):
        return None
    label = _AMOUNT.split(label)[-1].strip() or label
    before = sum(c.kind == "n" for c in cells[: texts[-1]])
    numbers = [k for k, c in enumerate(cells) if c.kind == "n"]
    picked = tuple(numbers.index(k) + 1 - before for k in marks)
    places = [i for i, _ in appearances(label, marked.lines)]
    signed = signed_label(line, cells[marks[0]].start)
    if len(places) > 1 and signed.endswith(("=", ":")) and signed.startswith(label):
        told = [i for i, _ in appearances(signed, marked.lines)]  # not the same letters in running text
        label = signed if at in told and len(told) < len(places) else label
    return _formed(Region(anchor=label, on_line=True, columns=picked, count=1), line, block.comma, hits)


def _formed(one: Region, line: Line, comma: bool, hits: Sequence[int]) -> Region:
    """The same where what stands before the last number is of the same kinds only; as it is if that reads something else."""
    end = next((end for _, end in appearances(one.anchor or "", [line])), None)
    if end is None:
        return one
    start = behind(line.text, end)
    form = form_of(cells_of(line.text[start:], by=one.by, comma=comma))
    ends = [k + 1 for k, kind in enumerate(form) if kind == "n"]
    last = max(one.columns)
    if last > len(ends):
        return one
    formed = msgspec.structs.replace(one, form=f"{form[: ends[last - 1]]}*")
    row = row_of(formed, line, start, comma)
    same = row is not None and [c.start for c in row.chosen if c is not None] == list(hits)
    return formed if same else one


def _says(before: str) -> bool:
    return before.rstrip().endswith(("=", ":"))
