"""What can be read where something is marked: offers, the best first, narrower and wider ones, all checked by reading.

The older ways (JSON keys, a label, a column of a file that is one table) come first where they say it simply; all else is a Region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from ..definition import CsvColumn, JsonPath, LabelledNumber, Region
from ..extract import ExtractionError, extract
from ..extract.reading import Line, lines_of
from ..extract.region import blocks_of, region, row_of
from ..number_characters import bare
from ..numbers_in_text import Number
from ..propose import MAX_TEXT, propose
from ..propose_tables import Proposal, csv_columns, delimiter_of
from .block import Column
from .regions import regions
from .selection import Selection, select
from .words import bars_before, column_name, words_of

Scope = Literal["number", "piece", "row", "block", "column", "table", "list"]
Repeat = Literal["", "first", "this", "last", "all"]

MOST_OUTPUTS = 24  # columns of a table that become outputs at once


@dataclass(frozen=True)
class Offer:
    """One way to read: an output for each of ``proposals``. ``repeat``: which of the tables of this heading; empty: there is one."""

    scope: Scope
    repeat: Repeat
    words: str
    proposals: tuple[Proposal, ...]
    names: tuple[str, ...] = ()

    @property
    def spans(self) -> list[tuple[int, int]]:
        return [span for p in self.proposals for span in p.spans]


@dataclass
class Marked:
    """The text and what is marked in it."""

    text: str
    lines: Sequence[Line]
    source: str
    other: Sequence[Line] | None
    selection: Selection
    found: list[Offer] = field(default_factory=list)

    def add(self, scope: Scope, repeat: Repeat, words: str, proposals: Sequence[Proposal], names: Sequence[str] = ()) -> None:
        """One more offer, unless it is there or something cannot be read."""
        good = [p for p in proposals if p.values]
        known = any(o.scope == scope and [p.extractor for p in o.proposals] == [p.extractor for p in good] for o in self.found)
        if good and len(good) == len(proposals) and not known:
            self.found.append(Offer(scope, repeat, words, tuple(good), tuple(names)))


def offers(text: str, start: int, end: int, source: str = "stdout", other: str | None = None) -> list[Offer]:
    """What may be meant by marking [start, end) of ``text``, best first. ``other``: the same text of a run at other values.

    Empty if there is no number, or none that can be found again.
    """
    text = text[:MAX_TEXT]
    start, end = max(0, min(start, end)), min(len(text), max(start, end))
    older = propose(text, start, end, source)
    if older and isinstance(older[0].extractor, JsonPath):
        return [_of_json(p) for p in older]
    lines = lines_of(text)
    delimiter = delimiter_of(text, source)
    selection = select(text, lines, start, end, delimited=delimiter == ",")
    if isinstance(selection, str):
        return []
    if selection is None:
        return [_of_older(p) for p in older if not p.is_vector]
    marked = Marked(text, lines, source, lines_of(other) if other and other.strip() else None, selection)
    for scope, rows, columns, whole in _scopes(selection):
        _add_scope(marked, scope, rows, columns, whole, older, delimiter is not None)
    found = [o for o in marked.found if o.proposals]
    if selection.kind == "number":
        known = [p.extractor for o in found for p in o.proposals]
        found += [_of_older(p) for p in older if not p.is_vector and p.extractor not in known]
    first = _first_scope(selection)
    return sorted(found, key=lambda o: (o.scope != first, _ORDER.index(o.scope)))


def refusal(text: str, start: int, end: int, source: str = "stdout") -> str:
    """Why nothing is offered for a mark on what looks like a number, in a sentence; empty if there is no more to say."""
    text = text[:MAX_TEXT]
    selection = select(text, lines_of(text), start, end, delimited=delimiter_of(text, source) == ",")
    return selection if isinstance(selection, str) else ""


_ORDER: tuple[Scope, ...] = ("number", "piece", "row", "block", "column", "table", "list")


def _first_scope(selection: Selection) -> Scope:
    if selection.kind == "heading":
        return "table"
    whole = selection.rows == selection.block.rows
    if selection.kind == "piece":
        return "column" if whole else "piece"
    if selection.kind == "block":
        return "table" if whole and len(selection.columns) == len(selection.block.columns) else "block"
    return selection.kind


def _scopes(selection: Selection) -> Iterator[tuple[Scope, tuple[int, ...], tuple[int, ...], bool]]:
    """The scopes around what is marked: rows, columns, and whether it goes to the end of the table."""
    block = selection.block
    every = tuple(range(len(block.columns)))
    whole = selection.rows == block.rows
    if selection.kind == "heading":
        yield "table", selection.rows, every, True
        if selection.columns and selection.columns != every:
            yield "column", selection.rows, selection.columns, True
        yield "list", selection.rows, every, True
        return
    if selection.kind in ("number", "piece", "row", "block"):
        yield selection.kind, selection.rows, selection.columns, False
    if selection.kind == "block":
        yield "list", selection.rows, selection.columns, whole
    if len(selection.rows) == 1 and len(every) > 1 and (selection.kind == "number" or selection.columns != every):
        yield "row", selection.rows, every, False
    if len(block.rows) > 1:
        if len(selection.columns) < len(every) or selection.kind != "block":
            yield "column", block.rows, selection.columns, True
        if len(every) > 1:
            yield "table", block.rows, every, True


def _add_scope(
    marked: Marked, scope: Scope, rows: tuple[int, ...], columns: tuple[int, ...], whole: bool,
    older: Sequence[Proposal], delimited: bool,
) -> None:  # fmt: skip
    block = marked.selection.block
    chosen = [block.columns[k] for k in columns]
    names = [column_name(block, c, marked.lines) for c in chosen]
    if len(chosen) > MOST_OUTPUTS and scope in ("block", "column", "table"):
        return
    simple = _simple(marked, scope, rows, chosen, older) if delimited or scope == "number" else []
    if simple and _is_first(marked, simple[0]):
        marked.add(scope, "", "; ".join(p.words for p in simple[:1]) + _more(simple), simple, names)
        simple = []
    together = scope in ("row", "number", "piece", "list") or len(chosen) == 1
    for extractor, repeat in regions(marked, rows, chosen, whole, scope == "list"):
        parts = [extractor] if together else [_only(extractor, marked, c) for c in chosen]
        proposals = [p for part in parts if (p := _read(marked, part)) is not None]
        if len(proposals) == len(parts):
            across = max(1, len(extractor.columns) or len(extractor.characters)) if together else 1
            counted = len(proposals[0].values) // across if extractor.columns or extractor.characters else 0
            tables = _tables(marked, extractor)
            words = words_of(extractor, tables, bars_before(block, marked.lines), counted if tables == 1 else 0)
            named = names[:1] if together and len(chosen) == 1 else names if not together else [""]
            marked.add(scope, repeat, _with_name(words, named), proposals, named)
    if simple:
        marked.add(scope, "", simple[0].words + _more(simple), simple, names)


def _with_name(words: str, names: Sequence[str]) -> str:
    return words.replace(", ", f" (“{names[0]}”), ", 1) if len(names) == 1 and names[0] and ", " in words else words


def _more(simple: Sequence[Proposal]) -> str:
    return f" and {len(simple) - 1} more" if len(simple) > 1 else ""


def _only(extractor: Region, marked: Marked, column: Column) -> Region:
    """The same with one column only."""
    if extractor.characters:
        return msgspec.structs.replace(extractor, characters=(column.characters,))
    return msgspec.structs.replace(extractor, columns=(column.number,))


def _read(marked: Marked, extractor: Region) -> Proposal | None:
    comma = marked.selection.block.comma
    try:
        reading = region(extractor, marked.text, comma, marked.lines)
    except ExtractionError:
        return None
    return Proposal(extractor, "", reading.values, reading.spans, comma)


def _tables(marked: Marked, extractor: Region) -> int:
    """How many tables are read."""
    return len(blocks_of(extractor, marked.lines, marked.selection.block.comma)) if extractor.occurrence == "all" else 1


# ------------------------------------------------------------------ the older, simpler ways


def _simple(
    marked: Marked, scope: Scope, rows: tuple[int, ...], chosen: Sequence[Column], older: Sequence[Proposal]
) -> list[Proposal]:
    """A column or cell of a file that is one table, or a number behind its label; empty: neither."""
    if scope == "number":
        kinds = (CsvColumn, LabelledNumber)
        return [p for p in older if isinstance(p.extractor, kinds) and len(p.values) == 1][:1]
    if scope not in ("column", "table"):
        return []
    found = []
    for column in chosen:
        row = row_of(marked.selection.block.taking([column]), marked.lines[rows[-1]], 0, marked.selection.block.comma)
        if row is None or row.chosen[0] is None:
            return []
        cell = row.chosen[0]
        ways = csv_columns(marked.text, Number(cell.start, cell.end, cell.value), marked.source)
        whole = next((p for p in ways if p.is_vector and len(p.values) == len(rows)), None)
        if whole is None or not _agrees(whole, marked.text):
            return []
        found.append(whole)
    return found


def _agrees(proposal: Proposal, text: str) -> bool:
    try:
        reading = extract(proposal.extractor, text, proposal.decimal_comma)
    except ExtractionError:
        return False
    return reading.values == proposal.values


def _is_first(marked: Marked, simple: Proposal) -> bool:
    """Whether a simple way is better than a region: always but for a label in a row of a table with several columns."""
    if isinstance(simple.extractor, CsvColumn):
        return True
    cell, block = marked.selection.cell, marked.selection.block
    if cell is None or not isinstance(simple.extractor, LabelledNumber):
        return True
    line = marked.lines[marked.selection.rows[0]]
    before = line.text[: cell.start - line.start].rstrip()
    if before.endswith(("=", ":", "\u2248", "~")) or len(block.rows) == 1:
        return True
    label = bare(simple.extractor.label)
    same = sum(label in marked.lines[i].text for i in block.rows)
    return same > 1 or (len(block.columns) == 1 and simple.extractor.occurrence == 1 and marked.text.count(label) == 1)


def _of_json(p: Proposal) -> Offer:
    return Offer("list" if p.is_vector else "number", "", p.words, (p,), ("",))


def _of_older(p: Proposal) -> Offer:
    return Offer("column" if p.is_vector else "number", "", p.words, (p,), ("",))
