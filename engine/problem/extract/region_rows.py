"""A line as a row of a region (``definition.Region``): its cells, and those of them that are read."""

from __future__ import annotations

from dataclasses import dataclass

from ..definition import Region
from .reading import Line
from .row_cells import Cell, cells_of, fits, sliced


@dataclass(frozen=True)
class RegionRow:
    """A row: its line and its cells. ``chosen``: those that are read; in columns of characters a missing one is None."""

    line: Line
    cells: tuple[Cell, ...]
    chosen: tuple[Cell | None, ...]


def row_of(extractor: Region, line: Line, skip: int, comma: bool) -> RegionRow | None:
    """``line``, from its character ``skip`` on, as a row; None if it is none."""
    text, start = line.text[skip:], line.start + skip
    if extractor.characters:
        fields = [sliced(line.text, line.start, a, b, comma) for a, b in extractor.characters]
        kinds = [cell.kind if cell is not None else "" for cell in fields]
        if 2 * kinds.count("n") < len(kinds) or 2 * kinds.count("t") >= len(kinds):
            return None
        chosen = tuple(fields[c - 1] for c in extractor.columns) if extractor.columns else tuple(fields)
        return RegionRow(line, tuple(c for c in fields if c is not None), chosen)
    if not any(c.isalnum() or c in "*-?\u221e" for c in text):
        return None
    cells = cells_of(text, start, by=extractor.by, delimiter=extractor.delimiter, comma=comma)
    if extractor.form and not fits(extractor.form, cells):
        return None
    pool = [c for c in cells if c.kind == "n"] if extractor.by == "number" or not extractor.columns else cells
    if not extractor.columns:
        good = bool(pool) and (bool(extractor.form) or len(pool) == len(cells))
        return RegionRow(line, tuple(cells), tuple(pool)) if good else None
    if max(extractor.columns) > len(pool):
        return None
    picked = tuple(pool[c - 1] for c in extractor.columns)
    return RegionRow(line, tuple(cells), picked) if all(c.kind == "n" for c in picked) else None


def form_words(extractor: Region) -> str:
    if extractor.characters:
        return f"numbers in characters {extractor.characters[0][0]} to {extractor.characters[-1][1]}"
    if extractor.form:
        count = extractor.form.count("n")
        texts = " and texts" if "t" in extractor.form else ""
        return f"{count} number{'s' * (count != 1)}{texts}"
    most = max(extractor.columns, default=1)
    return f"{'at least ' if most > 1 else ''}{most} number{'s' * (most != 1)}"
