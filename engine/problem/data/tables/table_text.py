"""From the text of a table to its cells: comments, delimiter, decimal comma and header are found out, or told.

Nothing here reads a file. Cells stay text; ``cell_value`` makes numbers of them, as ``number_text`` decides.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...errors import ProblemError
from ...numbers.number_characters import shorten, word_pattern
from ...numbers.number_refusals import comma_is_ambiguous
from ...numbers.number_text import is_two_ways, value_of
from .comment_names import headings_joined, names_in_comments, units_in, with_units
from .error_spellings import is_measured
from .format_lines import without_format_lines
from .table_cells import MISSING, cell_value, inside, is_number_or_missing
from .table_edges import (
    SAMPLE,
    is_second_heading,
    is_unit_cell,
    joined_names,
    looks_like_header,
    trimmed,
    with_fitting_heading,
)
from .table_runs import MOST_LINES, named_run
from .text_lines import text_lines
from .trailing_remarks import REMARK, with_trailing_remarks
from .units_in_place import with_units_in_place
from .wide_gaps import cut_at_wide_gaps

__all__ = ["MISSING", "Cells", "cell_value", "cells_of", "even", "is_number_or_missing", "looks_like_header",
           "split_table"]  # fmt: skip

MAX_COLUMNS = 1_000
_QUOTED_DECIMALS = re.compile(r'"[-+]?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+)"(?:,|$)')  # "4000,12","0,0121"
_THOUSANDS = re.compile(r"[-+\u2212]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3}){2,}(?:\.[0-9]+)?|(?:,[0-9]{3})+\.[0-9]+)")
_LIMIT_APART = re.compile(r"(?<!\S)([<>]=?)[ \t]+(?=[0-9.,]|LO[DQ]|MDL|DL\b)")  # < 0.05 is one cell between blanks too
_DELIMITERS = ("\t", ";", ",", "|", " ")
_POOR = 0.12  # a delimiter that makes fewer numbers than this is none: the table has one column


def delimiter_words(delimiter: str) -> str:
    """What separates the columns, for people."""
    words = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar |", " ": "white space", "": "none (one column)"}
    return words.get(delimiter, f"“{delimiter}”")


@dataclass(frozen=True)
class Cells:
    """The rows of a table as text. ``lines``: the 1-based line of each row in the file."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    delimiter: str  # '\t', ';', ',', ' ' (any white space) or '' (one column)
    decimal_comma: bool
    header: tuple[str, ...] | None  # None: the table has no header
    comments: int
    notes: tuple[str, ...] = ()  # what was passed over around the table
    heading_lines: tuple[int, ...] = ()  # of the lines that hold the names
    turned: bool = False  # rows and columns were exchanged: ``lines`` are columns of the file, from 1

    def place(self, row: int) -> str:
        """Where a row stands in the file: Line 5, or Column 5 of a table that was turned."""
        return f"{'Column' if self.turned else 'Line'} {self.lines[row]}"


