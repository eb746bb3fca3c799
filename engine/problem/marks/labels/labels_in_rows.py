"""Rows that carry the labels of their numbers, all the same: MODE 1  FREQ = 170.30 HZ. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ...extract.reading import Line
from ...extract.row_cells import cells_of
from ..tables.block import Block, Column
from .label_names import short_name
from .number_label import Label, label_of


def labels_in_rows(block: Block, columns: Sequence[Column], lines: Sequence[Line]) -> list[str] | None:
    """The names of the ``columns`` of ``block`` that their labels in every row tell; None: they do not tell all of them."""
    found: list[Label] = []
    for column in columns:
        label = _label(block, column, lines)
        if label is None:
            return None
        found.append(label)
    names = [short_name(label.words) for label in found]
    signed = any(label.signed for label in found)
    return names if signed and len(names) == len(set(names)) and all(names) else None


def _label(block: Block, column: Column, lines: Sequence[Line]) -> Label | None:
    """The label of the numbers in ``column`` that is the same in every row; None: there is none."""
    if block.shape.by != "word" or block.shape.on_line or block.shape.characters or len(block.rows) < 2:
        return None
    found = set()
    for i in block.rows:
        cells = cells_of(lines[i].text, comma=block.comma)
        if column.number > len(cells):
            return None
        cell = cells[column.number - 1]
        found.add(label_of(lines[i].text, cell.start, cell.end))
    label = found.pop()
    return label if not found else None


def labelled_in_rows(
    block: Block, columns: Sequence[Column], lines: Sequence[Line], results: bool
) -> tuple[list[Column], list[str] | None]:
    """The ``columns`` and their names as ``labels_in_rows`` has them; only ``results``: without those that number the rows,
    unless all do."""
    told = labels_in_rows(block, columns, lines)
    if told is None or not results:
        return list(columns), told
    kept = [column for column in columns if not _counts(block, column, lines)] or list(columns)
    return kept, labels_in_rows(block, kept, lines)


def _counts(block: Block, column: Column, lines: Sequence[Line]) -> bool:
    texts = [cells_of(lines[i].text, comma=block.comma)[column.number - 1] for i in block.rows]
    words = [lines[i].text[cell.start : cell.end] for i, cell in zip(block.rows, texts, strict=True)]
    return any(words == [str(first + k) for k in range(len(words))] for first in (0, 1))
