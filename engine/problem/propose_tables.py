"""Proposals for numbers that stand in tables: columns, cells, blocks of rows, repeated rows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .definition import CsvColumn, Extractor, RowsAfter, TableBlock
from .extract.reading import is_comment
from .numbers.dates_in_text import dates_in
from .numbers.number_characters import word_pattern
from .numbers.numbers_in_text import Number, line_bounds, lines_of, numbers, parse_number

MAX_MARKER = 60
MAX_ROWS_AROUND = 20_000
LOOKED_AT = 20_000  # characters at the beginning, by which a table is told


@dataclass(frozen=True)
class Proposal:
    """One way to read what was marked. ``values``: what it reads in this text; ``words``: for the user.

    ``texts``: what is read as labels, of ``label_columns`` neighbouring columns.
    ``missing``: which rows around the mark it does not read; it is in ``words`` too.
    """

    extractor: Extractor
    words: str
    values: tuple[float, ...]
    spans: tuple[tuple[int, int], ...]
    decimal_comma: bool = False
    missing: str = ""
    scale_letters: bool = False
    texts: tuple[str, ...] = ()
    label_columns: int = 1

    @property
    def is_vector(self) -> bool:
        return len(self.values) > 1


def csv_columns(text: str, number: Number, source: str) -> list[Proposal]:
    delimiter = delimiter_of(text, source)
    if delimiter is None:
        return []
    lines = [line for line in lines_of(text) if _counts(text[line[0] : line[1]])]
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
    if header and at_column < len(first) and first[at_column] and first.count(first[at_column]) == 1:
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
    """Columns of the block of numeric rows around the mark; a mark inside one column proposes that one first.

    Where a line of text stands between the rows, the rows on this side of it and all of them are proposed.
    """
    lines = lines_of(text)
    starts = [a for a, _ in lines]
    touched = sorted({bisect_right(starts, n.start) - 1 for n in marked})
    window = range(max(0, touched[0] - MAX_ROWS_AROUND), min(len(lines), touched[0] + MAX_ROWS_AROUND))
    rows = {i: _numeric_row(text, lines[i]) for i in window}
    mine = [i for i in touched if rows.get(i)]
    if not mine:
        return []
    widths = [len(rows[i]) for i in mine]
    width = max(widths, key=widths.count)
    fitting = [i for i in mine if len(rows[i]) == width]
    titled = {i for i in window if not rows[i] and text[lines[i][0] : lines[i][1]].strip()}
    short = _around(rows, width, fitting[0], fitting[0], set())
    wide = _around(rows, width, fitting[0], fitting[-1], titled)
    if wide == short:
        blocks = [short]
    elif fitting[-1] not in short:
        blocks = [wide, short]
    else:  # all that is marked is on this side of the line of text
        blocks = [short, wide] if len(short) > 2 else []
    found: list[Proposal] = []
    for block in blocks:
        used = [i for i in block if len(rows[i]) == width]
        left_out = len(set(mine) - set(used))
        missing = ""
        if left_out:
            missing = f"{left_out} of the {len(mine)} marked rows {'is' if left_out == 1 else 'are'} not among them"
        elif block != wide:
            missing = "the rows beyond the next line of text are not among them"
        if len(used) > 2:
            found += _block_columns(text, lines, rows, used, marked, missing)
    return found


def _around(rows: dict[int, tuple[Number, ...]], width: int, first: int, last: int, passed: Container[int]) -> range:
    """The lines from ``first`` to ``last`` and the rows next to them, also those behind a single line in ``passed``."""

    def fits(i: int) -> bool:
        return len(rows.get(i, ())) == width

    for step in (-1, 1):
        at = first if step < 0 else last
        while fits(at + step) or (at + step in passed and fits(at + 2 * step)):
            at += step if fits(at + step) else 2 * step
        first, last = (at, last) if step < 0 else (first, at)
    return range(first, last + 1)


def _block_columns(
    text: str,
    lines: Sequence[tuple[int, int]],
    rows: dict[int, tuple[Number, ...]],
    used: Sequence[int],
    marked: Sequence[Number],
    missing: str,
) -> list[Proposal]:
    """A proposal for each column of the rows ``used``. ``missing``: for the user, which other rows are not read."""
    first, last, width = used[0], used[-1], len(rows[used[0]])
    above = _line(text, lines, first - 1)
    marker = marker_of(above, whole=True) if above else ""
    unique = bool(marker) and sum(marker in text[a:b] for a, b in lines) == 1
    start = marker if unique else None
    skip = 0 if unique else _numeric_rows_before(text, lines, first, width)
    if skip is None:
        return []
    gaps = len(used) < last - first + 1
    end = _end_behind_gaps(text, lines, first, last) if gaps else marker_of(_line(text, lines, last + 1), whole=True)
    where = f"the table below “{start}”" if start else "the table of numbers"
    between = "the other lines between them are passed over" if gaps else ""
    words = "; ".join(part for part in (f"{len(used)} numbers", between, missing) if part)
    found = []
    for k in _column_order(marked, rows, used, width)[:12]:
        cells = [rows[i][k] for i in used]
        found.append(
            Proposal(
                TableBlock(columns=(k + 1,), start=start, end=end or None, to_end=gaps and not end, skip=skip),
                f"{'' if missing else 'the whole '}column {k + 1} of {where} ({words})",
                tuple(n.value for n in cells),
                tuple((n.start, n.end) for n in cells),
                missing=missing,
            )
        )
    return found


def _end_behind_gaps(text: str, lines: Sequence[tuple[int, int]], first: int, last: int) -> str:
    """A text on the first line behind the rows that does not stand between them; empty: there is none."""
    after = next((line for i in range(last + 1, len(lines)) if (line := _line(text, lines, i))), "")
    marker = marker_of(after, whole=False)
    return "" if marker in text[lines[first][0] : lines[last][1]] else marker


def _line(text: str, lines: Sequence[tuple[int, int]], i: int) -> str:
    return text[lines[i][0] : lines[i][1]].strip() if 0 <= i < len(lines) else ""


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
    """A text by which a line is known again: all of a heading, or the words before its first number or date."""
    dates = dates_in(content)
    first = next((n.start for n in numbers(content) if not any(a <= n.start < b for a, b in dates)), None)
    if first is not None and whole:
        return ""
    ends = (*(start for start, _ in dates[:1]), *((first,) if first is not None else ()))
    marker = content[: min(ends)].strip() if ends else content
    marker = marker[:MAX_MARKER].rstrip()
    return marker if any(c.isalpha() for c in marker) else ""


def delimiter_of(text: str, source: str) -> str | None:
    """What separates the cells if ``text`` is a delimited table; prose with commas is none."""
    name = source.lower()
    whole = [line for line in text[:LOOKED_AT].split("\n")[: None if len(text) <= LOOKED_AT else -1] if _counts(line)]
    sample = whole[:20]
    candidates = ["\t"] if name.endswith((".tsv", ".tab")) else [",", ";", "\t"]
    for delimiter in candidates:
        counts = [line.count(delimiter) for line in sample]
        if not sample or counts[0] == 0 or len(set(counts)) != 1:
            continue
        cells = [cell.strip() for line in sample[1:] for cell in line.split(delimiter)]
        if name.endswith((".csv", ".tsv")) or (cells and all(parse_number(cell) is not None for cell in cells if cell)):
            return delimiter
    return " " if _is_white_space_table(whole) else None  # what follows a matrix that was printed is no row of it


def _counts(line: str) -> bool:
    """Neither blank nor a comment, just as the reader of tables sees it."""
    return bool(line.strip()) and not is_comment(line)


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
        return _words(text, line)
    found, start = [], line[0]
    for cell in text[line[0] : line[1]].rstrip("\r").split(delimiter):
        found.append((start, start + len(cell)))
        start += len(cell) + len(delimiter)
    return found


def _words(text: str, line: tuple[int, int]) -> list[tuple[int, int]]:
    content = text[line[0] : line[1]]
    return [(line[0] + m.start(), line[0] + m.end()) for m in word_pattern(content).finditer(content)]


def _numeric_row(text: str, line: tuple[int, int]) -> tuple[Number, ...]:
    """The numbers of a row that holds nothing else (white-space separated); empty otherwise."""
    row = []
    for a, b in _words(text, line):
        value = parse_number(text[a:b])
        if value is None:
            return ()
        row.append(Number(a, b, value))
    return tuple(row)


def _numeric_rows_before(text: str, lines: Sequence[tuple[int, int]], first: int, width: int) -> int | None:
    """None if numeric rows stand before the block, so that it cannot be found without a heading."""
    return None if any(_numeric_row(text, lines[i]) for i in range(min(first, 5000))) else 0


def _column_order(
    marked: Sequence[Number], rows: dict[int, tuple[Number, ...]], used: Sequence[int], width: int
) -> list[int]:
    """A single number's own column; else columns fully inside the mark first, then those that are not evenly spaced (an
    axis rarely is the output)."""
    starts = {n.start for n in marked}
    if len(marked) == 1:
        return [next((k for i in used for k, n in enumerate(rows[i]) if n.start in starts), 0)]

    def rank(k: int) -> tuple[int, int, int]:
        column = [rows[i][k] for i in used]
        inside = sum(n.start in starts for n in column)
        steps = {round(b.value - a.value, 9) for a, b in pairwise(column)}
        return (-inside, 1 if len(steps) == 1 else 0, k)

    return sorted(range(width), key=rank)
