"""Cells that say in words that there is no value beside others that are numbers: filtered, not sampled, #DIV/0!."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .measured_cells import is_missing
from .table_cells import inside, is_measured, is_number_or_missing
from .table_text import Cells

# among numbers alone: elsewhere they are labels, remarks and names
REASONS = frozenset((
    "filtered", "filtered out", "excluded", "masked", "removed", "rejected", "discarded", "invalid", "failed", "lost", "void",
    "omitted", "withheld", "suppressed", "damaged", "broken", "contaminated", "unreliable", "not valid", "not sampled",
    "not analysed", "not analyzed", "not tested", "not done", "not observed", "no sample", "no measurement", "no reading",
    "no signal", "out of order", "out of service", "missing value", "missing data", "verworfen", "ungültig", "ausgeschlossen",
    "ausgefallen", "entfernt", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "#error!",
))  # fmt: skip


def without_words(cells: Cells, said: Collection[str]) -> tuple[Cells, frozenset[str]]:
    """``cells`` with empty ones where a column of numbers has a word that says why there is none, or one that was ``said`` to
    (in lower case); and these words, as they are written."""
    found: set[str] = set()
    columns = [list(column) for column in zip(*cells.rows, strict=True)]
    for column in columns:
        words = {k: text for k, cell in enumerate(column) if (text := inside(cell)).lower() in REASONS or text.lower() in said}
        others = [cell for k, cell in enumerate(column) if k not in words and not is_missing(cell)]
        if words and others and 2 * sum(_is_number(cell, cells.decimal_comma) for cell in others) > len(others):
            found.update(words.values())
            for k in words:
                column[k] = ""
    return (replace(cells, rows=tuple(zip(*columns, strict=True))) if found else cells), frozenset(found)


def strange_words(cells: Cells) -> frozenset[str]:
    """What stands in columns of numbers and is none, in lower case."""
    found: set[str] = set()
    for column in zip(*cells.rows, strict=True):
        filled = [cell for cell in column if not is_missing(cell)]
        bad = [cell for cell in filled if not _is_number(cell, cells.decimal_comma)]
        if 2 * len(bad) < len(filled):
            found.update(inside(cell).lower() for cell in bad)
    return frozenset(found)


def _is_number(cell: str, decimal_comma: bool) -> bool:
    return is_number_or_missing(cell, decimal_comma) or is_measured(cell, decimal_comma)
