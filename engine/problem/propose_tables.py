"""Proposals for numbers that stand in tables: columns, cells, blocks of rows, repeated rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .definition import CsvColumn, Extractor, RowsAfter, TableBlock
from .numbers_in_text import Number, line_bounds, lines_of, numbers, parse_number

MAX_MARKER = 60


@dataclass(frozen=True)
class Proposal:
    """One way to read what was marked. ``values``: what it reads in this text; ``words``: for the user."""

    extractor: Extractor
    words: str
    values: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    decimal_comma: bool = False

    @property
    def is_vector(self) -> bool:
        return len(self.values) > 1


def csv_columns(text: str, number: Number, source: str) -> list[Proposal]:
    delimiter = delimiter_of(text, source)
    if delimiter is None:
        return []
    lines = [line for line in lines_of(text) if text[line[0] : line[1]].strip()]
    if not lines:
        return []
    cells = [_cells(text, line, delimiter) for line in lines]
    at_row = next((i for i, line in enumerate(lines) if line[0] <= number.start <= line[1]), None)
    if at_row is None:
        return []
    at_column = next((k for k, (a, b) in enumerate(cells[at_row]) if a <= number.start <= b), None)
    if at_column is None:
        return []
    first = [text[a:b].strip().strip('"') for a, b in cells[0]]
    header = at_row > 0 and any(parse_number(cell) is None for cell in first)
    body = cells[1:] if header else cells
    row = at_row - (1 if header else 0)
    name: str | int = at_column
    if header and first[at_column] and first.count(first[at_column]) == 1:
        name = first[at_column]
    column_words = f"column “{name}”" if isinstance(name, str) else f"column {at_column + 1}"
    spans = [line[at_column] for line in body if at_column < len(line)]
    values = [parse_number(text[a:b].strip().strip('"')) for a, b in spans]
    one = Proposal(
        CsvColumn(column=name, row=row, delimiter=delimiter, header=header),
        f"row {row + 1} of {column_words} of the table",
        (number.value,),
        ((number.start, number.end),),
    )
    if len(values) < 2 or any(v is None for v in values):
        return [one]
    every = Proposal(
        CsvColumn(column=name, delimiter=delimiter, header=header),
        f"the whole {column_words} of the table ({len(values)} numbers)",
        tuple(v for v in values if v is not None),
        tuple(spans),
    )
    return [every, one]


def table_columns(text: str, marked: Sequence[Number]) -> list[Proposal]:
    """Columns of the block of numeric rows around the mark; a mark inside one column proposes that one first."""
    lines = lines_of(text)
    at = next((i for i, (a, b) in enumerate(lines) if a <= marked[0].start <= b), None)
    if at is None:
        return []
    rows = {i: _numeric_row(text, lines[i]) for i in range(max(0, at - 20_000), min(len(lines), at + 20_000))}
    width = len(rows[at])
    if width == 0:
        return []
    first, last = at, at
    while len(rows.get(first - 1, ())) == width:
        first -= 1
    while len(rows.get(last + 1, ())) == width:
        last += 1
    if last - first < 2:
        return []
    above = text[lines[first - 1][0] : lines[first - 1][1]].strip() if first > 0 else ""
    marker = marker_of(above, whole=True) if above else ""
    unique = bool(marker) and sum(marker in text[a:b] for a, b in lines) == 1
    start = marker if unique else None
    skip = 0 if unique else _numeric_rows_before(text, lines, first, width)
    if start is None and skip is None:
        return []
    after = text[lines[last + 1][0] : lines[last + 1][1]].strip() if last + 1 < len(lines) else ""
    end_marker = marker_of(after, whole=True) if after else ""
    mine = next((k for k, n in enumerate(rows[at]) if n.start == marked[0].start), 0)
    order = [mine] if len(marked) == 1 else _likely_columns(marked, rows, range(first, last + 1), width)
    found = []
    for k in order[:12]:
        cells = [rows[i][k] for i in range(first, last + 1)]
        where = f"the table below “{start}”" if start else "the table of numbers"
        found.append(
            Proposal(
                TableBlock(columns=(k + 1,), start=start, end=end_marker or None, skip=skip or 0),
                f"the whole column {k + 1} of {where} ({len(cells)} numbers)",
                tuple(n.value for n in cells),
                tuple((n.start, n.end) for n in cells),
            )
        )
    return found


def rows_after(text: str, number: Number) -> list[Proposal]:
    """A row that comes again below each appearance of the same heading: one number from each."""
    line_start, _ = line_bounds(text, number.start)
    if line_start == 0:
        return []
    above_start, above_end = line_bounds(text, line_start - 1)
    marker = marker_of(text[above_start:above_end].strip(), whole=False)
    if not marker:
        return []
    lines = lines_of(text)
    heads = [i for i, (a, b) in enumerate(lines) if marker in text[a:b]]
    column = sum(1 for n in numbers(text, line_start, number.start)) + 1
    picked = []
    for i in heads:
        row = list(numbers(text, *lines[i + 1])) if i + 1 < len(lines) else []
        if len(row) < column:
            return []
        picked.append(row[column - 1])
    if len(picked) < 2:
        return []
    return [
        Proposal(
            RowsAfter(marker=marker, column=column, lines=1),
            f"number {column} of the row below every “{marker}” ({len(picked)} numbers)",
            tuple(n.value for n in picked),
            tuple((n.start, n.end) for n in picked),
        )
    ]


def marker_of(content: str, whole: bool) -> str:
    """A text by which a line is known again: all of a heading, or the words before its first number."""
    first = next(numbers(content), None)
    if first is not None and whole:
        return ""
    marker = content if first is None else content[: first.start].strip()
    marker = marker[:MAX_MARKER].rstrip()
    return marker if any(c.isalpha() for c in marker) else ""


def delimiter_of(text: str, source: str) -> str | None:
    """What separates the cells if ``text`` is a delimited table; prose with commas is none."""
    name = source.lower()
    sample = [line for line in text[:20_000].split("\n") if line.strip()][:20]
    candidates = ["\t"] if name.endswith((".tsv", ".tab")) else [",", ";", "\t"]
    for delimiter in candidates:
        counts = [line.count(delimiter) for line in sample]
        if not sample or counts[0] == 0 or len(set(counts)) != 1:
            continue
        cells = [cell.strip() for line in sample[1:] for cell in line.split(delimiter)]
        if name.endswith((".csv", ".tsv")) or (cells and all(parse_number(cell) is not None for cell in cells if cell)):
            return delimiter
    return " " if _is_white_space_table(sample) else None


def _is_white_space_table(sample: Sequence[str]) -> bool:
    """A heading of words above rows of as many numbers and nothing else."""
    if len(sample) < 3:
        return False
    names, rows = sample[0].split(), [line.split() for line in sample[1:]]
    width = len(rows[0])
    if width < 2 or len(names) != width or any(parse_number(name) is not None for name in names):
        return False
    return all(len(row) == width and all(parse_number(cell) is not None for cell in row) for row in rows)


def _cells(text: str, line: tuple[int, int], delimiter: str) -> list[tuple[int, int]]:
    if delimiter == " ":
        return [(line[0] + m.start(), line[0] + m.end()) for m in re.finditer(r"\S+", text[line[0] : line[1]])]
    found, start = [], line[0]
    for cell in text[line[0] : line[1]].rstrip("\r").split(delimiter):
        found.append((start, start + len(cell)))
        start += len(cell) + len(delimiter)
    return found


def _numeric_row(text: str, line: tuple[int, int]) -> tuple[Number, ...]:
    """The numbers of a row that holds nothing else (white-space separated); empty otherwise."""
    words = [(line[0] + m.start(), line[0] + m.end()) for m in re.finditer(r"\S+", text[line[0] : line[1]])]
    row = []
    for a, b in words:
        value = parse_number(text[a:b])
        if value is None:
            return ()
        row.append(Number(a, b, value))
    return tuple(row)


def _numeric_rows_before(text: str, lines: Sequence[tuple[int, int]], first: int, width: int) -> int | None:
    """None if numeric rows stand before the block, so that it cannot be found without a heading."""
    return None if any(_numeric_row(text, lines[i]) for i in range(min(first, 5000))) else 0


def _likely_columns(
    marked: Sequence[Number], rows: dict[int, tuple[Number, ...]], block: range, width: int
) -> list[int]:
    """Columns fully inside the mark first, then those that are not evenly spaced (an axis rarely is the output)."""
    starts = {n.start for n in marked}

    def rank(k: int) -> tuple[int, int, int]:
        column = [rows[i][k] for i in block]
        inside = sum(n.start in starts for n in column)
        steps = {round(b.value - a.value, 9) for a, b in pairwise(column)}
        return (-inside, 1 if len(steps) == 1 else 0, k)

    return sorted(range(width), key=rank)
