"""From the text of a table to its cells: comments, delimiter, decimal comma and header are found out, or told.

Nothing here reads a file. Cells stay text; ``cell_value`` makes numbers of them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass

from .errors import ProblemError

MAX_ROWS = 100_000
MAX_COLUMNS = 1_000
MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "missing", "-", "--", "---", "?", "."})

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d{1,5})?", re.ASCII)
_FORTRAN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))([-+]\d{3})", re.ASCII)  # 1.0+103: no room was left for the E
_COMMENT = ("#", "%", "!", "//")
_DELIMITERS = ("\t", ";", ",", " ")
_SAMPLE = 300  # lines looked at to find out the delimiter
_POOR = 0.2  # a delimiter that makes fewer numbers than this is none: the table has one column


@dataclass(frozen=True)
class Cells:
    """The rows of a table as text. ``lines``: the 1-based line of each row in the file."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    delimiter: str  # '\t', ';', ',', ' ' (any white space) or '' (one column)
    decimal_comma: bool
    header: tuple[str, ...] | None  # None: the table has no header
    comments: int


def cell_value(cell: str, decimal_comma: bool = False) -> float | None:
    """The number in a cell, None for a missing value. Raises ValueError for anything else, infinities included."""
    text = cell.strip().strip('"').strip().replace("\u2212", "-")
    if text.lower() in MISSING:
        return None
    if decimal_comma:
        text = text.replace(",", ".", 1) if text.count(",") == 1 and "." not in text else text
    if _NUMBER.fullmatch(text):
        value = float(text.replace("D", "e").replace("d", "e"))
    else:
        fortran = _FORTRAN.fullmatch(text)
        if fortran is None:
            raise ValueError(cell)
        value = float(f"{fortran[1]}e{fortran[2]}")
    if value in (float("inf"), float("-inf")):
        raise ValueError(cell)
    return value


def is_number_or_missing(cell: str, decimal_comma: bool = False) -> bool:
    try:
        cell_value(cell, decimal_comma)
    except ValueError:
        return False
    return True


def split_table(
    text: str, *, delimiter: str | None = None, decimal_comma: bool | None = None, header: bool | None = None
) -> Cells:
    """Cut ``text`` into cells. None means: find out. Raises ProblemError if it is no table."""
    body: list[str] = []
    lines: list[int] = []
    last_comment, comments = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.strip(" \t\f\x1a\ufeff")
        if not bare:
            continue
        if bare.startswith(_COMMENT):
            comments += 1
            if not body:
                last_comment = bare.lstrip("#%!/ \t")
            continue
        if len(body) > MAX_ROWS:
            raise ProblemError(
                f"The table has more than {MAX_ROWS:,} rows.", "", "Thin it out, or average neighbouring rows, and try again."
            )
        body.append(line.strip("\f\x1a\ufeff\r"))
        lines.append(number)
    if not body:
        raise ProblemError("There is no table: the file holds no rows.", "", "Choose a file with columns of numbers.")
    delimiter, comma = _detect(body[:_SAMPLE], delimiter, decimal_comma)
    rows = _split(body, delimiter, lines)
    rows = _without_empty_last_column(rows)
    if max(len(row) for row in rows) > MAX_COLUMNS:
        raise ProblemError(f"The table has more than {MAX_COLUMNS:,} columns.", "", "Choose a table of measured values.")
    names: tuple[str, ...] | None = None
    if header or (header is None and _looks_like_header(rows, comma)):
        names, rows, lines = rows[0], rows[1:], lines[1:]
    elif header is None and last_comment:
        words = _split_line(last_comment, delimiter)
        if len(words) == len(rows[0]) and not any(is_number_or_missing(w, comma) for w in words):
            names = words
    if not rows:
        raise ProblemError("There is no table: the file holds a header but no rows.")
    return Cells(tuple(rows), tuple(lines), delimiter, comma, names, comments)


def _split_line(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "":
        return (line.strip(),)
    if delimiter == " ":
        return tuple(line.split())
    if '"' not in line:
        return tuple(cell.strip() for cell in line.split(delimiter))
    return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), ()))


def _split(body: Sequence[str], delimiter: str, lines: Sequence[int]) -> list[tuple[str, ...]]:
    found = []
    for line, number in zip(body, lines, strict=True):
        try:
            found.append(_split_line(line, delimiter))
        except csv.Error as error:
            raise ProblemError(f"Line {number} of the table cannot be cut into cells: {error}.") from error
    return found


def _detect(sample: Sequence[str], delimiter: str | None, decimal_comma: bool | None) -> tuple[str, bool]:
    """The pair (delimiter, decimal comma) that makes most cells numbers in rows of equal length."""
    commas = (False, True) if decimal_comma is None else (decimal_comma,)
    signs = _DELIMITERS if delimiter is None else (delimiter,)
    candidates = [(c, comma) for c in signs for comma in commas if c != "," or not comma]
    scores = [_score(sample, c, comma) for c, comma in candidates]
    best = max(range(len(scores)), key=scores.__getitem__, default=-1)  # the first of equals
    if best < 0:  # commas that separate and decimal commas, as told
        return ",", True
    if delimiter is None and scores[best] < _POOR:
        return "", max(commas, key=lambda comma: _score(sample, "", comma))
    return candidates[best]


def _score(sample: Sequence[str], delimiter: str, comma: bool) -> float:
    """Share of rows of the commonest length times the share of their cells that are numbers; -1 if it cuts nothing."""
    try:
        rows = [_split_line(line, delimiter) for line in sample]
    except csv.Error:
        return -1.0
    sizes = [len(row) for row in rows]
    common = max(set(sizes), key=sizes.count)
    if delimiter and common < 2:
        return -1.0
    even = [row for row in rows if len(row) == common]
    cells = [cell for row in even for cell in row]
    readable = sum(is_number_or_missing(cell, comma) for cell in cells)
    return round(len(even) / len(rows) * readable / max(len(cells), 1), 3)


def _without_empty_last_column(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """A delimiter at the end of every line makes no column."""
    while len(rows[0]) > 1 and all(len(row) == len(rows[0]) and row[-1] == "" for row in rows):
        rows = [row[:-1] for row in rows]
    return rows


def _looks_like_header(rows: Sequence[tuple[str, ...]], comma: bool) -> bool:
    """True if a word in the first row stands above numbers (a column of labels has words all the way down)."""
    below = rows[1:_SAMPLE]
    for i, cell in enumerate(rows[0]):
        if is_number_or_missing(cell, comma):
            continue
        column = [row[i] for row in below if i < len(row)]
        if not column or 2 * sum(is_number_or_missing(c, comma) for c in column) > len(column):
            return True
    return False
