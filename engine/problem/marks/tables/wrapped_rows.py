"""Matrices whose rows go on over several lines, the number of the row first, below numbers of columns that do so, too: the lines
that hold the same columns are the rows of one table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...extract.reading import Line
from ...extract.row_cells import Cell, cells_of, is_rule

MOST_HEADS = 12  # lines over which the numbers of the columns go
LEAST_ROWS = 2


def wrapped_rows(lines: Sequence[Line], at: int) -> tuple[int, ...]:
    """The lines, from 0, that hold the same columns of such a matrix as line ``at``; empty: it is none, or as many numbers stand
    in its other lines, so that nothing tells them apart."""
    first = at
    while first > 0 and _numbers(lines[first - 1]) and not _counts(_numbers(lines[first - 1])):
        first -= 1
    heads = _heads_above(lines, first)
    if len(heads) < 2:
        return ()
    widths = [len(head) for head in heads]
    widths[0] += 1  # the number of the row
    period, last = len(heads), first
    while last < len(lines) and len(_numbers(lines[last])) == widths[(last - first) % period]:
        last += 1
    rows = [_numbers(lines[i])[0].value for i in range(first, last, period)]
    phase = (at - first) % period
    whole = (last - first) % period == 0 and len(rows) >= LEAST_ROWS and all(b == a + 1 for a, b in pairwise(rows))
    return tuple(range(first + phase, last, period)) if whole and at < last and widths.count(widths[phase]) == 1 else ()


def _numbers(line: Line) -> list[Cell]:
    """The numbers of a line that holds nothing else; empty: it holds something else."""
    cells = cells_of(line.text)
    return cells if all(c.kind == "n" and not c.problem for c in cells) else []


def _counts(cells: Sequence[Cell]) -> bool:
    """Whether whole numbers count on by one: those of columns."""
    return len(cells) > 1 and all(c.value.is_integer() for c in cells) and all(b.value == a.value + 1 for a, b in pairwise(cells))


def _heads_above(lines: Sequence[Line], first: int) -> list[list[Cell]]:
    """The lines right above line ``first`` that count the columns, from 1 on, one after the other."""
    heads: list[list[Cell]] = []
    for i in range(first - 1, max(first - 3 - MOST_HEADS, -1), -1):
        if is_rule(lines[i].text) or not lines[i].text.strip():
            if heads and not lines[i].text.strip():
                break
            continue
        cells = _numbers(lines[i])
        if not _counts(cells) or (heads and cells[-1].value + 1 != heads[0][0].value):
            break
        heads.insert(0, cells)
    return heads if heads and heads[0][0].value == 1 else []
