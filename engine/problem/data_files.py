"""Measured data out of files: CSV, TSV, semicolon and white-space tables; covariance matrices.

Whatever is in the file, the only error is ``DataFileError``, with the line and column where it went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import definition as d
from .errors import ProblemError
from .number_text import looks_like_number, refusal
from .table_text import MISSING, Cells, cell_value, is_number_or_missing, split_table
from .text_files import decode, read_bytes

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_MATRIX_ROWS = 2_000

_DELIMITER_WORDS = {"\t": "tab", ";": "semicolon", ",": "comma", " ": "white space", "": "none (one column)"}


class DataFileError(ProblemError):
    """The file holds no usable table; the words say where and why."""


@dataclass(frozen=True)
class TablePreview:
    """What the window shows before the table is taken over."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]  # the first rows, cells as text
    row_count: int
    delimiter: str  # as for ``read``
    delimiter_words: str
    decimal_comma: bool
    header: bool
    encoding: str
    numeric: tuple[bool, ...]  # per column: every cell is a number or missing
    notes: tuple[str, ...]


@dataclass(frozen=True)
class DataFile:
    """A table taken over: ``table`` holds the numeric columns, ``notes`` what a person should know about the rest."""

    table: d.DataTable
    preview: TablePreview


def read(
    path: Path, *, delimiter: str | None = None, decimal_comma: bool | None = None, header: bool | None = None
) -> DataFile:
    """Read a table. ``delimiter``: a character, ' ' for any white space, '' for one column; None: find out.

    Raises DataFileError.
    """
    try:
        data = read_bytes(path, MAX_FILE_BYTES)
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    return parse(data, path.name, delimiter=delimiter, decimal_comma=decimal_comma, header=header)


def parse(
    data: bytes,
    name: str = "the table",
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    header: bool | None = None,
) -> DataFile:
    """``read`` for bytes at hand (a paste from the clipboard, a test). Raises DataFileError."""
    cells, encoding = _cells(data, name, delimiter, decimal_comma, header)
    names, notes = _column_names(cells)
    notes = _encoding_note(encoding) + notes
    columns: dict[str, tuple[float | None, ...]] = {}
    numeric = []
    for i, column in enumerate(names):
        values = _numeric_column(cells, i, column, name)
        numeric.append(not isinstance(values, str))
        if isinstance(values, str):
            notes.append(values)
        elif all(v is None for v in values):
            notes.append(f"Column '{column}' has no values and is left out.")
        else:
            columns[column] = values
    if not columns:
        raise DataFileError(f"No column of {name} holds numbers.", "", "Check the delimiter and the decimal sign.")
    shown = _preview(cells, names, encoding, tuple(numeric), tuple(notes), 20)
    return DataFile(d.DataTable(columns=columns, origin=name), shown)


def preview(
    path: Path,
    rows: int = 20,
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    header: bool | None = None,
) -> TablePreview:
    """The first rows and what was found out about the file; text that is not a number is no error here.

    Raises DataFileError if the file is no table at all.
    """
    try:
        data = read_bytes(path, MAX_FILE_BYTES)
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    cells, encoding = _cells(data, path.name, delimiter, decimal_comma, header)
    names, notes = _column_names(cells)
    numeric = tuple(all(is_number_or_missing(row[i], cells.decimal_comma) for row in cells.rows) for i in range(len(names)))
    return _preview(cells, names, encoding, numeric, tuple(_encoding_note(encoding) + notes), rows)


def read_matrix(path: Path) -> tuple[tuple[float, ...], ...]:
    """A square matrix of numbers (a covariance), rows as lines; a header row is skipped. Raises DataFileError."""
    try:
        cells, _ = _cells(read_bytes(path, MAX_FILE_BYTES), path.name, None, None, None)
    except DataFileError:
        raise
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    size = len(cells.rows)
    if size != len(cells.rows[0]):
        raise DataFileError(
            f"{path.name} holds {size} rows of {len(cells.rows[0])} numbers; a covariance matrix is square.",
            "", "Store one line per data point, with as many numbers in each.",
        )  # fmt: skip
    if size > MAX_MATRIX_ROWS:
        raise DataFileError(f"The matrix in {path.name} has {size} rows; at most {MAX_MATRIX_ROWS} are possible.")
    if cells.decimal_comma:
        every = [(line, cell) for line, row in zip(cells.lines, cells.rows, strict=True) for cell in row]
        _one_decimal_sign([cell for _, cell in every], [line for line, _ in every], path.name)
    matrix = []
    for line, row in zip(cells.lines, cells.rows, strict=True):
        values = []
        for i, cell in enumerate(row, start=1):
            value = _number(cell, cells.decimal_comma)
            if value is None:
                what = f"Line {line}, number {i} of {path.name} is '{_short(cell)}', not a number."
                raise DataFileError(what, "", _advice(cell, cells))
            values.append(value)
        matrix.append(tuple(values))
    return tuple(matrix)


