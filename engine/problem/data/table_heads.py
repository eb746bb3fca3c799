"""The names of a table's columns, and what is to be said of the text they were read from."""

from __future__ import annotations

from .column_names import fresh
from .error_headings import error_headings
from .table_text import Cells


def encoding_note(encoding: str) -> list[str]:
    """A sentence about a text that is not UTF-8."""
    if encoding in ("utf-8", "utf-8-sig"):
        return []
    return [f"The text is not UTF-8; it was read as {encoding}. Check letters with accents."]


def column_names(cells: Cells) -> tuple[tuple[str, ...], list[str]]:
    """One name per column, no two alike; sentences about them."""
    given = cells.header or ("",) * len(cells.rows[0])
    names: list[str] = []
    notes = []
    errors = error_headings(given)
    for i, name in enumerate(given, start=1):
        base = " ".join(name.strip().strip('"').split()) or f"column {i}"
        if i - 1 in errors and base != errors[i - 1].name:
            notes.append(f"Column {i}, '{base}', is called '{errors[i - 1].name}' here: it holds errors.")
            base = errors[i - 1].name
        unique = fresh(base, names)
        if unique != base:
            notes.append(f"Two columns are called '{base}'; column {i} is now '{unique}'.")
        names.append(unique)
    if cells.header is None:
        notes.append("The table has no header; columns are numbered.")
    return tuple(names), notes
