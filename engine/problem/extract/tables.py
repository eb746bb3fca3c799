"""Extractors of columns, rows and cells: delimited tables (CSV and the like) and blocks of numeric rows in a report."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..definition import CsvColumn, TableBlock
from ..numbers.number_refusals import comma_is_ambiguous
from ..numbers.number_surroundings import may_mislead
from ..numbers.number_text import complaint, value_of
from ..numbers.shown_digits import spoken
from .numbers import ExtractionError, stands_for_number
from .reading import (
    LONE_SIGNS,
    NO_VALUE,
    Line,
    Reading,
    is_comment,
    labels_of,
    lines_of,
    look_around,
    number_of,
    quoted,
    words_of,
)

_CANDIDATES = ("\t", ";", ",", "|")
_SHOWN = 12
TABLES_KNOWN = 4  # whose cells are kept
MOST_KNOWN = 1 << 18  # characters of a text of which they are: some megabytes of cells
_BRACKETS = re.compile(r"\([^()]*\)")


@dataclass(frozen=True)
class Row:
    """Cells with their positions in the whole text."""

    line: Line
    cells: tuple[tuple[int, str], ...]


# ------------------------------------------------------------------ delimited tables


class _Table(NamedTuple):
    """Lines with cells, headings among them, and lines that are comments."""

    rows: tuple[Row, ...]
    comments: tuple[Line, ...]
    delimiter: str


def _table(text: str, delimiter: str | None, decimal_comma: bool) -> _Table:
    lines = [line for line in lines_of(text) if line.text.strip()]
    comments = tuple(line for line in lines if is_comment(line.text))
    body = [line for line in lines if not is_comment(line.text)]
    if not body:
        raise ExtractionError("it has no table in it, only comments." if comments else "it is empty.")
    delimiter = delimiter or _delimiter(body, decimal_comma)
    return _Table(tuple(Row(line, tuple(_cells(line, delimiter))) for line in body), comments, delimiter)


_known_table = lru_cache(TABLES_KNOWN)(_table)  # each output of a run is a column of the same file


def csv_column(extractor: CsvColumn, text: str, decimal_comma: bool, labels: bool = False) -> Reading:
    """A column, a row or a cell of a delimited table; lines that begin with # or % are comments. ``labels``: cells as text."""
    parse = _known_table if len(text) <= MOST_KNOWN else _table
    found = parse(text, extractor.delimiter, decimal_comma)
    rows, comments, delimiter = found.rows, found.comments, found.delimiter
    header = extractor.header
    if header is None:
        header = len(rows) > 1 and not any(stands_for_number(cell, decimal_comma) for _, cell in rows[0].cells)
        header = header or (isinstance(extractor.column, str) and extractor.column in _names(rows[0]))
    names = _names(rows[0]) if header else []
    if not header and comments:
        names = _names(Row(comments[-1], tuple(_cells(_uncommented(comments[-1]), delimiter))))
    rows = rows[1:] if header else rows
    if not rows:
        raise ExtractionError("the table has a header line but no rows: the program stopped before it wrote any.")
    first_only = extractor.axis == "row" or extractor.column in (0, -1)  # a second column is one that commas separate
    if extractor.delimiter is None and delimiter == "," and len(names) < 2 and first_only:
        _separating_commas(rows)
    white_space = delimiter.isspace() and delimiter != "\t"
    if extractor.axis == "row":
        row = _row(rows, extractor.row or 0)
        if labels:
            return labels_of(row.cells)
        return _read(text, rows, ((row, cell) for cell in row.cells), decimal_comma, white_space)
    index = _column(extractor.column, names, max(len(row.cells) for row in rows))
    chosen = rows if extractor.row is None else [_row(rows, extractor.row)]
    for row in chosen:
        if not -len(row.cells) <= index < len(row.cells):
            cut = " The file seems to be cut off there." if row is rows[-1] and len(rows) > 1 else ""
            raise ExtractionError(f"line {row.line.number} has only {len(row.cells)} columns.{cut}")
    if labels:
        return labels_of([row.cells[index] for row in chosen])
    return _read(text, rows, ((row, row.cells[index]) for row in chosen), decimal_comma, white_space)


def _separating_commas(rows: Sequence[Row]) -> None:
    """Raises ExtractionError if every line may be one number with a decimal comma, or with commas between thousands."""
    if all(comma_is_ambiguous(row.line.text.strip()) for row in rows):
        raise ExtractionError(
            f"every line can be read in two ways because of its comma, such as {quoted(rows[0].line.text)}. "
            "Say what separates the cells, or that the numbers have a decimal comma."
        )