def split_table(
    text: str,
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    header: bool | None = None,
    trim: bool = False,
    named: bool = False,
    heading: int | None = None,
    out: Collection[int] = (),
) -> Cells:
    """Cut ``text`` into cells. None means: find out. Raises ProblemError if it is no table.

    ``trim``: titles above the table, notes and totals below it are passed over, and a heading may have two lines.
    ``named``: units in a comment below the names go to them. ``heading``: the line of the names, a comment or not; what stands
    above it is no part of the table. ``out``: lines that are no rows of it.
    """
    told, given = decimal_comma, delimiter
    header = header if heading is None else True
    found = text_lines(text, heading)
    body, lines = found.body, found.lines
    delimiter, comma = _detect(body[:MOST_LINES], delimiter, decimal_comma)
    numbered = tuple(zip(body, lines, strict=True))
    rows = _split(body, delimiter, lines)
    apart = cut_at_wide_gaps(body, comma, [k for k, n in enumerate(lines) if n in out]) if delimiter in ("", " ") else None
    delimiter, rows = (delimiter, rows) if apart is None else (" ", apart)
    rows = with_units_in_place(headings_joined(rows), body, comma) if delimiter == " " and apart is None else rows
    rows, lines = _without_empty_last_columns(rows), list(lines)
    comma = comma and (told is not None or not _commas_in_thousands(rows))
    if trim:
        rows, lines, body = _without_blanks_above(rows, lines, body, comma)
    notes: list[str] = []
    if trim:
        rows = with_trailing_remarks(rows, comma, named=header is None and bool(found.above))
        rows, lines, notes = trimmed(rows, lines, body, comma, header)
    if heading is not None:
        rows = with_fitting_heading(rows, body)
    if max(len(row) for row in rows) > MAX_COLUMNS:
        raise ProblemError(f"The table has more than {MAX_COLUMNS:,} columns.", "", "Choose a table of measured values.")
    if trim and (header or (header is None and not any(is_number_or_missing(c, comma) for c in rows[0] if c))):
        rows, lines, codes = without_format_lines(rows, lines)
        notes += codes
    names = None if header is not None else _named_above(found.above, delimiter, rows[0], comma)
    of_names: list[int] = []
    if header or (header is None and looks_like_header(rows, comma)):
        two = trim and (header is None or heading is not None)
        names, gone = _heading(rows, comma, units_in(found.below, delimiter, len(rows[0])), two, named)
        of_names, rows, lines = lines[:gone], rows[gone:], lines[gone:]
    if not rows:
        raise ProblemError("There is no table: the file holds a header but no rows.")
    if told is None:
        _no_doubt_about_decimals(rows, lines, comma)
        if delimiter == "," and given is None and (names is None or len(names) < 2):
            _no_doubt_about_separators([line for line, n in numbered if n in set(lines)], lines[0])
    return Cells(tuple(rows), tuple(lines), delimiter, comma, names, found.comments, tuple(notes), tuple(of_names))


def _named_above(comments: Sequence[str], delimiter: str, row: tuple[str, ...], comma: bool) -> tuple[str, ...] | None:
    """Names in comments, also where they are of all columns but that of remarks behind single lines."""
    names = names_in_comments(comments, delimiter, len(row), comma)
    if names is None and not row[-1]:
        names = names_in_comments(comments, delimiter, len(row) - 1, comma)
        return names if names is None else (*names, REMARK)
    return names


def _heading(
    rows: Sequence[tuple[str, ...]], comma: bool, units: tuple[str, ...] | None, two: bool, named: bool
) -> tuple[tuple[str, ...], int]:
    """The names in the first row, and how many rows they take; ``units``: in a comment below; ``two``: there may be two,
    or three of which the last one holds units."""
    if two and len(rows) > 2 and is_second_heading(rows[1:], comma):
        grouped = len(rows) > 3 and "" in rows[0][1:] and is_second_heading(rows[2:], comma)
        if grouped and all(is_unit_cell(cell) for cell in rows[2]) and not all(is_unit_cell(cell) for cell in rows[1]):
            return joined_names(joined_names(rows[0], rows[1]), rows[2]), 3  # groups, names and units
        return joined_names(rows[0], rows[1]), 2
    return with_units(rows[0], units) if two and named and units is not None else rows[0], 1


def _without_blanks_above(
    rows: list[tuple[str, ...]], lines: list[int], body: list[str], comma: bool
) -> tuple[list[tuple[str, ...]], list[int], list[str]]:
    """Without rows of blank cells among the names: above the first row that holds a number they are no missing values."""
    first = next((k for k, row in enumerate(rows) if any(c and is_number_or_missing(c, comma) for c in row)), 0)
    kept = [k for k, row in enumerate(rows) if k >= first or any(row)]
    return [rows[k] for k in kept], [lines[k] for k in kept], [body[k] for k in kept]


