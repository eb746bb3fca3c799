"""Lines of a file that hold no measurement: set apart before its columns are read, errors as columns of their own after."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ... import definition as d
from ..names.percent_names import in_percent
from .measured_cells import is_missing
from .special_rows import Kind, SpecialRow, errors_in, named, sizes_words, special_rows, with_errors
from .table_columns import DataFileError, short
from .table_text import Cells, cell_value, delimiter_words, is_number_or_missing
from .trailing_remarks import joined_into_last

NO_HEADING = 0  # in place of the line of the heading: there is none
_SIGNED = re.compile(r"\s*(?:±|\+/-|\+-)?\s*(.+?)\s*([%％])?\s*")
_UNEVEN = "Check that line, take it out (also by a right-click on it), say which is the heading, or choose another delimiter."
_OUT = {
    "errors": "it is no row of the table",
    "limits": "it holds detection limits",
    "units": "it holds units",
    "summary": "it sums up the rows",
    "words": "it holds no numbers",
}


@dataclass(frozen=True)
class Told:
    """What a person says of lines of a file, by their numbers in it: the line of ``errors``; those that are ``out``; those
    that are ``kept`` as rows, whatever their labels say; and that of the ``heading``, None: that is found out. ``as_errors``: a
    line is taken as its label says. ``part``: of which of several tables, the first is 0; None: of the one that is read.
    ``others``: what is said of other tables of the file."""

    errors: int | None = None
    out: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    as_errors: bool = False
    part: int | None = None
    heading: int | None = None
    others: tuple[Told, ...] = ()

    def of_part(self, part: int) -> Told:
        """What is said of that table: lines of another one have the same numbers."""
        every = (self, *self.others)
        mine = next((told for told in every if told.part == part), None)
        return mine or next((told for told in every if told.part is None), Told())


@dataclass(frozen=True)
class SaidLine:
    """A line that holds no measurement, and what became of it, a sentence. ``taken``: it is no row of the table any more.
    ``made``: the columns of standard deviations that a line of errors became."""

    line: int
    kind: Kind
    label: str
    taken: bool
    words: str
    made: tuple[str, ...] = ()


@dataclass(frozen=True)
class Apart:
    """``cells`` to read columns from; ``errors``: the row of them that is to be taken as errors; ``said``: of all lines."""

    cells: Cells
    errors: SpecialRow | None = None
    said: tuple[SaidLine, ...] = ()


def evened(cells: Cells, out: Collection[int]) -> Cells:
    """``cells`` with the lines that are ``out`` as long as the others: what lacks is empty, what is too much in the last cell."""
    sizes = [len(row) for row, line in zip(cells.rows, cells.lines, strict=True) if line not in out]
    if not sizes or len(sizes) == len(cells.rows):
        return cells
    width = len(cells.header) if cells.header is not None else sizes[0]
    rows = tuple(_of_width(row, width) if line in out else row for row, line in zip(cells.rows, cells.lines, strict=True))
    return replace(cells, rows=rows)


def of_one_width(cells: Cells, name: str) -> Cells:
    """``cells`` with as many in each row, what the delimiter parts in the remarks of the last column together again. Raises
    DataFileError if a row has more or fewer."""
    cells = _with_whole_remarks(cells)
    width = len(cells.header) if cells.header is not None else len(cells.rows[0])
    uneven = next((k for k, row in enumerate(cells.rows) if len(row) != width), None)
    if uneven is None:
        return cells
    first, size = "the header" if cells.header is not None else "the first row", len(cells.rows[uneven])
    counted = f"Line {cells.lines[uneven]} of {name} has {size} {'cell' if size == 1 else 'cells'}, {first} has {width}."
    mark = cells.delimiter if cells.delimiter.strip() else ""
    quoted = f"If a text in it holds a {delimiter_words(mark)}, put the text between quotation marks. "
    error = DataFileError(counted, "", f"{quoted if mark and size > width else ''}{_UNEVEN}")
    error.line = cells.lines[uneven]
    raise error


def _with_whole_remarks(cells: Cells) -> Cells:
    if cells.header is None:
        return cells
    width, mark = len(cells.header), cells.delimiter
    rows = joined_into_last(cells.rows, cells.header, f"{mark} " if mark.strip() else " ", cells.decimal_comma)
    if rows is None:
        return cells
    at = [line for row, line in zip(cells.rows, cells.lines, strict=True) if len(row) > width]
    where = f"Line {at[0]} has" if len(at) == 1 else f"Line {at[0]} and {len(at) - 1} more have"
    what = f"a {delimiter_words(mark)}" if mark.strip() else "several words"
    note = f"{where} {what} in the last column, “{short(cells.header[-1])}”: all of it is taken for that column."
    return replace(cells, rows=tuple(rows), notes=(*cells.notes, note))


def _of_width(row: tuple[str, ...], width: int) -> tuple[str, ...]:
    if len(row) <= width:
        return (*row, *[""] * (width - len(row)))
    return (*row[: width - 1], " ".join(row[width - 1 :]))


def set_apart(cells: Cells, names: Sequence[str], told: Told, outputs: Sequence[str]) -> Apart:
    """``cells`` without lines of totals, units or limits. A line of errors stays, its label emptied where it stands among
    numbers: then it can be no measurement, and is taken as errors unless it is to be kept."""
    labels = [_label(row, cells.decimal_comma) for row in cells.rows]
    columns = {name: tuple(_number(row[i], cells.decimal_comma) for row in cells.rows) for i, name in enumerate(names)}
    wordy = [] if cells.turned else _wordy_end(cells, labels, told)
    out, passed = frozenset(told.out), frozenset(wordy)
    rest = [i for i, line in enumerate(cells.lines) if i not in passed and line not in out]  # neither ends the samples
    numbers = {name: tuple(column[i] for i in rest) for name, column in columns.items()}
    found = [replace(row, row=rest[row.row]) for row in special_rows([labels[i] for i in rest], numbers, outputs)]
    found += [SpecialRow(i, "words", labels[i]) for i in wordy]
    found = [row for row in found if cells.lines[row.row] not in (*told.kept, *told.out)]
    by_hand = next((i for i, line in enumerate(cells.lines) if line == told.errors), None)
    if by_hand is not None:
        found = [row for row in found if row.kind != "errors" and row.row != by_hand]
        found.append(errors_in(by_hand, labels[by_hand]))
    if cells.turned:  # in a table as it stands in the file, these are columns of texts
        done = {row.row for row in found}
        found += [SpecialRow(i, "words", labels[i]) for i in _of_words(cells, told) if i not in done]
    error = next((row for row in found if row.kind == "errors"), None)
    said = [_left_out(cells, row) for row in found if row.kind != "errors"]
    said += [_left_out(cells, SpecialRow(i, "errors", labels[i])) for i, line in enumerate(cells.lines) if line in out]
    gone = {s.line for s in said}
    rows = list(cells.rows)
    for i, line in enumerate(cells.lines):
        if line in told.kept or (error is not None and error.row == i):
            shares = _in_percent(cells, i, names)
            rows[i], lost = _plain(rows, i, labels[i], cells.decimal_comma)
            if line in told.kept:  # a percentage among other numbers is none of them
                rows[i] = tuple(cells.rows[i][k] if names[k] in shares else cell for k, cell in enumerate(rows[i]))
            if error is not None and error.row == i:
                error = replace(error, shares=shares)
                taken = told.as_errors or lost or bool(shares) or by_hand is not None or cells.turned  # as a column called so is
                said.append(SaidLine(line, "errors", error.label, taken, _pending(cells, error)))
    kept = [i for i, line in enumerate(cells.lines) if line not in gone]
    left = replace(cells, rows=tuple(rows[i] for i in kept), lines=tuple(cells.lines[i] for i in kept))
    if error is None or not any(s.taken and s.kind == "errors" and s.line == cells.lines[error.row] for s in said):
        return Apart(left, None, tuple(sorted(said, key=_order)))
    return Apart(left, replace(error, row=kept.index(error.row)), tuple(sorted(said, key=_order)))


def _order(said: SaidLine) -> tuple[bool, int]:
    return said.kind != "errors", said.line


def errors_taken(apart: Apart, table: d.DataTable) -> tuple[d.DataTable, tuple[SaidLine, ...]]:
    """The table read from ``apart`` with its line of errors as columns of standard deviations; what is said of the lines."""
    row = apart.errors
    if row is None:
        return table, apart.said
    line, place = apart.cells.lines[row.row], apart.cells.place(row.row)
    sizes = sizes_words(table, row)
    found, names = with_errors(table, row)
    words = f"{place}{_called(row.label)} is taken as errors: {sizes}."
    if not names:
        words = f"{place}{_called(row.label)} is left out: it holds no error above zero."
    made = tuple(names.values())
    of_line = (s.kind == "errors" and s.line == line for s in apart.said)
    return found, tuple(replace(s, words=words, made=made) if own else s for s, own in zip(apart.said, of_line, strict=True))


def _of_words(cells: Cells, told: Told) -> list[int]:
    """The rows (from 0) without any number, of which nothing is ``told``."""
    said = (*told.kept, *told.out, told.errors)
    free = [i for i, line in enumerate(cells.lines) if line not in said]
    return [i for i in free if not any(_number(c, cells.decimal_comma) is not None for c in cells.rows[i])]


def _wordy_end(cells: Cells, labels: Sequence[str], told: Told) -> list[int]:
    """The rows (from 0) below the measured ones with nothing but words where others have numbers, and neither a number nor
    what names each row: methods, devices."""
    comma, told_of = cells.decimal_comma, (*told.kept, *told.out, told.errors)
    numeric, keys = [], []
    for k, column in enumerate(zip(*cells.rows, strict=True)):
        filled = [cell for cell in column if not is_missing(cell)]
        if 2 * sum(_number(cell, comma) is not None for cell in filled) > len(filled):
            numeric.append(k)
        elif 2 * len(filled) > len(column):
            keys.append(k)
    found: list[int] = []
    for i in range(len(cells.rows) - 1, 0, -1):
        if named(i, labels[i]) is not None:
            continue
        row = ["" if is_missing(cell) or cell.strip().strip('"') == labels[i] else cell for cell in cells.rows[i]]
        above = {cell for one in cells.rows[:i] for cell in one}  # what stands there, too, says that a value is missing
        words = any(row[k] and row[k] not in above for k in numeric) and not any(row[k] for k in keys)
        if not (labels[i] and words) or any(cell and _number(cell, comma) is not None for cell in row):
            break
        found += [] if cells.lines[i] in told_of else [i]
    return sorted(found)


def _pending(cells: Cells, row: SpecialRow) -> str:
    of = "values beside it" if cells.turned else f"columns {'above' if 2 * row.row >= len(cells.rows) else 'below'}"
    return f"{cells.place(row.row)}{_called(row.label)} holds the errors of the {of}."


def _left_out(cells: Cells, row: SpecialRow) -> SaidLine:
    words = f"{cells.place(row.row)}{_called(row.label)} is left out: {_OUT[row.kind]}."
    return SaidLine(cells.lines[row.row], row.kind, row.label, True, words)


def _called(label: str) -> str:
    return f" (“{short(label)}”)" if label else ""


def _label(row: Sequence[str], comma: bool) -> str:
    """The words that a row begins with, '' where it begins with a number."""
    first = next((cell for cell in row if not is_missing(cell)), "")
    return "" if is_number_or_missing(first, comma) else first.strip().strip('"')


def _number(cell: str, comma: bool) -> float | None:
    match = _SIGNED.fullmatch(cell)
    try:
        return None if match is None else cell_value(match[1], comma)
    except ValueError:
        return None


def _in_percent(cells: Cells, at: int, names: Sequence[str]) -> frozenset[str]:
    """The columns whose number in a row is a percentage, 5 %, but for those whose values are percentages, too."""
    found = set()
    for k, name in enumerate(names):
        shown = [bool(m[2]) if (m := _SIGNED.fullmatch(row[k])) and _number(row[k], cells.decimal_comma) is not None else None
                 for row in cells.rows]  # fmt: skip
        others = [sign for i, sign in enumerate(shown) if i != at]
        if shown[at] and True not in others and not in_percent(name):
            found.add(name)
    return frozenset(found)


def _plain(rows: Sequence[tuple[str, ...]], at: int, label: str, comma: bool) -> tuple[tuple[str, ...], bool]:
    """The row of errors with its numbers alone (±0.1 is 0.1), and without its label where all others of the column are numbers;
    and whether that was so."""
    lost = False
    found = []
    for k, cell in enumerate(rows[at]):
        if label and cell.strip().strip('"') == label:
            others = [row[k] for i, row in enumerate(rows) if i != at and k < len(row) and not is_missing(row[k])]
            among = bool(others) and sum(is_number_or_missing(c, comma) for c in others) * 2 > len(others)
            lost = lost or among
            found.append("" if among else cell)
            continue
        match = _SIGNED.fullmatch(cell)
        found.append(match[1] if match is not None and _number(cell, comma) is not None else cell)
    return tuple(found), lost


def told_words(said: Sequence[SaidLine]) -> list[str]:
    """A sentence about each line, and that it counts as a row where it does."""
    return [one.words if one.taken else f"{one.words} It is read as a row of measured values until that is said." for one in said]

