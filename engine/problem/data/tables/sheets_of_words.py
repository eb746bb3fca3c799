"""Sheets of a workbook that hold no table but words: remarks, notes, explanations. What they say is shown and looked through."""

from __future__ import annotations

from ...numbers.number_characters import shorten
from .table_parts import Part

MOST_SHOWN = 200  # characters of what a sheet says
MOST_LINES = 100


def lines_of_sheet(part: Part) -> tuple[str, ...]:
    """Its rows, the cells of each in one line."""
    rows = (" ".join(cell.strip() for cell in row.split("\t") if cell.strip()) for row in part.text.splitlines())
    return tuple(row for row in rows if row)[:MOST_LINES]


def said_by_sheet(part: Part) -> str:
    """What it says, a sentence."""
    return f"Sheet “{shorten(part.title)}” holds words alone: “{shorten(' / '.join(lines_of_sheet(part)), MOST_SHOWN)}”."
