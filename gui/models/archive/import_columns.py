"""What becomes of the columns of a table that is imported: taken, left out, read as times, split by another. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.errors.relative_errors import sds_of, words_of
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import fresh, says_value, sd_columns
from bayescope.engine.problem.data.names.percent_names import parts_of
from bayescope.engine.problem.data.rows.censored import has_value
from bayescope.engine.problem.data.rows.text_keys import UNITS
from bayescope.engine.problem.data.tables import long_form
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.data.tables.quality_flags import flags_as_numbers, says_quality
from bayescope.engine.problem.data.tables.remark_columns import is_remark, single_remarks
from bayescope.engine.problem.data.tables.remarked_quantities import remarked_quantities, remarked_with_colon
from bayescope.engine.problem.data.tables.together import shared_keys, together
from bayescope.engine.problem.data.tables.tracked import measured_beside_times
from bayescope.engine.problem.definition import DataTable, Predictions, Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.models.data.dates.day_zero import with_day_zero
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.keys.marked_keys import with_marked_keys
from bayescope.gui.models.data.keys.own_keys import with_own_keys
from bayescope.gui.models.data.keys.swept_beside import with_swept_keys
from bayescope.gui.models.data.keys.told_keys import with_told_keys
from bayescope.gui.models.data.meanings import first_predictions
from bayescope.gui.models.data.tables.split_table import with_columns_of
from bayescope.gui.models.plain import elided, one_line
from bayescope.gui.models.records import Column
from bayescope.gui.models.simulator.trials.trial import Trial

LONGEST_QUANTITY = 36  # characters of a name in the list of quantities: of those that begin alike the ends tell
MOST_MADE = 10  # columns that a split makes, by name
TWINS = "Two columns are called"  # begins what is said where that cannot be
NOTHING_SPLIT = "No column is split by"  # begins what is said where a column to split by is chosen alone
TAKE, LEAVE, SPLIT = "take", "leave out", "split"
KEY, MEASURED, ERRORS = "key", "measured", "errors"  # said by the user; TAKE: that is found out
PLAIN = (TAKE, KEY, MEASURED, ERRORS)
T = TypeVar("T", float, str)
AS_TIME = {f"in {unit}": seconds for unit, seconds in UNITS.items()}
ColumnRow = tuple[str, str, str]  # name in the file, name to use, what becomes of it


def _used(row: ColumnRow, use: str) -> ColumnRow:
    """Times made into numbers have what they count in behind their name, unless the user gave the column another one."""
    old, name, before = row
    dated = day_zero.counted(name)
    bare = name if dated is None else f"{dated.name} ({dated.unit})"
    if bare != _with_unit(old, before):
        return old, name if dated is None else dated.name, use
    return old, _with_unit(old, use), use


def _with_unit(name: str, use: str) -> str:
    bare = re.sub(r" *[(\[][^()\[\]]*[)\]]$", "", name) or name
    return f"{bare} ({use.removeprefix('in ')})" if use in AS_TIME else name


def _renamed(row: ColumnRow, text: str) -> ColumnRow:
    name = one_line(text.strip(), 200)
    if not name:
        raise ValueError("A column needs a name.")
    return row[0], name, row[2]


ROLE_COLUMNS: tuple[Column[ColumnRow], ...] = (
    Column("file", "Column in the file", "As it is called in the file.", lambda r: r[0]),
    Column("name", "Name to use", "Outputs of the same name are compared with it.", lambda r: r[1], _renamed),
    Column(
        "take",
        "Use",
        "take: found out by its name. key: rows are paired by it. leave out: not needed. split: one column for each quantity. "
        "in s, min, h, d: times as numbers.",
        lambda r: r[2],
        _used,
        choices=(*PLAIN, LEAVE, SPLIT, *AS_TIME),
    ),
)


def role_columns(table: Callable[[], DataTable | None]) -> tuple[Column[ColumnRow], ...]:
    """The columns of the list, of those of ``table``: some that hold texts are times, some are flags that are numbers."""

    def choices(row: ColumnRow) -> tuple[str, ...]:
        if (found := table()) is None or row[0] not in found.texts:
            return (*PLAIN, LEAVE, SPLIT)
        measured = (MEASURED,) if flags_as_numbers(found, row[0]) else ()
        return (TAKE, KEY, *measured, LEAVE, SPLIT, *AS_TIME)

    return (*ROLE_COLUMNS[:-1], replace(ROLE_COLUMNS[-1], choices_of=choices))


def first_rows(
    table: DataTable, by: str, known: Collection[str] = (), values: Sequence[str] | None = None
) -> list[ColumnRow]:
    """Every column is taken but remarks (texts that half of their table's rows or more lack) that are not ``known`` from the
    table there is, do not stand in single rows, speak against no row and name no value; those that hold the values are split if
    there is a column ``by`` to split by (``values``; None: found out)."""
    if values is None:
        values = long_form.value_columns(table, by) if by else []
        if by in table.texts and not any(map(says_value, values)):
            values = [*values, *measured_beside_times(table, table.texts[by])]
    names = [name for name in (*table.texts, *table.columns) if name not in (by, *long_form.parts(table, by))]
    remarks = [n for n in table.texts if n not in known and is_remark(table, n) and not says_quality(table, n)]
    numbers = list(table.columns)
    remarks = [n for n in remarks if not single_remarks(table, n) and not any(c and _asks(c, numbers) for c in table.texts[n])]
    return [(name, name, SPLIT if name in values else LEAVE if name in remarks else TAKE) for name in names]


def _asks(remark: str, columns: Sequence[str]) -> bool:
    """Whether a remark speaks against a row or a value of it, or is of a value."""
    return remarked_quantities(remark, columns) != () or bool(remarked_with_colon(remark, columns))


def newer_version(present: DataTable, table: DataTable, title: str, several: bool = False) -> bool:
    """Whether ``table``, from a file of this ``title``, rather is the ``present`` one corrected than a further one: the title is
    the same, or it has all columns of numbers and half of its rows stand in the present table already. Columns of the present
    table that were dates or times in its file may be that here; this one may have more columns. One without any column
    of the present table is a further one, whatever its title: pastes all have the same. ``several``: it is
    one of several tables of its file, of which only one with measured columns of the present table can be that."""
    shared = [name for name in present.columns if name in table.columns]
    others = [name for name in present.columns if name not in table.columns]
    if present.origin == title and several:
        return not shared_keys([present, table]).issuperset(shared)
    if present.origin == title or not shared or any(not any(n.startswith(t) for t in table.texts) for n in others):
        return present.origin == title and not {*present.columns, *present.texts}.isdisjoint((*table.columns, *table.texts))
    known = set(zip(*(present.columns[name] for name in shared), strict=True))
    rows = list(zip(*(table.columns[name] for name in shared), strict=True))
    return 2 * sum(row in known for row in rows) >= len(rows)


def first_day(table: DataTable, rows: Sequence[ColumnRow]) -> float | None:
    """The earliest date of the columns of dates that are used as numbers, in s since 1970; None: there is none."""
    found = [day_zero.first(table.texts.get(old, ())) for old, _, use in rows if use in AS_TIME]
    return min((start for start in found if start is not None), default=None)


def dated(table: DataTable, rows: Sequence[ColumnRow], start: float) -> list[ColumnRow]:
    """The rows with their day 0 in the names of columns of dates that are used as numbers."""

    def name_of(old: str, name: str, use: str) -> str:
        dates = use in AS_TIME and day_zero.first(table.texts.get(old, ())) is not None
        return day_zero.named(name, use.removeprefix("in "), start) if dates else name

    return [(old, name_of(old, name, use), use) for old, name, use in rows]


def made(table: DataTable, rows: Sequence[ColumnRow], by: str, start: float | None = None) -> DataTable:
    """The table as it is taken over; dates used as numbers count from ``start`` (s since 1970) on, None: from the first one.

    Raises ProblemError with words for what the choices contradict.
    """
    start = first_day(table, rows) if start is None else start
    rows = rows if start is None else dated(table, rows, start)
    used = [(old, name, use) for old, name, use in rows if use != LEAVE]
    names = [name for _, name, _ in used]
    if (twins := twins_in(table, rows)) is not None:
        raise ProblemError(f"{TWINS} “{one_line(twins[1], 60)}”.", "", "Give each its own name.")
    if not used:
        raise ProblemError("No column is used.", "", "Take at least one.")
    columns: dict[str, tuple[float | None, ...]] = {}
    limits: dict[str, tuple[str | None, ...]] = {}
    texts = {name: table.texts[old] for old, name, use in used if old in table.texts and use in PLAIN and use != MEASURED}
    for old, name, use in used:
        if use in AS_TIME:
            if old not in table.texts:
                raise ProblemError(f"“{one_line(old, 60)}” holds numbers already.", "", "Take it as it is.")
            columns[name] = long_form.times_as_numbers(table.texts[old], AS_TIME[use], start)
        elif use == MEASURED and old in table.texts:
            columns[name] = flags_as_numbers(table, old) or ()
        elif old in table.columns:
            columns[name] = _filled(columns.get(name), table.columns[old])
            if old in table.limits:
                limits[name] = _filled(limits.get(name), table.limits[old])
    for old, name, of in percent_errors(table, used):
        columns[name] = sds_of(old, table.columns[old], columns[of])
    split = [name for old, name, use in used if use == SPLIT]
    if split and not by:
        raise ProblemError("It is not said by which column the table is to be split.", "", "Choose it under “Split by”.")
    if by and not split:
        raise ProblemError(f"{NOTHING_SPLIT} “{one_line(by, 60)}”.", "", "Choose “split” for the measured values.")
    if by in table.columns and by not in names:
        numbered = DataTable(columns={**columns, by: table.columns[by]}, texts=texts, limits=limits, origin=table.origin)
        return split_with_units(numbered, by, split)
    if by:
        whole = DataTable(columns=columns, texts={**texts, by: long_form.labels(table, by)}, limits=limits, origin=table.origin)
        return split_with_units(whole, by, split)
    if not columns:
        raise ProblemError("No column of numbers is used.", "", "Take at least one.")
    return DataTable(columns=columns, texts=texts, limits=limits, origin=table.origin)


def twins_in(table: DataTable, rows: Sequence[ColumnRow]) -> tuple[str, str, str] | None:
    """The column of the file that has the name of one before it in the same rows, that name, and one that none has; None: all
    can be told apart, or go on in other rows."""
    used = [row for row in rows if row[2] != LEAVE]
    for k, (old, name, _) in enumerate(used):
        alike = [row for row in used if row[1] == name]
        if alike[0] != used[k] and not _of_other_rows(table, alike):
            return old, name, fresh(name, [n for _, n, _ in rows])
    return None


def joined_words(table: DataTable, rows: Sequence[ColumnRow]) -> str:
    """That columns of one name become one, a sentence; '' where none do."""
    names = [name for _, name, use in rows if use != LEAVE]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is None or twins_in(table, rows) is not None:
        return ""
    return f"{names.count(twice)} columns are called “{one_line(twice, 60)}”: each has values in other rows, they become one."


def percent_errors(table: DataTable, rows: Sequence[ColumnRow]) -> list[tuple[str, str, str]]:
    """Columns that were said to be errors and hold parts of the values as their names in the file say, under other names now: by
    both of these, and the name of their values."""
    names = [name for old, name, use in rows if old in table.columns and use in PLAIN]
    whose = {sd: value for value, sd in sd_pairs(names).items()}
    found = [(old, name, whose[name]) for old, name, use in rows if use == ERRORS and name != old and name in whose]
    return [(old, name, of) for old, name, of in found if parts_of(old, of) and not parts_of(name, of)]


def percent_words(table: DataTable, rows: Sequence[ColumnRow]) -> list[str]:
    """What becomes of such columns, a sentence each."""
    files = {name: old for old, name, _ in rows}
    found = [(old, files[of]) for old, _, of in percent_errors(table, [row for row in rows if row[2] != LEAVE])]
    return [words_of(old, of, table.columns[old], table.columns[of]) for old, of in found if of in table.columns]


def _of_other_rows(table: DataTable, rows: Sequence[ColumnRow]) -> bool:
    """Whether columns of numbers of one name stand beside no other: they are one column of two tables below each other."""
    cells = [table.columns.get(old, ()) for old, _, use in rows if use == TAKE]
    whole = len(cells) == len(rows) and all(cells)
    return whole and all(sum(v is not None for v in row) < 2 for row in zip(*cells, strict=True))


def _filled(first: Sequence[T | None] | None, cells: tuple[T | None, ...]) -> tuple[T | None, ...]:
    """``cells``, and where they are empty those of ``first``."""
    return cells if first is None else tuple(a if b is None else b for a, b in zip(first, cells, strict=True))


def quantities_words(table: DataTable, by: str, conditions: bool = False) -> str:
    """What the table is split by, for the window: its quantities, or ``conditions`` under each of which all was measured."""
    names = long_form.names_in(table, by)
    shown = ", ".join(elided(name, LONGEST_QUANTITY) for name in names[:6]) + (" …" if len(names) > 6 else "")
    if conditions:
        return f"{len(names)} conditions: {shown}."
    return f"{len(names)} quantities: {shown}." if len(names) != 1 else f"One quantity: {shown}."


def split_words(made: DataTable, table: DataTable) -> str:
    """Which columns a split of ``table`` makes, a sentence; errors aside."""
    sds, before = sd_columns(list(made.columns)), {*table.columns, *table.texts}
    names = [name for name in made.columns if name not in sds and name not in before]
    more = f" and {len(names) - MOST_MADE} more" if len(names) > MOST_MADE else ""
    return f"It makes {', '.join(one_line(name, LONGEST_QUANTITY) for name in names[:MOST_MADE])}{more}." if names else ""


def _below(present: DataTable, table: DataTable, title: str) -> DataTable:
    """Both tables; columns of one name are told apart by their file, or by the ``title`` of a further table of one file."""
    same = table.origin in present.origin.split(", ")
    return together([present, table], [present.origin or "first", (same and title) or table.origin or "second"])


def twins_words(present: DataTable, table: DataTable, title: str = "") -> str:
    """Which columns have the name of one of the present table, and what becomes of them below it; empty: none. ``title``: of the
    table in its file; '': it is the only one."""
    both = _below(present, table, title)
    there = {*present.columns, *present.texts}
    renamed = [name for name in (*both.columns, *both.texts) if name not in {*there, *table.columns, *table.texts}]
    twins = [name for name in (*table.columns, *table.texts) if name in there and any(r.startswith(name) for r in renamed)]
    if not twins:
        return ""
    old, new = ", ".join(f"“{one_line(n, 30)}”" for n in twins), ", ".join(f"“{one_line(n, 60)}”" for n in renamed)
    which = "It is" if len(twins) == 1 else "They are"
    return f"The present table has {old} too. {which} added as {new}: give another name under “Name to use”, if you like."


def with_table(problem: Problem, table: DataTable, trial: Trial | None = None, keys: Collection[str] = ()) -> Problem:
    """``problem`` with this table; when it is the first, outputs are compared with columns of their name and are predictions.
    ``keys``: columns of which the user said that rows are paired by them.

    A comparison whose column is not in it gets the one that names tell, or is asked for its column again.
    """
    problem = msgspec.structs.replace(problem, data=table)
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem if problem.outputs else msgspec.structs.replace(problem, meaning=first_predictions(problem))
    known = known_keys(problem, trial)
    none = {"left_out": (), "outside": None, "rows": ()}  # rows of the former table
    whole = tuple(msgspec.structs.replace(m, **none) for m in meaning.matches)
    matches = whole or first_predictions(problem, known).matches
    problem = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))
    if whole:
        return with_told_keys(with_columns_of(problem), keys, trial)
    paired = with_own_keys(with_told_keys(with_swept_keys(problem, trial), keys, trial), trial)
    return with_marked_keys(paired, trial, keys)


def _is_new(column: str, both: DataTable, old: DataTable) -> bool:
    """Whether ``column`` of ``both`` tables holds values of the one that was added: others were there, and are compared or not as
    the user has it."""
    before = len(next(iter((*old.columns.values(), *old.texts.values())), ()))
    return column in both.columns and any(has_value(both, column)[before:])


def with_table_below(
    problem: Problem, table: DataTable, trial: Trial | None = None, keys: Collection[str] = (), moves: bool = False,
    title: str = "",
) -> Problem:  # fmt: skip
    """``problem`` with the table below its present one; outputs that find a column of their name now are compared with it.
    ``keys``: as of ``with_table``. ``moves``: the present columns that count from a date get the day 0 of the new ones.
    ``title``: as of ``twins_words``."""
    old = problem.data
    if old is None:
        return with_table(problem, table, trial, keys)
    if moves and (start := day_zero.start_of(table)) is not None:
        problem = with_day_zero(problem, start)
        old = problem.data or old
    both = _below(old, table, title)
    problem = msgspec.structs.replace(problem, data=both)
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    present = {m.output for m in meaning.matches}
    told = first_predictions(problem, known_keys(problem, trial)).matches
    new = tuple(m for m in told if m.output not in present and (not present or _is_new(m.column, both, old)))
    problem = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=(*meaning.matches, *new)))
    problem = with_told_keys(problem, keys, trial)
    return problem if present else with_marked_keys(with_own_keys(problem, trial), trial, keys)
