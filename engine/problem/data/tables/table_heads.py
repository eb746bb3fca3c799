"""The names of a table's columns, and what is to be said of the text they were read from."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors.error_headings import error_headings
from ..errors.heading_errors import stated_in
from ..names.column_names import fresh
from .measured_cells import is_missing
from .table_text import Cells, is_number_or_missing

MOST_NAMED = 3  # columns without a heading


def encoding_note(encoding: str) -> list[str]:
    """A sentence about a text that is not UTF-8."""
    if encoding in ("utf-8", "utf-8-sig"):
        return []
    return [f"The text is not UTF-8; it was read as {encoding}. Check letters with accents."]


def column_names(cells: Cells, named: bool = False) -> tuple[tuple[str, ...], list[str]]:
    """One name per column, no two alike; sentences about them. ``named``: columns of errors after those that they are of."""
    given = cells.header or ("",) * len(cells.rows[0])
    names: list[str] = []
    notes = []
    told = [stated_in(name.strip().strip('"')) if named else None for name in given]
    bare = [name if one is None else one[0] for name, one in zip(given, told, strict=True)]
    errors = error_headings(bare, _numbers(cells)) if named else {}
    for i, name in enumerate(given, start=1):
        base = " ".join(name.strip().strip('"').split()) or f"column {i}"
        if (one := told[i - 1]) is not None:
            notes.append(f"Column {i}, “{base}”, is called “{one[0]}” here: “{one[1]}” states its errors.")
            base = one[0]
        if i - 1 in errors and base != errors[i - 1].name:
            notes.append(f"Column {i}, “{base}”, is called “{errors[i - 1].name}” here: it holds errors.")
            base = errors[i - 1].name
        unique = fresh(base, names)
        if unique != base:
            notes.append(f"Two columns are called “{base}”; column {i} is now “{unique}”.")
        names.append(unique)
    if cells.header is None:
        notes.append(f"The table has no header: {_unsaid(names)}.")
    elif bare := [name for i, name in enumerate(names) if not given[i].strip().strip('"') and not _speaks_for_itself(cells, i)]:
        notes.append(f"Not all columns have a heading: {_unsaid(bare)}.")
    return tuple(names), notes


def _numbers(cells: Cells) -> frozenset[int]:
    """The places of the columns in which each cell is one number, or none."""
    columns = range(len(cells.rows[0]) if cells.rows else 0)
    return frozenset(i for i in columns if all(is_number_or_missing(row[i].strip().strip('"')) for row in cells.rows))


def _unsaid(names: Sequence[str]) -> str:
    """What is missing where columns of these ``names`` have no heading."""
    shown, more = [f"“{name}”" for name in names[:MOST_NAMED]], len(names) - MOST_NAMED
    shown += [f"{more} more"] if more > 0 else []
    listed = f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]
    one = len(names) == 1
    return f"{listed} {'says' if one else 'say'} neither what {'it holds' if one else 'they hold'} nor in which unit"


def _speaks_for_itself(cells: Cells, i: int) -> bool:
    """Whether column ``i`` is empty, or numbers the rows, as R and pandas write them."""
    texts = [row[i].strip().strip('"') for row in cells.rows]
    counts = (list(map(str, range(first, first + len(texts)))) for first in (0, 1))
    return all(is_missing(text) for text in texts) or (i == 0 and any(texts == count for count in counts))
