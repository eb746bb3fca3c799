"""Tables of numbers from large texts (CSV, TSV, semicolon, white space) and .npy. Unlike measured data they may hold infinities.

The delimiter, decimal comma and header come from ``problem/data/table_text.py``; the only error is ArchiveError, in words.
"""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..problem.data.tables.table_text import MISSING, delimiter_words, split_table
from ..problem.errors import ProblemError
from ..problem.numbers.number_characters import bare, shorten, word_pattern
from ..problem.numbers.number_text import looks_like_number, refusal, value_of
from ..problem.text_files import decode

Array = NDArray[np.float64]

MAX_FILE_BYTES = 2 * 1024**3
MAX_ROWS = 1_000_000
MAX_COLUMNS = 1_000
_SAMPLE_LINES = 300
_SHOWN = 5  # tables of one file that a message names
_AT_ONCE = 20_000  # lines; a window in the same process gets its turn in between
_COMMENTS = ("#", "%", "!", "//")


class ArchiveError(ProblemError):
    """The archive cannot be used; the words say why and what to try."""


class SeveralTables(ArchiveError):
    """A file holds several: ``tables`` are key and description in words of each; the key is what ``read_table`` takes."""

    def __init__(self, file: str, tables: tuple[tuple[str, str], ...]) -> None:
        listed = "; ".join(f"{key} ({words})" for key, words in tables[:_SHOWN])
        super().__init__(f"{file} holds {len(tables)} tables: {listed}.", "", "Choose one of them.")
        self.tables = tables


@dataclass(frozen=True)
class Table:
    """Columns of numbers: ``values`` (n, c), NaN where a cell is missing or no number. ``notes``: sentences for people;
    ``parts``: the files it was made from with their rows, if there are several."""

    columns: tuple[str, ...]
    values: Array
    source: str
    notes: tuple[str, ...] = ()
    delimiter_words: str = ""
    parts: tuple[tuple[str, int], ...] = ()

    def column(self, name: str) -> Array:
        """(n,); raises ArchiveError if there is no such column."""
        if name not in self.columns:
            raise ArchiveError(
                f"There is no column “{name}” in {self.source}.", "", f"It has: {', '.join(self.columns[:30])}."
            )
        found: Array = self.values[:, self.columns.index(name)]
        return found


def parse(
    data: bytes, name: str, *, delimiter: str | None = None, header: bool | None = None, decimal_comma: bool | None = None
) -> Table:
    """Of the bytes of a text; None: find out. Raises ArchiveError."""
    try:
        return _parse(data, name, delimiter, header, decimal_comma)
    except ArchiveError:
        raise
    except ProblemError as error:
        raise ArchiveError(error.what, error.where or name, error.suggestion) from error


def _parse(data: bytes, name: str, delimiter: str | None, header: bool | None, decimal_comma: bool | None) -> Table:
    text = decode(data, name).text
    lines = text.splitlines()
    first = "\n".join(lines[:_SAMPLE_LINES])
    sample = split_table(first, delimiter=delimiter, header=header, decimal_comma=decimal_comma)
    body = [line for line in lines if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    if sample.header is not None and not _header_in_comment(lines, sample.comments, sample.header, sample.delimiter):
        body = body[1:]
    notes: list[str] = []
    if len(body) > MAX_ROWS:
        step = math.ceil(len(body) / MAX_ROWS)
        notes.append(thinned_words(f"The file has {len(body):,} rows", step))
        body = body[::step]
    width = len(sample.header) if sample.header is not None else len(sample.rows[0])
    if width > MAX_COLUMNS:
        raise ArchiveError(
            f"{name} has {width} columns; at most {MAX_COLUMNS} are possible.", "", "Check the delimiter."
        )
    values, odd, unread = _numbers(body, sample.delimiter, sample.decimal_comma, width)
    if odd > len(body) / 2:
        raise ArchiveError(
            f"{odd:,} of {len(body):,} lines of {name} do not have {width} cells as the first one does.", "",
            "Choose another delimiter, or check the file.",
        )  # fmt: skip
    if odd:
        notes.append(f"{odd:,} lines with another number of cells than {width} were left out.")
    notes += unread
    words = delimiter_words(sample.delimiter)
    columns = names_of(sample.header, width)
    text_columns = [c for i, c in enumerate(columns) if len(values) and not np.any(~np.isnan(values[:, i]))]
    if len(text_columns) == width:
        raise ArchiveError(f"No column of {name} holds numbers.", "", "Check the delimiter and the decimal sign.")
    if text_columns:
        notes.append(f"Columns without numbers: {', '.join(text_columns[:10])}.")
    return Table(columns, values, name, tuple(notes), words)


def _header_in_comment(lines: list[str], comments: int, header: tuple[str, ...], delimiter: str) -> bool:
    """Whether the names stood in a comment line, so that no row of the body is the header."""
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith(_COMMENTS)), "")
    cells = first.split(delimiter) if delimiter.strip() else first.split()
    return comments > 0 and tuple(c.strip().strip('"') for c in cells) != tuple(h.strip().strip('"') for h in header)


def names_of(header: tuple[str, ...] | None, width: int) -> tuple[str, ...]:
    """Of all ``width`` columns, each another; those without one are numbered."""
    names: list[str] = []
    for i, given in enumerate(header or ("",) * width, start=1):
        base = given.strip().strip('"') or f"column {i}"
        unique, count = base, 1
        while unique in names:
            count += 1
            unique = f"{base}_{count}"
        names.append(unique)
    return tuple(names)