def _read(
    text: str, rows: Sequence[Row], cells: Iterable[tuple[Row, tuple[int, str]]], decimal_comma: bool, white_space: bool
) -> Reading:
    """The chosen cells of ``rows``, which are cut at white space or at a delimiter."""
    values, spans = [], []
    longest = _usual_width(rows) if white_space and any(f"{sign} " in text for sign in LONE_SIGNS) else None
    seen, doubtful = None, False
    for row, (start, cell) in cells:
        value = value_of(cell, decimal_comma)
        if value is None:
            value = _unusual(cell, start, row, decimal_comma, white_space)
        if white_space and row is not seen and len(row.cells) > 1:
            seen, doubtful = row, may_mislead(row.line.text)
            if longest is not None:
                _no_sign_apart(row, longest)
        if doubtful and row is seen:
            look_around(text, row.line, start, cell)
        values.append(value)
        spans.append((start, start + len(cell)))
    return Reading(tuple(values), tuple(spans))


def _unusual(cell: str, start: int, row: Row, decimal_comma: bool, white_space: bool) -> float:
    if not white_space and _BRACKETS.fullmatch(cell.strip("\"' ")) is not None:
        raise ExtractionError(f"in line {row.line.number} {complaint(cell, decimal_comma)}")
    return number_of(cell, start, row.line.number, decimal_comma)[0]


def _usual_width(rows: Sequence[Row]) -> int:
    widths = [len(row.cells) for row in rows]
    return max(set(widths), key=widths.count)


def _no_sign_apart(row: Row, longest: int) -> None:
    """Raises ExtractionError if a sign that stands apart from its digits makes the row longer than the others."""
    if len(row.cells) > longest and any(cell in LONE_SIGNS for _, cell in row.cells):
        raise ExtractionError(
            f"in line {row.line.number} a sign or a dash stands by itself, so that the line has {len(row.cells)} columns "
            f"and not {longest}: {quoted(row.line.text)}."
        )


def _row(rows: Sequence[Row], index: int) -> Row:
    if not -len(rows) <= index < len(rows):
        raise ExtractionError(f"row {index} (counted from 0) is asked for, but the table has {len(rows)} rows.")
    return rows[index]


