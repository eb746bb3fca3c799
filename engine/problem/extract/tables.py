"""Extractors of columns, rows and cells: delimited tables (CSV and the like) and blocks of numeric rows in a report."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from ..definition import CsvColumn, TableBlock
from .numbers import ExtractionError, parse_word
from .reading import Line, Reading, is_comment, lines_of, number_of, quoted, words_of

_CANDIDATES = ("\t", ";", ",", "|")
_SHOWN = 12


@dataclass(frozen=True)
class Row:
    """Cells with their positions in the whole text."""

    line: int
    cells: tuple[tuple[int, str], ...]


# ------------------------------------------------------------------ delimited tables


def csv_column(extractor: CsvColumn, text: str, decimal_comma: bool) -> Reading:
    """A column, a row or a cell of a delimited table; lines that begin with # or % are comments."""
    lines = [line for line in lines_of(text) if line.text.strip()]
    comments = [line for line in lines if is_comment(line.text)]
    body = [line for line in lines if not is_comment(line.text)]
    if not body:
        raise ExtractionError("it has no table in it, only comments." if comments else "it is empty.")
    delimiter = extractor.delimiter or _delimiter(body, decimal_comma)
    rows = [Row(line.number, tuple(_cells(line, delimiter))) for line in body]
    header = extractor.header
    if header is None:
        header = len(rows) > 1 and not any(_is_number(cell, decimal_comma) for _, cell in rows[0].cells)
        header = header or (isinstance(extractor.column, str) and extractor.column in _names(rows[0]))
    names = _names(rows[0]) if header else []
    if not header and comments:
        names = _names(Row(0, tuple(_cells(_uncommented(comments[-1]), delimiter))))
    rows = rows[1:] if header else rows
    if not rows:
        raise ExtractionError("the table has a header line but no rows: the program stopped before it wrote any.")
    if extractor.axis == "row":
        return _read([(row.line, cell) for row in [_row(rows, extractor.row or 0)] for cell in row.cells], decimal_comma)
    index = _column(extractor.column, names, max(len(row.cells) for row in rows))
    chosen = rows if extractor.row is None else [_row(rows, extractor.row)]
    found = []
    for row in chosen:
        if not -len(row.cells) <= index < len(row.cells):
            cut = " The file seems to be cut off there." if row is rows[-1] and len(rows) > 1 else ""
            raise ExtractionError(f"line {row.line} has only {len(row.cells)} columns.{cut}")
        found.append((row.line, row.cells[index]))
    return _read(found, decimal_comma)


def _read(cells: list[tuple[int, tuple[int, str]]], decimal_comma: bool) -> Reading:
    values, spans = [], []
    for line, (start, cell) in cells:
        value, span = number_of(cell, start, line, decimal_comma)
        values.append(value)
        spans.append(span)
    return Reading(tuple(values), tuple(spans))


def _row(rows: list[Row], index: int) -> Row:
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


def _is_number(cell: str, decimal_comma: bool) -> bool:
    try:
        parse_word(cell, decimal_comma)
    except ExtractionError as error:
        return "in two ways" in str(error) or "fit the number" in str(error)
    return True


def _delimiter(lines: list[Line], decimal_comma: bool) -> str:
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


def table_block(extractor: TableBlock, text: str, decimal_comma: bool) -> Reading:
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
    rows = _rows(extractor, lines, first, decimal_comma)
    if extractor.key_values is not None:
        rows = _by_key(extractor, rows, decimal_comma)
    elif extractor.rows is not None:
        rows = [_numbered(rows, number) for number in extractor.rows]
    cells = [(row.line, _cell(row, column)) for row in rows for column in extractor.columns]
    return _read(cells, decimal_comma)


def _start(extractor: TableBlock, lines: list[Line]) -> int:
    if extractor.start is None:
        return extractor.skip
    for index, line in enumerate(lines):
        if extractor.start in line.text:
            return index + 1 + extractor.skip
    raise ExtractionError(f"the start {quoted(extractor.start)} of the table does not occur.")


def _rows(extractor: TableBlock, lines: list[Line], first: int, decimal_comma: bool) -> list[Row]:
    needed = max(max(extractor.columns), extractor.key_column or 1)
    rows: list[Row] = []
    ended = extractor.end is None
    for line in lines[first:]:
        if extractor.end is not None and extractor.end in line.text:
            ended = True
            break
        row = Row(line.number, tuple(_block_cells(line, extractor.delimiter)))
        numeric = bool(row.cells) and _holds_numbers(row, extractor, decimal_comma)
        if numeric:
            rows.append(row)
        elif rows and extractor.end is None and not extractor.to_end:
            break
    if not rows:
        where = f"after the start {quoted(extractor.start)} " if extractor.start else ""
        raise ExtractionError(f"{where}there is no row of numbers with {needed} columns.")
    if not ended:
        raise ExtractionError(
            f"the end {quoted(extractor.end or '')} of the table does not occur after line {rows[0].line}: "
            "the output seems to be cut off."
        )
    return rows


def _block_cells(line: Line, delimiter: str | None) -> list[tuple[int, str]]:
    return words_of(line) if delimiter is None else _cells(line, delimiter)


def _holds_numbers(row: Row, extractor: TableBlock, decimal_comma: bool) -> bool:
    """A row: its first chosen cell is, or stands for, a number, and most of what is asked for is there."""
    wanted = [*extractor.columns, *([extractor.key_column] if extractor.key_column else [])]
    present = [row.cells[c - 1][1] for c in wanted if 1 <= c <= len(row.cells)]
    if not present:
        return _all_numbers(row, decimal_comma)  # a short row is an error later, not the end of the table
    return any(_is_number(cell, decimal_comma) for cell in present)


def _all_numbers(row: Row, decimal_comma: bool) -> bool:
    return all(_is_number(cell, decimal_comma) for _, cell in row.cells)


def _cell(row: Row, column: int) -> tuple[int, str]:
    if not 1 <= column <= len(row.cells):
        raise ExtractionError(
            f"line {row.line} has {len(row.cells)} columns, but column {column} is asked for. "
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
        keys.append(number_of(cell, start, row.line, decimal_comma)[0])
    chosen = []
    for wanted in extractor.key_values or ():
        near = [i for i, key in enumerate(keys) if abs(key - wanted) <= extractor.key_tolerance * max(1.0, abs(wanted))]
        if not near:
            raise ExtractionError(f"no row of the table has {wanted:g} in column {column}.")
        if len(near) > 1:
            raise ExtractionError(f"{len(near)} rows of the table have {wanted:g} in column {column}.")
        chosen.append(rows[near[0]])
    return chosen
