"""Several tables of earlier evaluations as one, and what does not fit together among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..problem.numbers.shown_digits import spoken
from .column_words import plain
from .table import MAX_ROWS, ArchiveError, Table

Array = NDArray[np.float64]

OTHER_UNITS = 5.0  # times the others' typical size, the bulk of both apart: the column of one file is in another unit
OTHER_SIZES = 50.0  # the same where values lie on both sides of zero, which a search around zero may do: degrees and radians 57


def together(tables: Sequence[Table]) -> Table:
    """Columns by name, as the first table calls them and in whatever order the others have them; those that not every table has
    are left out. Raises ArchiveError where none is in all of them, or there are more rows than are used."""
    first = tables[0]
    if len(tables) == 1:
        return first
    by_name = [{plain(c): c for c in reversed(t.columns)} for t in tables]
    columns = [c for c in first.columns if all(plain(c) in names for names in by_name)]
    if not columns:
        raise ArchiveError(
            f"{first.source} and the other files have no column of the same name.", "",
            "Give the files the same header line, or import them one joined file.",
        )  # fmt: skip
    count = sum(len(t.values) for t in tables)
    if count > MAX_ROWS:
        raise ArchiveError(
            f"The {len(tables)} files have {count:,} rows together; at most {MAX_ROWS:,} are used.", "", "Import fewer of them."
        )
    parts = [np.column_stack([t.column(names[plain(c)]) for c in columns]) for t, names in zip(tables, by_name, strict=True)]
    lost = list(dict.fromkeys(c for t in tables for c in t.columns if plain(c) not in {plain(k) for k in columns}))
    notes = [f"{t.source}: {note}" for t in tables for note in t.notes]
    if lost:
        notes.append(f"Columns that not every file has were left out: {', '.join(lost[:10])}.")
    notes += _the_same(tables, parts)
    names = ", ".join(t.source for t in tables[:5]) + (", …" if len(tables) > 5 else "")
    return Table(
        tuple(columns), np.concatenate(parts), f"{len(tables)} files ({names})", tuple(notes), first.delimiter_words,
        tuple((t.source, len(t.values)) for t in tables),
    )  # fmt: skip


def _the_same(tables: Sequence[Table], parts: Sequence[Array]) -> list[str]:
    """Files that are copies of one another."""
    return [
        f"{tables[j].source} holds the same rows as {tables[i].source}."
        for j in range(len(parts))
        for i in range(j)
        if np.array_equal(parts[i], parts[j], equal_nan=True)
    ][:5]


def _bulks_apart(one: Array, other: Array) -> bool:
    here, there = np.quantile(one, [0.1, 0.9]), np.quantile(other, [0.1, 0.9])
    return bool(here[0] > there[1] or here[1] < there[0])


def other_units(table: Table, name: str, column: str) -> str:
    """A sentence if one of the table's files has values of parameter ``name`` apart from all others'; else empty."""
    values, starts = table.column(column), np.cumsum([0, *(rows for _, rows in table.parts)])
    for (source, _), start, end in zip(table.parts, starts[:-1], starts[1:], strict=True):
        mine, others = values[start:end], np.concatenate([values[:start], values[end:]])
        mine, others = mine[np.isfinite(mine)], others[np.isfinite(others)]
        if len(mine) == 0 or len(others) == 0 or np.median(np.abs(others)) == 0.0:
            continue
        ratio = float(np.median(np.abs(mine)) / np.median(np.abs(others)))
        apart = _bulks_apart(mine, others) and not 1.0 / OTHER_UNITS < ratio < OTHER_UNITS
        sizes = not 1.0 / OTHER_SIZES < ratio < OTHER_SIZES and _bulks_apart(np.abs(mine), np.abs(others))
        if apart or sizes:
            times = f"{ratio:,.0f}" if ratio >= 100 else spoken(ratio, 3)
            return (
                f"In {source} {name} is about {times} times what it is in the other files: is it in other units? If so, "
                "convert that column, or import without that file."
            )
    return ""
