"""Cells that say in words that there is no value beside others that are numbers: filtered, not sampled, #DIV/0!."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ...numbers.number_characters import shorten
from .error_spellings import is_measured
from .measured_cells import is_missing
from .reasons import REASONS
from .table_cells import inside, is_number_or_missing
from .table_text import Cells

MOST_TOLD = 3  # different cells that count as missing

def without_words(cells: Cells, names: Sequence[str], said: Collection[str]) -> tuple[Cells, frozenset[str], list[str]]:
    """``cells`` with empty ones where a column of numbers has a word that says why there is none, or one that was ``said`` to
    (in lower case); these words, as they are written; and a sentence about each column with words that were said to."""
    found: set[str] = set()
    notes = []
    columns = [list(column) for column in zip(*cells.rows, strict=True)]
    for name, column in zip(names, columns, strict=False):
        words = {k: text for k, cell in enumerate(column) if (text := inside(cell)).lower() in REASONS or text.lower() in said}
        others = [cell for k, cell in enumerate(column) if k not in words and not is_missing(cell)]
        if words and others and 2 * sum(_is_number(cell, cells.decimal_comma) for cell in others) > len(others):
            found.update(words.values())
            for k in words:
                column[k] = ""
            if told := [text for text in words.values() if text.lower() not in REASONS]:
                notes.append(f"In column “{name}” {_counted(told)}")
    return (replace(cells, rows=tuple(zip(*columns, strict=True))) if found else cells), frozenset(found), notes


def _counted(words: Sequence[str]) -> str:
    different = [f"“{shorten(text)}”" for text in dict.fromkeys(words)]
    listed = ", ".join(different[:MOST_TOLD]) + (" …" if len(different) > MOST_TOLD else "")
    count = "one cell that is no number counts" if len(words) == 1 else f"{len(words)} cells that are no numbers count"
    return f"{count} as missing: {listed}."


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
