"""The columns of a table as numbers, as values with their errors, or as text; sentences about what is neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ... import definition as d
from ...errors import ProblemError
from ...numbers.number_text import looks_like_number, refusal
from ...numbers.shown_digits import spoken
from ..dates.minutes_seconds import are_two_parts, says_seconds, with_hours
from ..dates.past_midnight import midnight_words
from ..errors.intervals import level_in, named_without_interval
from ..names.column_names import fresh, without_unit
from ..rows.text_keys import SINCE_1970, plain, seconds_of, unit_of
from ..units.unit_names import known_unit
from .error_spellings import COUNTS_IN_BRACKETS
from .measured_cells import all_times, either_way, is_missing, is_missing_label, iso_dates, limit_words, special
from .quality_flags import OF_FLAGS, says_quality, surely_flags
from .quality_words import speaks_against
from .remark_columns import single_remarks
from .table_text import Cells, cell_value, delimiter_words, is_number_or_missing
from .words_for_nothing import strange_words

_ONE_TEXT, _TEXTS = "holds text: it can pair rows.", "hold text: they can pair rows."


class DataFileError(ProblemError):
    """The file holds no usable table; the words say where and why. ``bad_cells``: words (in lower case) that are none of the
    numbers they stand among: were they said to be missing values, it would. ``titles``: of the tables of the file, if there are
    several; ``part``: which one of them is meant. ``line``: of the file, with a word where there should be a number; ``heading``:
    that line, if it looks like the heading of all that stands below it."""

    bad_cells: frozenset[str] = frozenset()
    titles: tuple[str, ...] = ()
    part = 0
    line: int | None = None
    heading: int | None = None


def text_notes(names: Sequence[str]) -> list[str]:
    """A sentence about columns of text, if there are any."""
    named = [f"“{short(name)}”" for name in names]
    if len(named) < 2:
        return [f"Column {name} {_ONE_TEXT}" for name in named]
    return [f"Columns {', '.join(named)} {_TEXTS}"]


def without_split(notes: Sequence[str], by: str, texts: Sequence[str]) -> list[str]:
    """``notes`` of a table that is split by column ``by``, which pairs no rows any more; ``texts``: its columns of text."""
    found: list[str] = []
    for note in notes:
        about = note.endswith((_ONE_TEXT, _TEXTS)) and f"“{short(by)}”" in note
        found += text_notes([n for n in texts if n != by and f"“{short(n)}”" in note]) if about else [note]
    return found


MOST_OF_HEADING = 3  # lines: names, units, and what they are called elsewhere


@dataclass
class Columns:
    """What becomes of the columns of a table while it is read."""

    numbers: dict[str, tuple[float | None, ...]] = field(default_factory=dict)
    texts: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    numeric: list[bool] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)  # columns without any value
    clocks: list[tuple[str, str]] = field(default_factory=list)  # times of two parts of which the heading says nothing; one each
    either: list[tuple[str, str, str, str]] = field(default_factory=list)  # dates of which either number may be the month

    def untold_clocks(self) -> tuple[tuple[str, str], ...]:
        """Times of two parts that may be minutes and seconds, and one of them; beside dates they are hours and minutes."""
        return () if any(unit_of(cells) == SINCE_1970 for cells in self.texts.values()) else tuple(self.clocks)

    def about_text(self) -> list[str]:
        """Sentences about the columns of text, if there are any."""
        left = [name for name in self.labels if not any(f"“{name}” is taken" in note for note in self.notes)]
        table = d.DataTable(columns=self.numbers, texts=self.texts)
        flags = [name for name in left if says_quality(table, name)]
        against = {name: sum(speaks_against(cell) for cell in self.texts[name] if cell) for name in left if name not in flags}
        remarks = {name: told for name, count in against.items() if not count and (told := len(single_remarks(table, name)))}
        return [
            *text_notes([name for name, count in against.items() if not count and name not in remarks]),
            *(f"Column “{short(name)}” holds {'a remark on one row' if count == 1 else f'remarks on {count} rows'}: you are "
              "asked once the table is compared." for name, count in remarks.items()),
            *(f"Column “{short(name)}” holds remarks, {count} against {'its row' if count == 1 else 'their rows'}: you are asked "
              "once the table is compared." for name, count in against.items() if count),
            *(f"Column “{short(name)}” says of each row {OF_FLAGS}" for name in flags),
        ]

    def names(self) -> list[str]:
        return [*self.numbers, *self.texts]


def no_numbers(found: Columns, name: str, cells: Cells, sheet: bool = False) -> DataFileError:
    """``sheet``: its cells are those of a spreadsheet, which nothing has to separate."""
    said = next((note for note in found.notes if "line" in note), "")
    if sheet:
        advice = "Choose another table of it, or say which line is the heading."
        return DataFileError(f"No column of this table of {name} holds numbers. {said}".rstrip(), "", advice)
    cut = f"its cells are separated by {delimiter_words(cells.delimiter)}" if cells.delimiter else "each line is one cell"
    sign = "comma" if cells.decimal_comma else "point"
    what = f"No column of {name} holds numbers where {cut} and the decimal sign is a {sign}. {said}".rstrip()
    return DataFileError(what, "", "Say what separates the cells.")


def add_column(
    found: Columns, cells: Cells, i: int, column: str, name: str, day_first: bool | None = None, minutes: bool | None = None
) -> None:
    """Column i as numbers, as values with their errors, as text, or not at all; a note where it is not plain numbers.
    ``minutes``: times of two parts of which nothing tells it are minutes and seconds."""
    texts = [row[i] for row in cells.rows]
    if all(is_missing(text) for text in texts):
        found.numeric.append(True)
        found.empty.append(column)
        found.notes.append(f"Column “{column}” has no values and is left out.")
        return
    texts, in_minutes = _times_of_two_parts(found, texts, column, minutes)
    first = next((text for text in texts if not is_number_or_missing(text, cells.decimal_comma)), "")
    plainly = not first  # then the column is none of values with more to them
    dashed = "/" in first or "-" in first
    dates = iso_dates(texts, day_first) if dashed else None
    if dashed and (either := either_way(texts)) is not None:
        found.either.append((column, *either))
    counts = COUNTS_IN_BRACKETS.search(column) is not None
    values = special(texts, cells.decimal_comma) if dates is None and not plainly and not counts else None
    if values is not None:
        found.numeric.append(True)
        bare = named_without_interval(column) if values.ends is not None else column
        unit = "" if bare.endswith((")", "]")) else values.suffix
        own = fresh(f"{bare}{unit}", found.names())
        found.numbers[own] = values.values
        if values.sd:
            found.numbers[fresh(f"{own} sd", found.names())] = values.sd
        if values.ends is not None:
            level = values.level or level_in(column)
            of = "range" if values.spread else "CI" if level is None else f"{spoken(level)} % CI"
            for side, cells_of in zip(("lower", "upper"), values.ends, strict=True):
                found.numbers[fresh(f"{without_unit(own)} {of} {side}", found.names())] = cells_of
        found.notes.append(f"Column “{column}” {values.note}.")
        return
    times = dates is not None or (not plainly and all_times(texts))
    numbers = "" if times else _numeric_column(cells, i, column, name)
    found.numeric.append(not isinstance(numbers, str))
    if not isinstance(numbers, str):
        found.numbers[column] = numbers
        return
    shown = dates if isinstance(dates, tuple) else tuple(plain(text.strip('"')) for text in texts)
    found.texts[column] = tuple(None if is_missing_label(text) or not text else text for text in shown)
    if isinstance(dates, str):
        found.notes.append(f"Column “{column}” {dates}: it pairs rows of the same text only. Write 2024-05-31 to be understood.")
    elif times:
        found.times.append(column)
        clock = unit_of(found.texts[column]) == "s"
        counted = ", counted in seconds" if clock else ""  # of dates it says nothing to people
        counted = ", minutes and seconds" if in_minutes else counted
        found.notes.append(f"Column “{column}” holds times or dates{counted}: it can pair rows.")
        if clock and (words := midnight_words(column, shown, [seconds_of(text) if text else None for text in shown])):
            found.notes.append(words)
    else:
        found.labels.append(column)
        if numbers:
            found.notes.append(numbers)


def _times_of_two_parts(found: Columns, texts: list[str], column: str, minutes: bool | None) -> tuple[list[str], bool]:
    """``texts`` with minutes and seconds as times of three parts; and whether they are that. Where nothing tells what times of
    two parts are, they are noted."""
    filled = [text for text in texts if not is_missing(text)]
    if ":" not in next(iter(filled), "") or not are_two_parts(filled):
        return texts, False
    told = says_seconds(column, filled)
    if told is None:
        found.clocks.append((column, next((plain(text) for text in filled if text.strip("0: ")), filled[0])))
    meant = bool(minutes) if told is None else told
    return ([with_hours(text) for text in texts] if meant else texts), meant


def _numeric_column(cells: Cells, i: int, column: str, name: str) -> tuple[float | None, ...] | str:
    """The numbers of column i, or a note that it is one of text. One bad cell among numbers raises DataFileError."""
    values: list[float | None] = []
    bad: list[tuple[int, str]] = []
    for row, line in zip(cells.rows, cells.lines, strict=True):
        try:
            values.append(cell_value(row[i], cells.decimal_comma))
        except ValueError:
            bad.append((line, row[i]))
            values.append(None)
    if not bad:
        if cells.decimal_comma:
            one_decimal_sign([row[i] for row in cells.rows], cells.lines, f"column “{column}” of {name}")
        return tuple(values)
    filled = sum(not is_missing(row[i]) for row in cells.rows)
    if surely_flags(column):
        return ""  # TA 4 among numbers is a flag of one value
    line, cell = bad[0]
    at = f"column {line}" if cells.turned else f"line {line}"
    why = f"“{short(cell)}” {refusal(cell, cells.decimal_comma)}."
    if 2 * len(bad) >= filled:
        measured = any(v is not None and v != int(v) for v in values)  # among labels numbers are whole
        like = looks_like_number(cell, cells.decimal_comma) or limit_words(cell) or (measured and 3 * len(bad) <= 2 * filled)
        return f"Column “{column}” is taken for text: {at}, {why} {limit_words(cell)}".rstrip() if like else ""
    more = f" There are {len(bad)} such cells in the {'row' if cells.turned else 'column'}." if len(bad) > 1 else ""
    error = DataFileError(
        f"{at.capitalize()}, {'row' if cells.turned else 'column'} “{column}” of {name}: {why}{more}", "",
        limit_words(cell) or "Correct the file, or leave the cell empty if the value is missing.",
    )  # fmt: skip
    error.bad_cells, error.line = strange_words(cells), None if cells.turned else line
    error.heading = None if cells.turned else _heading_among(cells, [at for at, _ in bad], i)
    raise error


def _heading_among(cells: Cells, bad: Sequence[int], i: int) -> int | None:
    """The first of the lines with ``bad`` cells in column i if it looks like the heading of a table below it: it holds two words
    at least and no number, no other line but those next to it (units) holds a bad cell, and numbers stand below."""
    at = cells.lines.index(bad[0])
    filled = [cell for cell in cells.rows[at] if not is_missing(cell)]
    words = len(filled) > 1 and not any(is_number_or_missing(cell, cells.decimal_comma) for cell in filled)
    below = [row[i] for row, line in zip(cells.rows, cells.lines, strict=True) if line > bad[-1] and not is_missing(row[i])]
    together = len(bad) <= MOST_OF_HEADING and list(cells.lines[at : at + len(bad)]) == list(bad)
    if not words or not together or len(below) < 2:
        return None
    above = cells.heading_lines[-1:] if all(known_unit(cell) for cell in filled) and len(cells.heading_lines) > 1 else ()
    return next(iter(above), bad[0])  # units: the names stand above them, taken for the second line of another heading


def one_decimal_sign(column: Sequence[str], lines: Sequence[int], where: str) -> None:
    """Raises DataFileError if some numbers of a column have a decimal comma and others a decimal point."""
    comma = next(((line, cell) for line, cell in zip(lines, column, strict=True) if "," in cell), None)
    pointed = (one for one in zip(lines, column, strict=True) if "." in one[1].strip(".") and not is_missing(one[1]))
    point = next(pointed, None)  # n.d. has none
    if comma is not None and point is not None:
        raise DataFileError(
            f"In {where}, line {comma[0]} has a decimal comma (“{short(comma[1])}”) and line {point[0]} "
            f"a decimal point (“{short(point[1])}”).", "", "Write all numbers of a column with the same decimal sign.",
        )  # fmt: skip


def short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
