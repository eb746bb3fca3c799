"""All tables of a file below each other: one table, and what is shown of it before it is taken over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ... import definition as d
from ..rows.censored import cells_shown
from ..tables.lines_above import words_above
from ..tables.measured_cells import all_times
from ..tables.table_columns import DataFileError
from ..tables.table_parts import Part, short_titles
from ..tables.table_preview import DataFile
from ..tables.table_text import Cells
from ..tables.together import together

ALL_PARTS = -1  # all tables of a file, below each other
MOST_TOGETHER = 2_000  # rows shown before they are taken over, of several tables below each other, which are written anew


def going_on(parts: Sequence[Part], cut: Callable[[str], Cells]) -> dict[int, Part]:
    """``parts`` by their numbers (from 0), without those that are rows of the one above: without names, of as many columns, and
    behind it in the file. Something stood between them. ``cut``: the cells of a text, or DataFileError."""
    found: dict[int, Part] = {}
    above, width, end = None, 0, 0  # the number of the table that may go on, its columns, and its last line
    for i, part in enumerate(parts):
        found[i] = part
        try:
            cells = cut(part.text)
        except DataFileError:
            above = None
            continue
        lines = part.text.split("\n")
        if above is not None and cells.header is None and len(cells.rows[0]) == width and cells.lines[0] > end:
            whole = found[above].text.split("\n")
            whole += [""] * (cells.lines[-1] - len(whole))
            for n in cells.lines:
                whole[n - 1] = lines[n - 1]
            found[above], end = replace(found[above], text="\n".join(whole)), cells.lines[-1]
            del found[i]
        else:
            above = i if cells.header is not None else None
            width, end = len(cells.rows[0]), cells.lines[-1]
    return found


def below_each_other(
    found: Sequence[DataFile], kept: Sequence[int], titles: tuple[str, ...], left_out: Sequence[str], name: str
) -> DataFile:
    """The tables ``found``, which are those ``kept`` (from 0) of all that have ``titles``; ``left_out``: sentences on others."""
    table = together([f.table for f in found], short_titles([titles[i] for i in kept]), first_too=True)
    table = d.DataTable(columns=table.columns, texts=table.texts, limits=table.limits, origin=name)
    names = (*table.texts, *table.columns)
    count = max(len(c) for c in (*table.columns.values(), *table.texts.values()))
    cells = {**table.texts, **cells_shown(table)}
    rows = tuple(tuple(_shown(cells[n][i]) for n in names) for i in range(min(count, MOST_TOGETHER)))
    notes = tuple(dict.fromkeys(note for i, f in zip(kept, found, strict=True) for note in _titled(titles[i], f, found)))
    missing = [f"“{titles[i]}”: {words}" for i, f in zip(kept, found, strict=True) if (words := f.preview.missing)]
    marks = tuple(dict.fromkeys(m for f in found for m in f.preview.marks))
    times = tuple(n for n in table.texts if all_times([t or "" for t in table.texts[n]]))
    shown = replace(
        found[0].preview, columns=names, rows=rows, row_count=count, numeric=tuple(n in table.columns for n in names),
        notes=("All tables below each other; a column that a table lacks is empty there.", *left_out, *notes), parts=titles,
        part=ALL_PARTS, missing="; ".join(missing), marks=marks, times=times, lines=(), above=(),
        across=tuple(range(1, len(names) + 1)),
        said=tuple(s for f in found for s in f.preview.said),
        expanded=tuple(dict.fromkeys(e for f in found for e in f.preview.expanded)),
        stated=tuple(dict.fromkeys(one for f in found for one in f.preview.stated)),
        empty=tuple(dict.fromkeys(one for f in found for one in f.preview.empty)),
        around=tuple(dict.fromkeys(words_above(one) for f in found for one in f.preview.above if not one.heading)),
        limits=tuple(dict.fromkeys(one for f in found for one in f.preview.limits)),
        moments=tuple(dict.fromkeys(one for f in found for one in f.preview.moments)),
        censored=tuple(one for f in found for one in f.preview.censored),
        marked=tuple(one for f in found for one in f.preview.marked),
    )  # fmt: skip
    return DataFile(table, shown)


def _shown(cell: float | str | None) -> str:
    return "" if cell is None else cell if isinstance(cell, str) else f"{cell}".removesuffix(".0")


def _titled(title: str, file: DataFile, every: Sequence[DataFile]) -> Iterator[str]:
    """The notes on one of several tables, with its title where they are not those on all."""
    for note in file.preview.notes:
        yield note if all(note in other.preview.notes for other in every) else f"“{title}”: {note}"
