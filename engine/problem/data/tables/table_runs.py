"""Where the table of an instrument's export stands: the rows on end of one length that hold most numbers, their names first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from .table_cells import MISSING, inside, is_number_or_missing

MOST_LINES = 2_000  # an instrument says no more about itself above its table
_LOOKED_AT = 100  # rows of one run: they tell columns of numbers from others
_NEARLY_ALL = 0.9  # of a column's cells: a note such as "n.d." stands among numbers
_MOST_NAMES = 3  # rows: names, units, and what they are called elsewhere


def named_run(rows: Sequence[tuple[str, ...]], comma: bool) -> tuple[int, int]:
    """First row (from 0) and length of the longest run of rows of one width, above 1, that begins with names above columns of
    numbers: that which holds most numbers. (0, 0): there is none, a run without names holds as many, or another with names
    stands above it: several tables."""
    best, found, at, tables = 0.0, (0, 0), 0, 0
    for width, run in groupby(rows[:MOST_LINES], key=len):
        block = list(run)
        held = numbers_held(block, comma) if width > 1 else 0.0
        named = len(block) > 2 and held > 0.0 and not any(_is_number(cell, comma) for cell in block[0])
        if held > best:
            best, found = held, (at, len(block)) if named and not tables else (0, 0)
        tables += named
        at += len(block)
    return found


def numbers_held(rows: Sequence[tuple[str, ...]], comma: bool) -> float:
    """How many cells of ``rows``, of one width, stand in columns of numbers."""
    named = next((k for k, row in enumerate(rows[:_MOST_NAMES]) if any(_is_number(cell, comma) for cell in row)), 0)
    below = rows[named : named + _LOOKED_AT]
    columns = 0
    for column in zip(*below, strict=True):
        given = [cell for cell in column if inside(cell).lower() not in MISSING]
        columns += bool(given) and sum(is_number_or_missing(cell, comma) for cell in given) >= _NEARLY_ALL * len(given)
    return float(columns * (len(rows) - named))


def _is_number(cell: str, comma: bool) -> bool:
    return inside(cell).lower() not in MISSING and is_number_or_missing(cell, comma)
