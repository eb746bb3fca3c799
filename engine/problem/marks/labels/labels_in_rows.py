"""Rows that carry the labels of their numbers, all the same: MODE 1  FREQ = 170.30 HZ; TC1 x = 0.01 m  T = 349.8 K. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ...extract.reading import Line
from ...extract.row_cells import cells_of
from ..tables.block import Block, Column
from .label_names import short_name
from .number_label import Label, label_of


def labels_in_rows(block: Block, columns: Sequence[Column], lines: Sequence[Line]) -> list[str] | None:
    """The names of the ``columns`` of ``block`` that their labels in every row tell, with the units behind the numbers; None:
    they do not tell all of them."""
    found: list[Label] = []
    for column in columns:
        label = _label(block, column, lines)
        if label is None:
            return None
        found.append(label)
    names = [short_name(label.words) for label in found]
    signed = any(label.signed for label in found)
    if not signed or len(names) != len(set(names)) or not all(names):
        return None
    return [f"{name} ({label.unit})" if label.unit else name for name, label in zip(names, found, strict=True)]


def _label(block: Block, column: Column, lines: Sequence[Line]) -> Label | None:
    """The label of the numbers in ``column`` that is the same in every row, without what is called before it: x of TC1 x and
    TC2 x; None: there is none."""
    if block.shape.by != "word" or block.shape.on_line or block.shape.characters or len(block.rows) < 2:
        return None
    found: list[Label] = []
    for i in block.rows:
        cells = cells_of(lines[i].text, comma=block.comma)
        if column.number > len(cells):
            return None
        cell = cells[column.number - 1]
        label = label_of(lines[i].text, cell.start, cell.end)
        if label is None:
            return None
        found.append(label)
    return found[0] if len(set(found)) == 1 else _in_common(found)


def _in_common(labels: Sequence[Label]) -> Label | None:
    """The last words of all ``labels``, where signs lead from them to the numbers; None: they have none."""
    words, units = [label.words.split() for label in labels], {label.unit for label in labels}
    same = 0
    while all(len(some) > same + 1 and some[-1 - same] == words[0][-1 - same] for some in words):
        same += 1
    unit = units.pop() if len(units) == 1 else ""
    return Label(" ".join(words[0][-same:]), unit, True) if same and all(label.signed for label in labels) else None


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
