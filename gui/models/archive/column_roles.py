"""What the columns of a table that is imported are: keys by which rows are paired, measured values, errors, or nothing. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import says_where, sd_columns
from bayescope.engine.problem.data.rows.place_columns import counts_time, measured_places
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.problem.data.tables.index_columns import is_index
from bayescope.engine.problem.data.tables.quality_flags import flags_as_numbers, says_quality
from bayescope.engine.problem.data.tables.special_rows import sd_name
from bayescope.engine.problem.data.tables.tracked import tracked
from bayescope.engine.problem.definition import DataTable
from bayescope.gui.models.archive.import_columns import AS_TIME, ERRORS, KEY, LEAVE, MEASURED, SPLIT, TAKE, ColumnRow
from bayescope.gui.models.data.tables.file_rows import IGNORED, PAIRS

WORDS = {KEY: PAIRS, MEASURED: "measured", ERRORS: "errors", LEAVE: IGNORED, SPLIT: "measured", "label": "label", "flag": "flag"}
SAID = (KEY, MEASURED, ERRORS, LEAVE)  # by a click on a title


def role_of(table: DataTable, rows: Sequence[ColumnRow], column: str) -> str:
    """What a column of the file is taken for; '': it is no column of the list, since the table is split by it."""
    row = next((row for row in rows if row[0] == column), None)
    if row is None:
        return ""
    _, name, use = row
    if use in AS_TIME:
        return KEY
    if use != TAKE:
        return use
    if name in sd_columns([name for _, name, use in rows if use != LEAVE]):
        return ERRORS
    if column in table.texts:
        cells = table.texts[column]
        if unit_of(cells) or day_zero.first(cells) is not None:
            return KEY
        return "flag" if says_quality(table, column) else "label"
    place = counts_time(table, column) or (says_where(name) and column not in measured_places(table) | tracked(table))
    return KEY if place or is_index(table, column) else MEASURED


def pairing_roles(table: DataTable, rows: Sequence[ColumnRow]) -> dict[str, str]:
    """Of each column of numbers in the file that is a key or measured: which of the two."""
    found = {old: role_of(table, rows, old) for old, _, _ in rows if old in table.columns}
    return {old: role for old, role in found.items() if role in (KEY, MEASURED)}


def held_roles(table: DataTable, rows: Sequence[ColumnRow], before: Mapping[str, str]) -> list[ColumnRow]:
    """``rows`` where columns that are a key or measured now are that of the two which they were ``before``, by column."""
    now = pairing_roles(table, rows)
    return [(old, name, before[old] if old in now and before.get(old, now[old]) != now[old] else use) for old, name, use in rows]


def may_be(table: DataTable, column: str) -> tuple[str, ...]:
    """What a column can be said to be: texts pair rows, or are nothing; flags that are numbers may be measured all the same."""
    return SAID if column in table.columns else (KEY, MEASURED, LEAVE) if flags_as_numbers(table, column) else (KEY, LEAVE)


def titles(table: DataTable | None, rows: Sequence[ColumnRow], columns: Sequence[str]) -> tuple[str, ...]:
    """Words for each of the ``columns`` of the file; '' where there is nothing to say."""
    return tuple("" if table is None else WORDS.get(role_of(table, rows, column), "") for column in columns)


def as_said(table: DataTable, rows: Sequence[ColumnRow], said: Mapping[str, str]) -> list[ColumnRow]:
    """``rows`` with the columns of the file used as was ``said``, where they hold what that needs; errors have the name of what
    they are errors of."""
    used = [(old, name, _use(table, old, use, said.get(old, use))) for old, name, use in rows]
    measured = [name for old, name, use in used if use in (TAKE, MEASURED) and old in table.columns]
    measured = [name for name in measured if name not in sd_columns(measured)]
    found: list[ColumnRow] = []
    for k, (old, name, use) in enumerate(used):
        names = [n for _, n, _ in (*found, *used[k:])]
        before = [n for _, n, _ in found if n in measured]
        if use == ERRORS and before and name == old and name not in sd_pairs(names).values():
            name = sd_name(before[-1], names)
        found.append((old, name, use))
    return found


def _use(table: DataTable, column: str, found: str, said: str) -> str:
    if found == SPLIT and said in (TAKE, MEASURED):
        return SPLIT  # they are measured, of several quantities
    texts = column in table.texts
    fits = said not in (MEASURED, ERRORS) if texts else said not in AS_TIME
    fits = fits or (said == MEASURED and flags_as_numbers(table, column) is not None)
    return said if fits else found


def unsaid_names(rows: Sequence[ColumnRow], before: Sequence[ColumnRow]) -> list[ColumnRow]:
    """Columns that were errors ``before`` and are none now, under their own names again."""
    were = {old: name for old, name, use in before if use == ERRORS}
    return [(old, old if use != ERRORS and were.get(old) == name else name, use) for old, name, use in rows]


def keys(rows: Sequence[ColumnRow]) -> tuple[str, ...]:
    """The names of columns that were said to be keys."""
    return tuple(name for _, name, use in rows if use == KEY)