def _no_doubt_about_decimals(rows: Sequence[tuple[str, ...]], lines: Sequence[int], comma: bool) -> None:
    """Raises ProblemError if commas were taken for decimal commas, but each may part thousands as well."""
    doubtful = ""
    for row, line in zip(rows, lines, strict=True) if comma else ():
        for cell in row:
            if "," in cell and is_two_ways(inside(cell)):
                doubtful = doubtful or f"Line {line}: “{shorten(cell)}” can be read in two ways because of its comma."
            elif "," in cell and value_of(inside(cell), True) is not None:
                return  # 1,5 or 0,123: decimal commas beyond doubt
    if doubtful:
        raise ProblemError(doubtful, "", "Say whether the numbers have a decimal comma.")


def _commas_in_thousands(rows: Sequence[tuple[str, ...]]) -> bool:
    """Whether commas part thousands beyond doubt, 1,204,500 or 1,204.5, and are beyond doubt the decimal sign of no number."""
    cells = [inside(cell) for row in rows for cell in row if "," in cell]
    return any(_THOUSANDS.fullmatch(cell) for cell in cells) and not any(
        value_of(cell, True) is not None and not is_two_ways(cell) for cell in cells
    )


def _no_doubt_about_separators(body: Sequence[str], line: int) -> None:
    """Raises ProblemError if every line may be several numbers, or one with a decimal comma or with commas in thousands."""
    if all(comma_is_ambiguous(one.strip()) for one in body):
        raise ProblemError(
            f"Line {line}: “{shorten(body[0])}” can be read in two ways because of its comma, and so can all other lines.", "",
            "Say what separates the columns, or whether the numbers have a decimal comma.",
        )  # fmt: skip


def cells_of(line: str, delimiter: str) -> tuple[str, ...]:
    """The cells of one line; as one cell where quotation marks make it none."""
    try:
        return _split_line(line, delimiter)
    except csv.Error:
        return (line.strip(),)