def _column(column: str | int, names: list[str], width: int) -> int:
    if isinstance(column, int):
        if not -width <= column < width:
            raise ExtractionError(f"column {column} (counted from 0) is asked for, but the table has {width} columns.")
        return column
    wanted = column.strip()
    if not names:
        raise ExtractionError(f"column {quoted(column)} is asked for, but the table has no line of column names.")
    for candidates in (names, [name.casefold() for name in names]):
        key = wanted if candidates is names else wanted.casefold()
        if candidates.count(key) == 1:
            return candidates.index(key)
        if candidates.count(key) > 1:
            raise ExtractionError(f"several columns are called {quoted(column)}. Give the column's number instead.")
    close = difflib.get_close_matches(wanted, names, 1)
    shown = ", ".join(quoted(name) for name in names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    raise ExtractionError(
        f"there is no column {quoted(column)}; the columns are {shown}." + (f" Is {quoted(close[0])} meant?" if close else "")
    )


def _names(row: Row) -> list[str]:
    return [cell.strip().strip('"').strip() for _, cell in row.cells]


def _uncommented(line: Line) -> Line:
    bare = line.text.lstrip().lstrip("#%").strip()
    return Line(line.number, line.start + line.text.find(bare) if bare else line.start, bare)


def _delimiter(lines: Sequence[Line], decimal_comma: bool) -> str:
    """The candidate that cuts the first lines into equally many cells; a space (any white space) if none does."""
    sample = lines[:20]
    best, most = " ", 0
    for candidate in _CANDIDATES:
        if candidate == "," and decimal_comma:
            continue
        counts = [len(_cells(line, candidate)) for line in sample]
        usual = max(counts, key=counts.count)
        odd = sum(count != usual for count in counts[:-1])  # the last line may be cut off
        if usual > most and usual > 1 and odd == 0:
            best, most = candidate, usual
    if best == "," and all(len(re.findall(r"\S+", line.text)) > 1 and ", " not in line.text for line in sample):
        return " "  # "1,5 2,5": decimal commas between white space; the number reader names them
    return best


def _cells(line: Line, delimiter: str) -> list[tuple[int, str]]:
    if delimiter.isspace() and delimiter != "\t":
        return words_of(line)
    cells: list[tuple[int, str]] = []
    position, text = 0, line.text
    while True:
        start = position
        lead = len(text[position:]) - len(text[position:].lstrip(" "))
        if text[position + lead : position + lead + 1] == '"':
            close = position + lead + 1
            while True:
                close = text.find('"', close)
                if close < 0 or text[close + 1 : close + 2] != '"':
                    break
                close += 2
            position = len(text) if close < 0 else close + 1
        cut = text.find(delimiter, position)
        end = len(text) if cut < 0 else cut
        raw = text[start:end]
        cells.append((line.start + start + len(raw) - len(raw.lstrip()), raw.strip()))
        if cut < 0:
            return cells
        position = cut + len(delimiter)


# ------------------------------------------------------------------ blocks in a report


def table_block(extractor: TableBlock, text: str, decimal_comma: bool, labels: bool = False) -> Reading:
    """Chosen columns (from 1) of the numeric rows between the markers, row by row; rows from 1, or by key value.

    Headings, rules and blank lines before the first row are passed over, and with an end marker or ``to_end`` those between
    rows too. Otherwise the block ends at the first line after it that is not a row.
    """
    if not extractor.columns:
        raise ExtractionError("no column of the table is chosen.")
    if extractor.rows == () or extractor.key_values == ():
        raise ExtractionError("no row of the table is chosen.")
    lines = lines_of(text)
    first = _start(extractor, lines)
    rows = chosen = _rows(extractor, lines, first, decimal_comma, labels)
    if extractor.key_values is not None:
        chosen = _by_key(extractor, rows, decimal_comma)
    elif extractor.rows is not None:
        chosen = [_numbered(rows, number) for number in extractor.rows]
    cells = [(row, _cell(row, column)) for row in chosen for column in extractor.columns]
    if labels:
        return labels_of([cell for _, cell in cells])
    return _read(text, rows, cells, decimal_comma, extractor.delimiter is None)


def _start(extractor: TableBlock, lines: Sequence[Line]) -> int:
    if extractor.start is None:
        return extractor.skip
    for index, line in enumerate(lines):
        if extractor.start in line.text:
            return index + 1 + extractor.skip
    raise ExtractionError(f"the start {quoted(extractor.start)} of the table does not occur.")


def _rows(extractor: TableBlock, lines: Sequence[Line], first: int, decimal_comma: bool, labels: bool = False) -> list[Row]:
    needed = max(max(extractor.columns), extractor.key_column or 1)
    rows: list[Row] = []
    ended = extractor.end is None
    for line in lines[first:]:
        if extractor.end is not None and extractor.end in line.text:
            ended = True
            break
        row = Row(line, tuple(_block_cells(line, extractor.delimiter)))
        numeric = bool(row.cells) and (_beside_numbers if labels else _holds_numbers)(row, extractor, decimal_comma)
        if numeric:
            rows.append(row)
        elif rows and extractor.end is None and not extractor.to_end:
            break
    if not rows:
        where = f"after the start {quoted(extractor.start)} " if extractor.start else ""
        raise ExtractionError(f"{where}there is no row of numbers with {needed} columns.")
    if not ended:
        raise ExtractionError(
            f"the end {quoted(extractor.end or '')} of the table does not occur after line {rows[0].line.number}: "
            "the output seems to be cut off."
        )
    return rows


def _block_cells(line: Line, delimiter: str | None) -> list[tuple[int, str]]:
    return words_of(line) if delimiter is None else _cells(line, delimiter)


def _beside_numbers(row: Row, extractor: TableBlock, decimal_comma: bool) -> bool:
    """A row of labels: a number stands in another column than the chosen ones, or there is no other."""
    others = [cell for i, (_, cell) in enumerate(row.cells, start=1) if i not in extractor.columns]
    return not others or any(stands_for_number(cell, decimal_comma) for cell in others)


def _holds_numbers(row: Row, extractor: TableBlock, decimal_comma: bool) -> bool:
    """A row: its first chosen cell is, or stands for, a number, and most of what is asked for is there."""
    wanted = [*extractor.columns, *([extractor.key_column] if extractor.key_column else [])]
    present = [row.cells[c - 1][1] for c in wanted if 1 <= c <= len(row.cells)]
    if not present:  # a short row is an error later, not the end of the table
        return all(stands_for_number(cell, decimal_comma) for _, cell in row.cells)
    if any(stands_for_number(cell, decimal_comma) for cell in present):
        return True
    chosen = {c - 1 for c in wanted}
    others = [cell for i, (_, cell) in enumerate(row.cells) if i not in chosen]
    if not others or not all(stands_for_number(cell, decimal_comma) for cell in others):
        return False
    first = row.cells[0][1]  # a row with no number where one should be, but not: Total 12 14
    return 0 not in chosen or first in NO_VALUE or any(c.isdigit() for c in first)


def _cell(row: Row, column: int) -> tuple[int, str]:
    if not 1 <= column <= len(row.cells):
        raise ExtractionError(
            f"line {row.line.number} has {len(row.cells)} columns, but column {column} is asked for. "
            "If this is the last line, the output seems to be cut off."
        )
    return row.cells[column - 1]


def _numbered(rows: list[Row], number: int) -> Row:
    index = number - 1 if number > 0 else len(rows) + number
    if number == 0 or not 0 <= index < len(rows):
        raise ExtractionError(f"row {number} is asked for, but the table has {len(rows)} rows.")
    return rows[index]


def _by_key(extractor: TableBlock, rows: list[Row], decimal_comma: bool) -> list[Row]:
    column = extractor.key_column or 1
    keys = []
    for row in rows:
        start, cell = _cell(row, column)
        keys.append(number_of(cell, start, row.line.number, decimal_comma)[0])
    chosen = []
    for wanted in extractor.key_values or ():
        near = [i for i, key in enumerate(keys) if abs(key - wanted) <= extractor.key_tolerance * max(1.0, abs(wanted))]
        if len(near) != 1:
            have = "no row of the table has" if not near else f"{len(near)} rows of the table have"
            raise ExtractionError(f"{have} {spoken(wanted)} in column {column}.")
        chosen.append(rows[near[0]])
    return chosen
