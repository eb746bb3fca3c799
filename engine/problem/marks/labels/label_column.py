"""A mark on the labels, times or dates of a table, or on the heading above them: an output that pairs rows by them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from ...definition import CsvColumn, Output, Region
from ...extract import ExtractionError, read_output
from ...extract.label_columns import are_clock_times, are_dates, column_behind
from ...extract.reading import Line
from ...extract.row_cells import Cell, cells_of
from ...propose_tables import Proposal
from ..marked import Marked
from ..offer import Offer
from ..tables.block import Block, Column
from ..tables.regions import regions
from ..words import bars_before, column_name, united_over, words_of

_PHRASE = re.compile(r"\S+(?: \S+)*")


@dataclass(frozen=True)
class LabelHit:
    """The first of the marked columns of labels, as ``Region.columns`` counts them with ``by`` cells; where it stands in the
    lines; and whether it rather is meant than the numbers beside: its cells are dates or times, or its whole heading is
    marked."""

    column: Column
    meant: bool


def labels_hit(marked: Marked) -> LabelHit | None:
    """None: a number is marked, or what stands there is no column of labels beside numbers."""
    selection, lines = marked.selection, marked.lines
    block = selection.block
    shape = block.shape
    if not shape.form or shape.characters or shape.on_line or len(block.rows) < 2 or selection.again is not None:
        return None
    whole = titled = False
    top = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].start <= marked.start), 0)
    bottom = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].start <= max(marked.end - 1, marked.start)), 0)
    left, right = sorted((marked.start - lines[top].start, marked.end - lines[bottom].start))
    if top in block.rows:
        hit = _under(block, lines[top], left, right)
    elif selection.kind == "heading" and top == bottom and not selection.named:
        united = next(((a, b) for a, b in united_over(block, lines, lines[top].text) if a <= left and right <= b), None)
        whole = united is not None
        left, right = united or _word(lines[top].text, left, right)
        row = lines[block.rows[0]]
        titled = _is_title(lines, top, block, left)
        if shape.delimiter is not None:  # headings and cells stand in the same order, not below one another
            named = [k for k, _ in _under(block, lines[top], left, right)] if right > left else []
            hit = [(k, c) for k, c in _under(block, row, 0, len(row.text)) if k in named]
        else:
            hit = _under(block, row, left, right) if right > left else []
    else:
        return None
    if not hit or any(cell.kind != "t" for _, cell in hit):
        return None
    k, cell = hit[0]
    row = lines[top] if top in block.rows else lines[block.rows[0]]
    every = _under(block, row, 0, len(row.text))
    if k and are_clock_times([_text(row, cell)]) and are_dates([_text(row, every[k - 1][1])]):
        k, cell = every[k - 1]  # the times of these dates
    text = _text(row, cell)
    column = Column(k + 1, cell.start - row.start, cell.end - row.start)
    return LabelHit(column, whole or (not titled and (are_dates([text]) or are_clock_times([text]))))


def _is_title(lines: Sequence[Line], at: int, block: Block, across: int) -> bool:
    """Whether the words around character ``across`` of line ``at`` stand over several columns, and the heading is below them."""
    if not any(any(c.isalpha() for c in line.text) for line in lines[at + 1 : block.rows[0]]):
        return False
    said = next((m for m in _PHRASE.finditer(lines[at].text) if m.start() <= across <= m.end()), None)
    return said is not None and len(_under(block, lines[block.rows[0]], *said.span())) > 1


def label_offers(marked: Marked, hit: LabelHit) -> list[Offer]:
    """The labels of the column, with the times of the next one where they are dates, in each table of the heading."""
    block = marked.selection.block
    name = column_name(block, hit.column, marked.lines)
    found: list[Offer] = []
    for region, repeat in regions(marked, block.rows, block.columns[:1], True, False):
        labels = msgspec.structs.replace(region, columns=(hit.column.number,))
        proposal = labels_read(labels, marked.text, block.comma)
        if proposal is not None and not any(o.first == labels for o in found):
            words = words_of(labels, 1, bars_before(block, marked.lines), len(proposal.texts))
            found.append(Offer("labels", repeat, words, (proposal,), (name,)))
    return found


def labels_read(labels: Region | CsvColumn, text: str, comma: bool) -> Proposal | None:
    """The labels of a column, with the times of the next one where they are dates; None: it cannot be read."""
    output = Output(name="labels", source="stdout", extractor=labels, decimal_comma=comma, text=True)
    try:
        reading = read_output(output, text)
        columns = 1
        if are_dates(reading.texts) and not any(":" in one for one in reading.texts):
            behind = column_behind(labels, 1)
            if behind is not None and _is_clock(msgspec.structs.replace(output, extractor=behind), text):
                columns = 2
                reading = read_output(msgspec.structs.replace(output, label_columns=2), text)
    except ExtractionError:
        return None
    return Proposal(labels, "", reading.values, reading.spans, comma, texts=reading.texts, label_columns=columns)


def _is_clock(output: Output, text: str) -> bool:
    try:
        return are_clock_times(read_output(output, text).texts)
    except ExtractionError:
        return False


def _under(block: Block, line: Line, left: int, right: int) -> list[tuple[int, Cell]]:
    """The cells of a row that [left, right) touches, with their places."""
    cells = cells_of(line.text, line.start, by=block.shape.by, delimiter=block.shape.delimiter, comma=block.comma)
    spans = [(k, c, c.start - line.start, c.end - line.start) for k, c in enumerate(cells)]
    return [(k, c) for k, c, a, b in spans if (a < right and left < b) or a <= left < b]


def _text(line: Line, cell: Cell) -> str:
    return line.text[cell.start - line.start : cell.end - line.start]


def _word(text: str, left: int, right: int) -> tuple[int, int]:
    """The word of a heading in which a click lies, or what is marked of it."""
    if right > left:
        return left, right
    if not text[left : left + 1].strip():
        return left, left
    start = text.rfind(" ", 0, left) + 1
    end = text.find(" ", left)
    return start, end if end >= 0 else len(text)
