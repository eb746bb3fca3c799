"""Measured data out of files: CSV, TSV, semicolon and white-space tables, Excel and OpenDocument sheets; covariance matrices.

Whatever is in the file, the only error is ``DataFileError``, with the line and column where it went wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ... import definition as d
from ...errors import ProblemError
from ...numbers.number_text import looks_like_number, refusal
from ...text_files import advice, decode, read_bytes
from ..errors.error_cells import take_error_cells
from ..errors.error_units import in_units_of_values
from ..errors.expanded_errors import divided, divided_line, with_remarks
from ..errors.file_remarks import remarks_elsewhere, remarks_on_errors, remarks_on_sheet
from ..errors.heading_errors import told_errors
from ..errors.relative_errors import made_absolute, relative_errors
from ..names.column_names import without_unit
from ..tables.best_part import MOST_LOOKED_AT, best_part
from ..tables.flag_legends import legend_lines, sign_lines, signs_of, with_signs_explained
from ..tables.lines_above import LineAbove, first_lines, lines_above
from ..tables.measured_cells import missing_words, without_marks
from ..tables.plain_cells import plain_cells
from ..tables.quality_flags import says_quality
from ..tables.sheets_of_words import lines_of_sheet, said_by_sheet, sheets_of_words
from ..tables.stated_limits import limits_of_columns
from ..tables.stated_missing import stated_missing
from ..tables.stated_values import stated_cells
from ..tables.table_columns import Columns, DataFileError, add_column, no_numbers, one_decimal_sign, short
from ..tables.table_heads import column_names, encoding_note
from ..tables.table_lines import NO_HEADING, errors_taken, evened, of_one_width, set_apart, told_words
from ..tables.table_parts import Part, parts_of, tidied
from ..tables.table_preview import DataFile, TablePreview
from ..tables.table_text import Cells, cell_value, delimiter_words, split_table
from ..tables.table_turned import turned
from ..tables.words_for_nothing import without_words
from ..units.stated_units import stated_units, words_of
from ..units.unit_scales import with_unit
from .below_each_other import ALL_PARTS, below_each_other, going_on
from .logger_heads import with_plain_heading
from .meant_columns import Meant, meant_columns
from .read_options import Options
from .sheets import is_spreadsheet, sheets_of

__all__ = ["ALL_PARTS", "DataFile", "DataFileError", "Options", "TablePreview", "first_lines_of", "parse", "parse_with",
           "read", "read_matrix", "read_with", "tables_in"]  # fmt: skip

MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_MATRIX_ROWS = 2_000


def read(
    path: Path, *, delimiter: str | None = None, decimal_comma: bool | None = None, header: bool | None = None
) -> DataFile:
    """Read a table. ``delimiter``: a character, ' ' for any white space, '' for one column; None: find out.

    Raises DataFileError.
    """
    return read_with(path, Options(delimiter, decimal_comma, header))


def read_with(path: Path, options: Options) -> DataFile:
    """``read`` with all that can be said about a file. Raises DataFileError."""
    try:
        data = read_bytes(path, MAX_FILE_BYTES)
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    return parse_with(data, path.name, options)


def parse(
    data: bytes,
    name: str = "the table",
    *,
    delimiter: str | None = None,
    decimal_comma: bool | None = None,
    header: bool | None = None,
) -> DataFile:
    """``read`` for bytes at hand (a paste from the clipboard, a test). Raises DataFileError."""
    return parse_with(data, name, Options(delimiter, decimal_comma, header))


def parse_with(data: bytes, name: str, options: Options) -> DataFile:
    """``parse`` with all that can be said about a file. Raises DataFileError."""
    parts, encoding, declared = _parts(data, name)
    if options.delimiter is None and declared is not None:
        options = replace(options, delimiter=declared)
    titles = tuple(f"{p.title} (hidden)" if p.hidden else p.title for p in parts)
    part = min(max(_meant(parts, name, encoding, options) if options.part is None else options.part, ALL_PARTS), len(parts) - 1)
    shown_parts = parts if part == ALL_PARTS else parts[part : part + 1]
    of_words = sheets_of_words(parts, lambda i: _tried(parts[i], name, encoding, options, i)) if is_spreadsheet(data) else []
    looked_at = (*shown_parts, *(p for p in of_words if p not in shown_parts))
    sheets = dict.fromkeys(words for p in looked_at for words in remarks_on_sheet(p.text)) if is_spreadsheet(data) else ()
    remarks = (*remarks_on_errors(data), *sheets)
    legends = tuple(dict.fromkeys(line for p in parts for line in (*legend_lines(p.text), *sign_lines(p.text))))
    options = replace(options, coverage=with_remarks(options.coverage, remarks), legends=legends)
    try:
        if part == ALL_PARTS and len(parts) > 1:
            found = _all(parts, titles, name, encoding, options)
        else:
            found = _parse_part(parts[part], name, encoding, replace(options, told=options.told.of_part(part)))
    except DataFileError as error:
        error.titles, error.part = titles if len(parts) > 1 else (), part
        raise
    notes = (*found.preview.notes, *map(said_by_sheet, of_words))
    told = tuple(line for p in of_words for line in lines_of_sheet(p))
    found = replace(found, preview=replace(found.preview, remarks=remarks, legends=legends, notes=notes, sheets=told))
    if len(parts) < 2 or part == ALL_PARTS:
        return found
    count = len(parts) - len(of_words)
    note = (f"There are {count} tables in {name}; this is “{titles[part]}”.",) if count > 1 else ()
    others = () if is_spreadsheet(data) else remarks_elsewhere(remarks, [p.text for p in parts], part, found.preview.lines)
    shown = replace(found.preview, parts=titles, part=part, notes=(*note, *found.preview.notes), elsewhere=others)
    return DataFile(found.table, shown)


def tables_in(data: bytes, name: str) -> tuple[tuple[int, str], ...]:
    """Number and title of each table in the bytes that holds numbers and is not hidden. Raises DataFileError."""
    parts, encoding, _ = _parts(data, name)
    holds = ((i, part.title, _tried(part, name, encoding, Options(), i)) for i, part in enumerate(parts))
    return tuple((i, title) for i, title, table in holds if table is not None)


def first_lines_of(data: bytes, name: str, part: int) -> tuple[LineAbove, ...]:
    """The first lines of table ``part`` (from 0, else the first), one of which may be its heading; none where nothing is read."""
    try:
        parts = _parts(data, name)[0]
    except DataFileError:
        return ()
    return first_lines(parts[part if 0 <= part < len(parts) else 0].text)


def _meant(parts: Sequence[Part], name: str, encoding: str, options: Options) -> int:
    """Which table is taken where nobody says it."""
    if len(parts) < 2 or sum(len(part.text.replace("\n", "")) for part in parts) > MOST_LOOKED_AT:
        return 0
    found = best_part([_tried(part, name, encoding, options, i) for i, part in enumerate(parts)], options.outputs)
    return ALL_PARTS if found is None else found


def _tried(part: Part, name: str, encoding: str, options: Options, number: int) -> d.DataTable | None:
    """The table in ``part``, which has that ``number`` in the file, without columns where a bad cell is to be said; None: it
    holds no numbers, or is hidden."""
    try:
        mine = replace(options, told=options.told.of_part(number))
        return None if part.hidden else _parse_part(part, name, encoding, mine).table
    except DataFileError as error:
        return d.DataTable(columns={}) if error.bad_cells else None


def _all(
    parts: Sequence[Part], titles: tuple[str, ...], name: str, encoding: str, options: Options
) -> DataFile:
    every = going_on(parts, lambda text: _even_cells(text, name, options))
    empty = [i for i, part in every.items() if _tried(part, name, encoding, options, i) is None and not part.hidden]
    kept = [i for i in every if i not in empty or len(empty) == len(every)]
    left_out = [f"“{titles[i]}” holds no numbers and is left out." for i in empty]
    found = [_parse_part(every[i], name, encoding, replace(options, told=options.told.of_part(i))) for i in kept]
    return below_each_other(found, kept, titles, left_out, name)


def _parts(data: bytes, name: str) -> tuple[list[Part], str, str | None]:
    """The tables in the bytes, the encoding, and the delimiter that the file itself declares."""
    try:
        if is_spreadsheet(data):
            sheets = sheets_of(data, name)
            several = len(sheets) > 1
            found = [p for s in sheets for p in parts_of(tidied(s.text)[0], s.name if several else "", s.hidden)]
            return [replace(p, sheet=True) for p in found], "utf-8", "\t"
        file = decode(data, name)
        text, declared = tidied(with_plain_heading(file.text))
        return parts_of(text), file.encoding, declared
    except ProblemError as error:
        raise DataFileError(error.what, error.where, advice(error, "data")) from error


def _parse_part(part: Part, name: str, encoding: str, options: Options) -> DataFile:
    asked = options.named and (options.delimiter, options.told.heading) == (None, None)
    read = (stated_cells(part.text) if asked else None) or _even_cells(part.text, name, options)
    cells, is_turned, hint = turned(read, options.turned, options.outputs, options.told)
    names, notes = column_names(cells, options.named)
    notes = [*encoding_note(encoding), *cells.notes, *hint, *notes]
    across = (*read.heading_lines[-1:], *read.lines) if is_turned else range(1, len(names) + 1)
    whole, apart = cells, set_apart(cells, names, options.told, options.outputs)
    cells = apart.cells
    stated = limits_of_columns(whole, names, apart.said, "" if is_turned else part.text, cells.decimal_comma)
    of_errors = None if apart.errors is None else apart.errors.row
    measured, censored, marked, changed = plain_cells(
        cells, names, options.limits_taken, stated, of_errors, options.marked_out
    )
    measured, nothing, words = without_words(measured, names, options.nothing)
    found = Columns(notes=[*notes, *changed, *words])
    limits: dict[str, tuple[str | None, ...]] = {}
    for i, column in enumerate(names):
        before = set(found.numbers)
        add_column(found, measured, i, column, name, options.day_first, options.minutes)
        fresh = next((own for own in found.numbers if own not in before), None)
        if i in censored.sides:
            if fresh is None:  # limits are all that it has
                fresh, found.notes[-1:] = column, []
                found.numbers[column] = (None,) * len(measured.rows)
            limits[fresh] = censored.sides[i]
    found.texts = with_signs_explained(found.texts, signs_of(options.legends))
    if not found.numbers:
        raise no_numbers(found, name, cells, part.sheet)
    if options.named:
        names = _with_units(found, names, limits, cells, part.text.splitlines()[: min(whole.lines, default=1) - 1])
    found.numbers, marks, words = without_marks(found.numbers, options.missing, stated_missing(part.text))
    found.notes += words
    apart, expanded = divided_line(apart, options.coverage)
    if options.named and cells.header is not None:
        found.numbers, columns = divided(found.numbers, names, cells.header, options.coverage)
        expanded += columns
    found.notes += [told for one in expanded if (told := one.words(options.coverage))]
    of = relative_errors(found.numbers)
    if options.relative and of:
        found.numbers, words = made_absolute(found.numbers, of)
        shares = tuple(f"Column “{without_unit(column)}” holds percentages" for column in of)
        found.notes = [*(note for note in found.notes if not note.startswith(shares)), *words]
    if options.named:
        found.numbers, words = in_units_of_values(found.numbers)
        found.notes += words
    table, lines = errors_taken(apart, d.DataTable(columns=found.numbers, texts=found.texts, limits=limits, origin=name))
    meant = meant_columns(table, options) if options.named else Meant(table)
    table = meant.table
    found.labels = [name for name in found.labels if name in table.texts]  # of others something else is said
    said = tuple(dict.fromkeys((*told_words(lines), *meant.notes, *meant.left(found), *found.about_text())))
    numbers = [i for i, numeric in enumerate(found.numeric) if numeric and names[i] in found.numbers]
    empty = missing_words([row[i] for k, row in enumerate(cells.rows) if k != of_errors for i in numbers], nothing)
    return DataFile(table, replace(
        _preview(whole, names, encoding, tuple(found.numeric), said), turned=is_turned, relative=tuple(of), marks=marks,
        times=meant.times(found.times), missing=empty, row_count=len(cells.rows) - (apart.errors is not None),
        lines=whole.lines, across=tuple(across), above=() if is_turned else lines_above(part.text, whole),
        stated=told_errors(cells, names, part.text) if options.named else (), said=lines,
        limits=meant.intervals, moments=meant.moments, either=tuple(found.either), clocks=found.untold_clocks(),
        empty=tuple(found.empty), censored=censored.columns, expanded=expanded, marked=marked))  # fmt: skip


def _with_units(
    found: Columns, names: tuple[str, ...], limits: dict[str, tuple[str | None, ...]], cells: Cells, above: Sequence[str]
) -> tuple[str, ...]:
    """The names of columns, with the units that lines ``above`` the table say; so are they called in ``found`` too, with
    errors whose cells say their units."""
    take_error_cells(found, names, cells.decimal_comma)
    flags = [name for name in found.numbers if says_quality(d.DataTable(columns=found.numbers), name)]
    stated = {c: u for c, u in stated_units(above, found.numbers, flags) if names.count(c) == 1}
    if not stated:
        return names
    called = {column: with_unit(column, unit) for column, unit in stated.items()}
    found.numbers = {called.get(name, name): cells for name, cells in found.numbers.items()}
    for column in set(limits) & set(called):
        limits[called[column]] = limits.pop(column)
    found.notes += [words_of([c for c in stated if stated[c] == unit], unit) for unit in dict.fromkeys(stated.values())]
    return tuple(called.get(name, name) for name in names)


def read_matrix(path: Path) -> tuple[tuple[float, ...], ...]:
    """A square matrix of numbers (a covariance), rows as lines; a header row is skipped. Raises DataFileError."""
    try:
        file = decode(read_bytes(path, MAX_FILE_BYTES), path.name)
        cells = _even_cells(file.text, path.name, Options(), trim=False)
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
        one_decimal_sign([cell for _, cell in every], [line for line, _ in every], path.name)
    matrix = []
    for line, row in zip(cells.lines, cells.rows, strict=True):
        values = []
        for i, cell in enumerate(row, start=1):
            value = _number(cell, cells.decimal_comma)
            if value is None:
                what = f"Line {line}, number {i} of {path.name} is “{short(cell)}”, not a number."
                raise DataFileError(what, "", _advice(cell, cells))
            values.append(value)
        matrix.append(tuple(values))
    return tuple(matrix)


def _even_cells(text: str, name: str, options: Options, trim: bool = True) -> Cells:
    """The cells of one table, as many in each row. Raises DataFileError."""
    delimiter = options.delimiter
    try:
        if delimiter is not None and (len(delimiter) > 1 or delimiter in ('"', "\r", "\n")):
            raise ProblemError(f"“{delimiter}” cannot separate columns: one character is needed.")
        comma, heading = options.decimal_comma, options.told.heading
        cells = split_table(
            text, delimiter=delimiter, decimal_comma=comma, header=False if heading == NO_HEADING else options.header, trim=trim,
            named=options.named, heading=heading or None, out=options.told.out,
        )  # fmt: skip
    except ProblemError as error:
        raise DataFileError(error.what, error.where, error.suggestion) from error
    return of_one_width(evened(cells, options.told.out), name)


def _advice(cell: str, cells: Cells) -> str:
    like = looks_like_number(cell, cells.decimal_comma)
    return f"It {refusal(cell, cells.decimal_comma)}." if like else ""


def _number(cell: str, decimal_comma: bool) -> float | None:
    try:
        return cell_value(cell, decimal_comma)
    except ValueError:
        return None


def _preview(
    cells: Cells, names: tuple[str, ...], encoding: str, numeric: tuple[bool, ...], notes: tuple[str, ...]
) -> TablePreview:
    return TablePreview(
        columns=names,
        rows=cells.rows,
        row_count=len(cells.rows),
        delimiter=cells.delimiter,
        delimiter_words=delimiter_words(cells.delimiter),
        decimal_comma=cells.decimal_comma,
        header=cells.header is not None,
        encoding=encoding,
        numeric=numeric,
        notes=notes,
    )
