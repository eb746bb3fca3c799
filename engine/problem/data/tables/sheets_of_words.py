"""Sheets of a workbook that hold no table but words: remarks, notes, explanations. What they say is shown and looked through."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ... import definition as d
from ...numbers.number_characters import shorten
from .best_part import MOST_LOOKED_AT
from .table_parts import Part

MOST_SHOWN = 200  # characters of what a sheet says
MOST_LINES = 100


def sheets_of_words(parts: Sequence[Part], table_of: Callable[[int], d.DataTable | None]) -> list[Part]:
    """The sheets of a workbook that hold words alone, as notes on the others do; none where it is long. ``table_of``: the table
    in one of them by its number (from 0), None where it holds no numbers."""
    if len(parts) < 2 or sum(len(part.text.replace("\n", "")) for part in parts) > MOST_LOOKED_AT:
        return []
    found = [part for i, part in enumerate(parts) if not part.hidden and part.text.strip() and table_of(i) is None]
    return found if len(found) < len(parts) else []


def lines_of_sheet(part: Part) -> tuple[str, ...]:
    """Its rows, the cells of each in one line."""
    rows = (" ".join(cell.strip() for cell in row.split("\t") if cell.strip()) for row in part.text.splitlines())
    return tuple(row for row in rows if row)[:MOST_LINES]


def said_by_sheet(part: Part) -> str:
    """What it says, a sentence."""
    return f"Sheet “{shorten(part.title)}” holds words alone: “{shorten(' / '.join(lines_of_sheet(part)), MOST_SHOWN)}”."