def _numbers(body: list[str], delimiter: str, decimal_comma: bool, width: int) -> tuple[Array, int, list[str]]:
    """(n, width), how many lines were left out for their number of cells, and notes. Fast when the file is clean."""
    if not body:
        raise ArchiveError(
            "There is no table: the file holds no rows.", "", "Choose a file with one evaluation per row."
        )
    if not decimal_comma:
        try:
            found = np.concatenate([_clean(body[k : k + _AT_ONCE], delimiter) for k in range(0, len(body), _AT_ONCE)])
            if found.shape[1] == width:
                return found, 0, []
        except ValueError:
            pass  # missing cells, quotes, Fortran numbers: one by one
    rows: list[list[float]] = []
    odd, unread = 0, _Unread()
    for line in body:
        cells = _cells(line, delimiter)
        if len(cells) == width + 1 and not cells[-1].strip():
            cells.pop()
        if len(cells) != width:
            odd += 1
            continue
        rows.append([_cell(cell, decimal_comma, unread) for cell in cells])
    if decimal_comma and any("." in line for line in body):
        _one_decimal_sign(body, delimiter, width)
    return np.array(rows, dtype=float).reshape(-1, width), odd, unread.notes()


def _one_decimal_sign(body: list[str], delimiter: str, width: int) -> None:
    """Raises ArchiveError if some numbers of a column have a decimal comma and others a decimal point."""
    commas, points = set[int](), set[int]()
    for line in body:
        for i, cell in enumerate(_cells(line, delimiter)[:width]):
            if value_of(bare(cell), True) is not None:
                commas |= {i} if "," in cell else set()
                points |= {i} if "." in cell else set()
    if commas & points:
        raise ArchiveError(
            f"Column {min(commas & points) + 1} has numbers with a decimal comma and numbers with a decimal point.", "",
            "Write all numbers of a column with the same decimal sign.",
        )  # fmt: skip


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == " ":
        return line.split() if line.isascii() else word_pattern(line).findall(line)
    return line.split(delimiter) if delimiter else [line]


def _clean(lines: list[str], delimiter: str) -> Array:
    """Lines with nothing but numbers. Raises ValueError for any other."""
    text = "\n".join(lines)
    if not text.isascii():
        raise ValueError("signs and spaces that need a closer look")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Array = np.loadtxt(
            io.StringIO(text), delimiter=None if delimiter in ("", " ") else delimiter, ndmin=2, comments=None
        )
    if np.isinf(found).any() and np.isinf(found).sum() != text.lower().count("inf"):
        raise ValueError("a number is too large")
    return found


class _Unread:
    """Cells that stand for numbers and cannot be read: the first of them, and how many."""

    def __init__(self) -> None:
        self.count, self.first = 0, ""

    def add(self, cell: str, decimal_comma: bool) -> None:
        self.first = self.first or f"“{shorten(cell)}” {refusal(cell, decimal_comma)}"
        self.count += 1

    def notes(self) -> list[str]:
        return [f"{self.count:,} cells were taken for missing: {self.first}."] if self.count else []


def _cell(cell: str, decimal_comma: bool, unread: _Unread) -> float:
    value = value_of(cell, decimal_comma)
    if value is None:
        text = bare(bare(cell).strip('"'))
        if text.lower() in MISSING:
            return math.nan
        value = value_of(text, decimal_comma)
        if value is None:
            if looks_like_number(text, decimal_comma):
                unread.add(text, decimal_comma)
            return math.nan
    return value


def read_npy(path: Path) -> Table:
    """Raises ArchiveError."""
    try:
        with path.open("rb") as file:
            array = np.load(file, allow_pickle=False)
    except (ValueError, EOFError, MemoryError) as error:
        raise ArchiveError(
            f"{path.name} is no array of plain numbers ({error}).",
            str(path),
            "Save it with numpy.save as a 2-D array of numbers.",
        ) from error
    except OSError as error:
        raise ArchiveError(f"{path.name} cannot be read ({error.strerror or error}).", str(path)) from error
    if not isinstance(array, np.ndarray):
        raise ArchiveError(f"{path.name} holds several arrays.", str(path), "Save one 2-D array with numpy.save.")
    names: tuple[str, ...] | None = None
    if array.dtype.names:
        names = tuple(array.dtype.names)
        try:
            array = np.column_stack([np.asarray(array[n], dtype=float) for n in names])
        except (TypeError, ValueError) as error:
            raise ArchiveError(f"{path.name} has fields that are not numbers.", str(path)) from error
    if array.ndim != 2 or array.dtype.kind not in "iuf" or array.size == 0:
        raise ArchiveError(
            f"{path.name} holds an array of shape {array.shape} and type {array.dtype}.", str(path),
            "One row per evaluation and one column per number are needed.",
        )  # fmt: skip
    notes: tuple[str, ...] = () if names else ("An array has no column names; columns are numbered.",)
    if len(array) > MAX_ROWS:
        step = math.ceil(len(array) / MAX_ROWS)
        notes = (
            *notes,
            thinned_words(f"The array has {len(array):,} rows", step),
        )
        array = array[::step]
    return Table(names_of(names, array.shape[1]), np.asarray(array, dtype=float), path.name, notes, "array")


def thinned_words(what: str, step: int) -> str:
    """A note that every ``step``-th row was read."""
    return f"{what}; every {_ordinal(step)} of them was read, since more than {MAX_ROWS:,} are not used."


def _ordinal(n: int) -> str:
    return {1: "", 2: "second", 3: "third"}.get(n, f"{n}th")
