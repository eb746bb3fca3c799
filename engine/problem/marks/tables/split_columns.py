"""An output that is a table read row by row into one list, as one output for each of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from ... import placeholders
from ...data.names.column_names import fresh, without_unit
from ...definition import Output, Region, TableBlock
from ...extract import ExtractionError, extract
from ...extract.reading import Line, lines_of
from ...extract.region import RegionRow, blocks_of
from ...numbers import scale_letters
from ..labels.labelled_rows import heading_of, rows_like
from ..words import column_name
from .block import block_around

MOST_COLUMNS = 24  # that become outputs at once


def split_columns(output: Output, text: str, taken: Sequence[str] = ()) -> tuple[Output, ...]:
    """An output for each column of what ``output`` reads row by row, named by the heading, or counted: x_1, x_2.

    ``text``: what it is read from in one run; read one beside the other, the columns give the same values there. ``taken``: names
    of other outputs. Empty if it has one column, or its rows are of different length, or ``text`` cannot be read.
    """
    if output.text or not isinstance(output.extractor, Region | TableBlock):
        return ()
    try:
        with scale_letters.reading(output.scale_letters):
            columns, names = _columns(output.extractor, text, output.decimal_comma)
            values = extract(output.extractor, text, output.decimal_comma).values
            parts = [extract(one, text, output.decimal_comma).values for one in columns]
    except ExtractionError:
        return ()
    if not 1 < len(columns) <= MOST_COLUMNS or len({len(part) for part in parts}) > 1:
        return ()
    if tuple(value for row in zip(*parts, strict=True) for value in row) != values:
        return ()
    named = _names(output.name, names, len(columns), taken)
    length = None if output.length is None else output.length // len(columns)
    return tuple(
        msgspec.structs.replace(output, name=name, extractor=one, length=length) for name, one in zip(named, columns, strict=True)
    )


def _columns(extractor: Region | TableBlock, text: str, comma: bool) -> tuple[list[Region] | list[TableBlock], list[str]]:
    """The extractor of each column, and what a heading calls it ('' where none does). Raises ExtractionError."""
    if isinstance(extractor, TableBlock):
        return [msgspec.structs.replace(extractor, columns=(c,)) for c in extractor.columns], []
    if extractor.first_number != 1 or extractor.number_count is not None:
        return [], []  # a piece of a list
    lines = lines_of(text)
    rows = blocks_of(extractor, lines, comma)[0]
    whole, numbers = _whole(extractor, rows)
    parts = [msgspec.structs.replace(whole, columns=(c,)) for c in numbers]
    return parts, _headings(whole, numbers, rows, lines, comma)


def _whole(extractor: Region, rows: Sequence[RegionRow]) -> tuple[Region, tuple[int, ...]]:
    """The region with its columns counted, and their numbers; none if its rows are of different length."""
    if extractor.columns:
        return extractor, extractor.columns
    if extractor.characters:
        return extractor, tuple(range(1, len(extractor.characters) + 1))
    places = {tuple(k + 1 for k, c in enumerate(row.cells) if c.kind == "n") for row in rows}
    if len(places) != 1:
        return extractor, ()
    (columns,) = places
    if extractor.by == "number":
        columns = tuple(range(1, len(columns) + 1))
    form = extractor.form or "".join(c.kind for c in rows[0].cells)  # without it a heading with numbers would be a row
    return msgspec.structs.replace(extractor, form=form), columns


def _headings(
    extractor: Region, columns: Sequence[int], rows: Sequence[RegionRow], lines: Sequence[Line], comma: bool
) -> list[str]:
    at = rows[0].line.number - 1
    if extractor.on_line:
        table = rows_like(lines, at, comma)
        same = table is not None and (table.shape.anchor, table.shape.delimiter) == (extractor.anchor, extractor.delimiter)
        names = heading_of(table, lines) if table is not None and same else ()
        return [names[c - 1] if c <= len(names) else "" for c in columns]
    if extractor.characters:
        return []
    every = block_around(lines, at, next(c for c in rows[0].cells if c.kind == "n"), comma)
    if (every.shape.by, every.shape.delimiter) != (extractor.by, extractor.delimiter):
        return []
    known = {column.number: column for column in every.columns}
    return [column_name(every, known[c], lines) if c in known else "" for c in columns]


def _names(stem: str, headings: Sequence[str], count: int, taken: Sequence[str]) -> list[str]:
    """Names for outputs: those of the headings where all have one that can be a name; else the stem with a number."""
    short = [placeholders.normal(re.sub(r"\W+", "_", without_unit(heading)).strip("_"))[:40] for heading in headings]
    if short and all(map(placeholders.is_name, short)) and len({*short, *taken}) == len(short) + len(set(taken)):
        return short
    found: list[str] = []
    for k in range(1, count + 1):
        found.append(fresh(f"{stem}_{k}", [*taken, *found]))
    return found