def _cells(
    data: bytes, name: str, delimiter: str | None, decimal_comma: bool | None, header: bool | None
) -> tuple[Cells, str]:
    try:
        if delimiter is not None and (len(delimiter) > 1 or delimiter in ('"', "\r", "\n")):
            raise ProblemError(f"'{delimiter}' cannot separate columns: one character is needed.")
        file = decode(data, name)
        cells = split_table(file.text, delimiter=delimiter, decimal_comma=decimal_comma, header=header)
        width = len(cells.header) if cells.header is not None else len(cells.rows[0])
        for row, line in zip(cells.rows, cells.lines, strict=True):
            if len(row) != width:
                first = "the header" if cells.header is not None else "the first row"
                cell_word = "cell" if len(row) == 1 else "cells"
                raise ProblemError(
                    f"Line {line} of {name} has {len(row)} {cell_word}, {first} has {width}.", "",
                    "Check that line, or choose another delimiter; a title above the table must begin with #.",
                )  # fmt: skip
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    return cells, file.encoding


def _encoding_note(encoding: str) -> list[str]:
    if encoding in ("utf-8", "utf-8-sig"):
        return []
    return [f"The text is not UTF-8; it was read as {encoding}. Check letters with accents."]


def _column_names(cells: Cells) -> tuple[tuple[str, ...], list[str]]:
    """One name per column, no two alike."""
    given = cells.header or ("",) * len(cells.rows[0])
    names: list[str] = []
    notes = []
    for i, name in enumerate(given, start=1):
        base = name.strip().strip('"') or f"column {i}"
        unique, count = base, 1
        while unique in names:
            count += 1
            unique = f"{base}_{count}"
        if unique != base:
            notes.append(f"Two columns are called '{base}'; column {i} is now '{unique}'.")
        names.append(unique)
    if cells.header is None:
        notes.append("The table has no header; columns are numbered.")
    return tuple(names), notes


def _numeric_column(cells: Cells, i: int, column: str, name: str) -> tuple[float | None, ...] | str:
    """The numbers of column i, or a note that it is one of text. One bad cell among numbers raises DataFileError."""
    values: list[float | None] = []
    bad: list[tuple[int, str]] = []
    for row, line in zip(cells.rows, cells.lines, strict=True):
        try:
            values.append(cell_value(row[i], cells.decimal_comma))
        except ValueError:
            bad.append((line, row[i]))
    if not bad:
        if cells.decimal_comma:
            _one_decimal_sign([row[i] for row in cells.rows], cells.lines, f"column '{column}' of {name}")
        return tuple(values)
    filled = sum(row[i].strip().lower() not in MISSING for row in cells.rows)
    line, cell = bad[0]
    why = f"'{_short(cell)}' {refusal(cell, cells.decimal_comma)}."
    if 2 * len(bad) >= filled:
        like = looks_like_number(cell, cells.decimal_comma)
        return f"Column '{column}' is left out: line {line}, {why}" if like else f"Column '{column}' holds text and is left out."
    more = f" There are {len(bad)} such cells in the column." if len(bad) > 1 else ""
    raise DataFileError(
        f"Line {line}, column '{column}' of {name}: {why}{more}", "",
        "Correct the file, or leave the cell empty if the value is missing.",
    )  # fmt: skip


def _one_decimal_sign(column: Sequence[str], lines: Sequence[int], where: str) -> None:
    """Raises DataFileError if some numbers of a column have a decimal comma and others a decimal point."""
    comma = next(((line, cell) for line, cell in zip(lines, column, strict=True) if "," in cell), None)
    point = next(((line, cell) for line, cell in zip(lines, column, strict=True) if "." in cell.strip(".")), None)
    if comma is not None and point is not None:
        raise DataFileError(
            f"In {where}, line {comma[0]} has a decimal comma ('{_short(comma[1])}') and line {point[0]} "
            f"a decimal point ('{_short(point[1])}').", "", "Write all numbers of a column with the same decimal sign.",
        )  # fmt: skip


def _advice(cell: str, cells: Cells) -> str:
    like = looks_like_number(cell, cells.decimal_comma)
    return f"It {refusal(cell, cells.decimal_comma)}." if like else ""


def _number(cell: str, decimal_comma: bool) -> float | None:
    try:
        return cell_value(cell, decimal_comma)
    except ValueError:
        return None


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _preview(
    cells: Cells, names: tuple[str, ...], encoding: str, numeric: tuple[bool, ...], notes: tuple[str, ...], rows: int
) -> TablePreview:
    return TablePreview(
        columns=names,
        rows=cells.rows[: max(rows, 0)],
        row_count=len(cells.rows),
        delimiter=cells.delimiter,
        delimiter_words=_DELIMITER_WORDS.get(cells.delimiter, f"'{cells.delimiter}'"),
        decimal_comma=cells.decimal_comma,
        header=cells.header is not None,
        encoding=encoding,
        numeric=numeric,
        notes=notes,
    )