def _split_line(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "":
        return (line.strip(),)
    if delimiter == " ":
        line = _LIMIT_APART.sub(r"\1", line) if "<" in line or ">" in line else line
        return tuple(line.split() if line.isascii() else word_pattern(line).findall(line))
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


def _detect(body: Sequence[str], delimiter: str | None, decimal_comma: bool | None) -> tuple[str, bool]:
    """The pair (delimiter, decimal comma) that makes most cells numbers in rows of equal length."""
    commas = (False, True) if decimal_comma is None else (decimal_comma,)
    sample = body[:SAMPLE]
    if delimiter is None and (below := _below_titles(body))[0]:
        sample, delimiter = body[below[0] :][:SAMPLE], below[1]
    if delimiter is None and _words_between_tabs(sample):
        delimiter = "\t"
    signs = _DELIMITERS if delimiter is None else (delimiter,)
    quoted = bool(sample) and all(_QUOTED_DECIMALS.search(line) for line in sample[1:] or sample)
    candidates = [(c, comma) for c in signs for comma in commas if c != "," or not comma or quoted]
    if delimiter is None and any(comma and c != "," and _decimals_between(sample, c) for c, comma in candidates):
        candidates = [(c, comma) for c, comma in candidates if c != ","]  # they stand within numbers
    scores = [_score(sample, c, comma) for c, comma in candidates]
    best = max(range(len(scores)), key=scores.__getitem__, default=-1)  # the first of equals
    if best < 0:  # commas that separate and decimal commas, as told
        return ",", True
    if delimiter is None and scores[best] < _POOR:
        for comma in commas:
            if _score(sample, " ", comma, tidied=True) >= _POOR:
                return " ", comma
        return "", max(commas, key=lambda comma: _score(sample, "", comma))
    return candidates[best]


def _below_titles(body: Sequence[str]) -> tuple[int, str]:
    """How many lines of titles stand above names from which on lines on end are cut into as many cells, and by what: the mark
    that makes most; (0, ''): there are none, or a mark cuts all lines alike."""
    if any(len(sizes) == 1 and sizes != {1} for sizes in ({len(cells_of(one, mark)) for one in body} for mark in "\t;,|")):
        return 0, ""
    for marks in ("\t;,|", " "):
        found = []
        for mark in marks:
            rows = [cells_of(line, mark) for line in body]
            tops = {named_run(rows, comma)[0] for comma in (False, True)}
            found += [(len(rows[top]), -top, mark) for top in tops if top]
        if found:
            _, top, mark = max(found)
            return -top, mark
    return 0, ""


def _words_between_tabs(sample: Sequence[str]) -> bool:
    """Whether tabs cut every line into as many cells, blanks would cut some of words, and a column of the cells holds numbers."""
    rows = [line.split("\t") for line in sample if line.strip()]
    if len(rows) < 3 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return False
    spaced = [cell for row in rows for cell in row if " " in cell.strip()]
    blank = any(not all(is_number_or_missing(word, False) for word in cell.split()) for cell in spaced)
    columns = list(zip(*rows[1:], strict=True))
    return blank and any(
        any(value_of(inside(c)) is not None for c in column) and all(is_number_or_missing(c, False) for c in column)
        for column in columns
    )


def _decimals_between(sample: Sequence[str], delimiter: str) -> bool:
    """Whether a mark cuts every line, the heading too, into as many cells, one column of which holds 34,17 and the like."""
    if not delimiter.strip(" "):
        return False
    try:
        rows = [_split_line(line, delimiter) for line in sample]
    except csv.Error:
        return False
    width = len(rows[0])
    if width < 2 or len(rows) < 3 or any(len(row) != width for row in rows):
        return False
    for column in list(zip(*rows[1:], strict=True)):
        given = [cell for cell in column if cell not in MISSING]
        if any("," in cell for cell in given) and all(value_of(inside(cell), True) is not None for cell in given):
            return True
    return False


def _score(sample: Sequence[str], delimiter: str, comma: bool, tidied: bool = False) -> float:
    """Share of rows of the commonest length, squared, times the share of their cells that are numbers; -1 if it cuts nothing.

    A mark that cuts all rows alike, one of their columns holding numbers, is never poor however many columns hold text.
    ``tidied``: units between blanks below their names, and remarks behind single rows as one cell.
    """
    try:
        rows = [_split_line(line, delimiter) for line in sample]
    except csv.Error:
        return -1.0
    if tidied:
        rows = with_trailing_remarks(with_units_in_place(rows, sample, comma), comma)
    sizes = [len(row) for row in rows]
    common = max(set(sizes), key=sizes.count)
    if delimiter and common < 2:
        return -1.0
    even = [row for row in rows if len(row) == common]
    cells = [cell for row in even for cell in row]
    plain = sum(is_number_or_missing(cell, comma) for cell in cells)
    readable = plain or sum(is_measured(cell, comma) for cell in cells)
    share = len(even) / len(rows)
    score = share * share * readable / max(len(cells), 1)
    if share == 1.0 and len(rows) > 2 and delimiter.strip(" ") and common * readable >= len(cells) - common:
        score = max(score, _POOR)
    return round(score, 3) - (0.0 if plain else 1e-4)  # of equals the one with plain numbers: -107,6 beside 4 mm


def _without_empty_last_columns(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Delimiters at the end of lines make no column, also where some lines have more of them than others."""
    width = max((k for row in rows for k, cell in enumerate(row, 1) if cell), default=1)
    return [row[:width] for row in rows]


def even(cells: Cells) -> bool:
    """Whether all rows have as many cells as the first, or as the heading."""
    width = len(cells.header) if cells.header is not None else len(cells.rows[0])
    return all(len(row) == width for row in cells.rows)
