"""How much may be meant by a mark: the number, a piece of its column, the row, the whole column, the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from ..data.rows.pairing import swept
from ..extract.reading import Line
from .selected import Selection

Scope = Literal["each", "number", "part", "piece", "row", "block", "column", "table", "list", "labels"]
MOST_LOOKED_AT = 200  # rows
FEWEST_ROWS = 3  # of numbers that are a column rather than a few results
_BLANK = re.compile(r"\s*")
_NUMBER = r"(?:[-+]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eEdD][-+]?[0-9]+)?|[-+]?(?:nan|inf|NaN|Inf))"
_NUMBERS = re.compile(rf"\s*(?P<first>{_NUMBER})(?:[\s,;]+{_NUMBER})*[\s,;]*")
ORDER: tuple[Scope, ...] = ("number", "part", "piece", "row", "block", "column", "table", "list", "labels")


def first_scope(selection: Selection, lines: Sequence[Line] = ()) -> Scope:
    """The likeliest; ``lines``: those of the text. In one that is nothing but rows of numbers there is no heading to click for a
    column: a number stands for it, and some rows for all."""
    if selection.listed and selection.kind in ("heading", "block", "lines"):
        return "list"
    if selection.kind == "heading":  # some headings side by side: their columns; one alone may be a title
        return "column" if selection.named or 1 < len(selection.columns) < len(selection.block.columns) else "table"
    whole = selection.rows == selection.block.rows
    if selection.kind == "piece":
        return "column" if whole else "piece"
    if selection.kind == "block":
        if not whole and not only_rows(selection, lines):
            return "block"
        return "table" if len(selection.columns) == len(selection.block.columns) else "column"
    return "column" if only_rows(selection, lines) else _part(selection)


def only_rows(selection: Selection, lines: Sequence[Line]) -> bool:
    """Whether one number, or a block, is marked in rows of numbers that are all that the text has: of one column, or with a first
    one that only rises or only falls, as times do; else they may be one list that is printed over several lines."""
    rows = selection.block.rows
    filled = sum(not _BLANK.fullmatch(line.text) for line in lines)
    if selection.kind not in ("number", "block") or not FEWEST_ROWS <= len(rows) == filled:
        return False
    read = [_NUMBERS.fullmatch(lines[at].text) for at in (*rows[:MOST_LOOKED_AT], selection.rows[0], rows[-1])]
    if not all(read):
        return False
    first = [float(one["first"].replace(",", ".").lower().replace("d", "e")) for one in read[: len(rows)] if one is not None]
    return len(selection.block.columns) == 1 or swept(np.array(first[:MOST_LOOKED_AT]))


def _part(selection: Selection) -> Scope:
    """The scope of just what is marked."""
    if selection.kind == "row":
        return "row" if len(selection.columns) == len(selection.block.columns) else "part"
    if selection.kind == "lines":
        return "list"
    return "table" if selection.kind == "heading" else selection.kind


def scopes_of(selection: Selection) -> Iterator[tuple[Scope, tuple[int, ...], tuple[int, ...], bool]]:
    """The scopes around what is marked: rows, columns, and whether it goes to the end of the table."""
    block = selection.block
    every = tuple(range(len(block.columns)))
    whole = selection.rows == block.rows
    if selection.kind == "heading":
        yield "table", selection.rows, every, True
        if selection.columns and selection.columns != every:
            yield "column", selection.rows, selection.columns, True
        yield "list", selection.listed or selection.rows, every, True
        return
    if selection.kind == "lines":
        yield "list", selection.listed or selection.rows, every, True
        return
    yield _part(selection), selection.rows, selection.columns, False
    if selection.listed:
        yield "list", selection.listed, every, True
    elif selection.kind == "block" and whole and selection.again is not None:
        yield "list", selection.again.rows, selection.again_columns, True
    elif selection.kind == "block":
        yield "list", selection.rows, selection.columns, whole
    if len(selection.rows) == 1 and len(every) > 1 and (selection.kind == "number" or selection.columns != every):
        yield "row", selection.rows, every, False
    if selection.again is not None:
        apart = len(block.rows) > 1 or len(selection.again_columns) > 1  # one number of every line is read by "every one"
        some = len(selection.again_columns) < len(selection.again.columns)
        alone = not selection.again.shape.on_line  # each of its rows between other lines
        if alone or (apart and some) or selection.kind in ("piece", "block"):
            yield "column", selection.again.rows, selection.again_columns, True
        if len(selection.again.columns) > 1:
            yield "table", selection.again.rows, tuple(range(len(selection.again.columns))), True
    elif len(block.rows) > 1:
        if len(selection.columns) < len(every) or selection.kind != "block":
            yield "column", block.rows, selection.columns, True
        if len(every) > 1:
            yield "table", block.rows, every, True
