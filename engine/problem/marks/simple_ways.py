"""The older, simpler ways where they say it simply: a column or cell of a file that is one table, a number behind its label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from ..definition import CsvColumn, LabelledNumber
from ..extract import ExtractionError, extract
from ..extract.region import row_of
from ..numbers.number_characters import bare
from ..numbers.numbers_in_text import Number
from ..propose_tables import Proposal, csv_columns
from .scopes import Scope
from .tables.block import Column
from .tables.regions import Marked

MOST_CELLS = 100_000  # read by the names of their columns to see that they agree; beyond that it takes seconds


class Sourced(Marked, Protocol):
    """What is marked in a text, and the name of that text."""

    @property
    def source(self) -> str: ...


def simple_ways(
    marked: Sourced, scope: Scope, rows: tuple[int, ...], chosen: Sequence[Column], older: Sequence[Proposal]
) -> list[Proposal]:
    """A column or cell of a file that is one table, or a number behind its label; empty: neither."""
    if scope == "number":
        kinds = (CsvColumn, LabelledNumber)
        return [p for p in older if isinstance(p.extractor, kinds) and len(p.values) == 1][:1]
    if scope not in ("column", "table"):
        return []
    found: list[Proposal] = []
    if len(rows) * len(chosen) > MOST_CELLS:
        return []
    for column in chosen:
        row = row_of(marked.selection.block.taking([column]), marked.lines[rows[-1]], 0, marked.selection.block.comma)
        if row is None or row.chosen[0] is None:
            return []
        cell = row.chosen[0]
        ways = csv_columns(marked.text, Number(cell.start, cell.end, cell.value), marked.source)
        whole = next((p for p in ways if p.is_vector and len(p.values) == len(rows)), None)
        if whole is None or not agrees(whole, marked.text):
            return []
        found.append(whole)
    return found


def agrees(proposal: Proposal, text: str) -> bool:
    try:
        reading = extract(proposal.extractor, text, proposal.decimal_comma)
    except ExtractionError:
        return False
    return reading.values == proposal.values


def is_first(marked: Sourced, simple: Proposal) -> bool:
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
    alone = re.compile(rf"(?<!\w){re.escape(label)}(?!\w)")
    same = sum(alone.search(marked.lines[i].text) is not None for i in block.rows)
    return same > 1 or (len(block.columns) == 1 and simple.extractor.occurrence == 1 and len(alone.findall(marked.text)) == 1)


def simple_words(simple: Sequence[Proposal]) -> str:
    """Of several columns that become outputs at once: of all of them, not of the first."""
    if len(simple) == 1:
        return simple[0].words
    named = all(isinstance(getattr(p.extractor, "column", None), str) for p in simple)
    return f"{len(simple)} columns{' by name' if named else ''} ({len(simple[0].values)} rows)"
