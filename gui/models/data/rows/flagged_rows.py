"""Rows that a column of flags says are no good, left out of all comparisons by a button for each flag. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bayescope.engine.problem.data.rows.text_keys import plain
from bayescope.engine.problem.data.tables.flag_legends import legend_of
from bayescope.engine.problem.data.tables.quality_flags import all_flags, says_quality, value_flagged
from bayescope.engine.problem.data.tables.remark_columns import is_remark, says_remark, single_remarks
from bayescope.engine.problem.data.tables.remarked_quantities import (
    marks_a_value,
    remarked_quantities,
    remarked_with_colon,
)
from bayescope.engine.problem.definition import DataTable, Match, Problem
from bayescope.engine.problem.numbers.shown_digits import spoken
from bayescope.gui.models.data.rows.left_out import changed, matches_of, measured
from bayescope.gui.models.plain import one_line

OUT, KEEP = "Leave them &out", "They count"
OUT_ONE, KEEP_ONE = "Leave it &out", "It counts"
ROWS, VALUES = "Do flagged rows count?", "Do values count that are remarked on?"
REMARKED = "Do rows count that have a remark?"
HINT = "Left out, they stay in the table, and can be taken back there."
MOST_TOLD = 3  # texts of flags named in the question
MOST_VALUES = 4  # of the row that is asked about
LONGEST_TOLD = 60  # characters of each, with what the file says of it


@dataclass(frozen=True)
class Flagged:
    """``words``: how many rows are flagged and as what, a sentence; ``problem``: with them left out, called ``undo``; or values
    of them that a remark names: ``caption``."""

    words: str
    problem: Problem
    undo: str
    rows: tuple[int, ...] = ()
    button: str = OUT
    keep: str = KEEP
    caption: str = ROWS
    hint: str = HINT
    against: bool = True  # words say that they are no good, or a flag may; a remark may say anything


def flagged(problem: Problem, legends: Sequence[str] = ()) -> tuple[Flagged, ...]:
    """Of the rows that are compared still: a question for each flag, which may mean anything; one for all whose words say that
    they are no good, which comes first, then the rarest flag; of one column of flags after the other, then of remarks against
    single values, and against rows. ``legends``: lines of the files that say what flags mean."""
    matches = matches_of(problem)
    if problem.data is None or not matches or not all(m.column for m in matches):
        return ()

    def counts(row: int) -> bool:
        return any(measured(problem, m, row) and row not in m.left_out for m in matches)

    asked: list[Flagged] = []
    columns = [*problem.data.texts, *problem.data.columns]
    for flags in all_flags(problem.data, legend_of(legends, columns)):
        left = {text: [row for row in rows if counts(row)] for text, rows in flags.bad.items()}
        left = {text: rows for text, rows in left.items() if rows}
        single = _of_single_values(problem, matches, left)
        asked += [_asked_of_values(problem, flags.column, {t: its}, True) for t, its in single.items() if its]
        left = {text: rows for text, rows in left.items() if text not in single}
        bad = {text: rows for text, rows in left.items() if flags.is_bad(text)}
        others = sorted(((t, r) for t, r in left.items() if t not in bad), key=lambda one: len(one[1]))
        some = [which for which in (bad, *({t: r} for t, r in others)) if which]
        asked += [_asked(problem, flags.column, which, flags.meanings) for which in some]
    seen = {row for one in asked for row in one.rows}
    for column, remarks in _remarks_against(problem, matches).items():
        new = {text: [(row, of) for row, of in found if row not in seen] for text, found in remarks.items()}
        values = {text: its for text, found in new.items() if (its := [one for one in found if one[1] is not None])}
        for against in (True, False):
            of_kind = {text: its for text, its in values.items() if _speaks_against(problem.data, text) == against}
            if of_kind:
                asked.append(_asked_of_values(problem, column, of_kind, against))
        whole = {text: [row for row, of in found if of is None and counts(row)] for text, found in new.items()}
        if whole := {text: rows for text, rows in whole.items() if rows}:
            asked.append(_asked(problem, column, whole, {}, remarks=True))
    seen |= {row for one in asked for row in one.rows}
    rows = [row for row in range(1, _rows(problem.data) + 1) if row not in seen]
    return (*asked, *_remarked(problem, matches, [row for row in rows if counts(row)]))


def _rows(table: DataTable) -> int:
    return max((len(cells) for cells in table.columns.values()), default=0)


def _remarked(problem: Problem, matches: Sequence[Match], rows: Sequence[int]) -> list[Flagged]:
    """Of these ``rows``, a question for each with a remark that speaks neither against it nor of a value; one for all of many."""
    table, keys = problem.data, {column for m in matches for _, column in m.keys}
    asked: list[Flagged] = []
    for column in () if table is None else (c for c in table.texts if c not in keys):
        assert table is not None
        every, numbers = single_remarks(table, column), list(table.columns)
        told = {row: every[row] for row in rows if row in every and not remarked_with_colon(every[row], numbers)}
        told = {row: text for row, text in told.items() if remarked_quantities(text, numbers) == ()}
        groups = [{row: text} for row, text in told.items()] if len(told) <= MOST_TOLD else [told]
        asked += [_asked_of_remarks(problem, column, group) for group in groups if group]
    return asked


def _asked_of_remarks(problem: Problem, column: str, told: Mapping[int, str]) -> Flagged:
    """Whether rows count of which something is ``told`` that may mean anything."""
    assert problem.data is not None
    rows, one = tuple(told), len(told) == 1
    shown = [f"“{one_line(text, LONGEST_TOLD)}” (row {row})" for row, text in list(told.items())[:MOST_TOLD]]
    more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    how = "One row that is compared has a remark" if one else f"{len(rows)} rows that are compared have remarks"
    words = f"{how} in “{one_line(column, 24)}”: {', '.join(shown)}{more}."
    cells = {name: column[rows[0] - 1] for name, column in problem.data.columns.items()}
    values = [f"{one_line(name, 24)} = {spoken(v)}" for name, v in cells.items() if v is not None]
    hint = f"Row {rows[0]}: {'; '.join(values[:MOST_VALUES])}. {HINT}" if one and values else HINT
    undo = f"Leave out row{'' if one else 's'} remarked on in {one_line(column, 24)}"
    button, keep = (OUT_ONE, KEEP_ONE) if one else (OUT, KEEP)
    return Flagged(words, changed(problem, list(rows), True), undo, rows, button, keep, REMARKED, hint, against=False)


def _of_single_values(
    problem: Problem, matches: Sequence[Match], flags: Mapping[str, Sequence[int]]
) -> dict[str, list[Remarked]]:
    """Of flags that name a column, the rows with the comparisons whose value of it counts still."""
    found: dict[str, list[Remarked]] = {}
    columns = () if problem.data is None else tuple(problem.data.columns)
    for text, rows in flags.items():
        if named := value_flagged(text, columns):
            of = ((row, _compared_by(problem, matches, named, row)) for row in rows)
            found[text] = [(row, which) for row, which in of if which]
    return found


Remarked = tuple[int, tuple[int, ...] | None]  # a row, from 1, and comparisons whose value of it a remark is of; None: of all


def _remarks_against(problem: Problem, matches: Sequence[Match]) -> dict[str, dict[str, list[Remarked]]]:
    """By column of remarks, the texts that speak against the rows they stand in, or against values of these that are compared
    still, with these."""
    found: dict[str, dict[str, list[Remarked]]] = {}
    table = problem.data
    for column, cells in () if table is None else table.texts.items():
        if table is None or says_quality(table, column) or not (says_remark(column) or is_remark(table, column)):
            continue
        for row, cell in enumerate(cells, 1):
            named = remarked_quantities(cell, list(table.columns)) if cell else ()
            if cell and named == ():
                named = remarked_with_colon(cell, list(table.columns))
            if not cell or named == () or (named is None and marks_a_value(cell) and _obeyed(table, matches, row)):
                continue
            of = None if named is None else _compared_by(problem, matches, named, row)
            if of != ():
                found.setdefault(column, {}).setdefault(plain(cell), []).append((row, of))
    return found


def _speaks_against(table: DataTable, remark: str) -> bool:
    """Whether a remark says that something is no good, not only of what it is."""
    return remarked_quantities(remark, list(table.columns)) != ()


def _compared_by(problem: Problem, matches: Sequence[Match], named: Sequence[str], row: int) -> tuple[int, ...]:
    """The comparisons with a value in ``row`` that counts still and is of one of the columns ``named``, or paired by it."""
    return tuple(
        i for i, m in enumerate(matches)
        if not {m.column, *(c for _, c in m.keys)}.isdisjoint(named) and measured(problem, m, row) and row not in m.left_out
    )  # fmt: skip


def _obeyed(table: DataTable, matches: Sequence[Match], row: int) -> bool:
    """Whether the value in ``row`` of a comparison is gone already, be it out or empty where the file marked it: not because the
    row is of another table, none of whose rows has a value in both columns."""
    cells = {m.column: table.columns[m.column] for m in matches if m.column in table.columns}
    there = [column for column in cells.values() if column[row - 1] is not None]
    beside = [c for c in cells.values() if any(_share_a_row(c, other) for other in there)]
    return any(row in m.left_out for m in matches) or any(column[row - 1] is None for column in beside or cells.values())


def _share_a_row(column: Sequence[float | None], other: Sequence[float | None]) -> bool:
    return any(a is not None and b is not None for a, b in zip(column, other, strict=True))


def _asked_of_values(problem: Problem, column: str, values: Mapping[str, Sequence[Remarked]], against: bool) -> Flagged:
    """Whether the single values count that remarks are of; ``against``: as these say that they are no good."""
    matches, out = matches_of(problem), problem
    names, rows = dict[str, None](), list[int]()
    for row, of in (one for found in values.values() for one in found):
        for i in of or ():
            out = changed(out, [row], True, i)
            names[one_line(matches[i].column, 24)] = None
            rows.append(row)
    one = len(rows) == 1
    told = ", ".join(f"“{one_line(text, LONGEST_TOLD)}”" for text in list(values)[:MOST_TOLD])
    more = "" if len(values) <= MOST_TOLD else f" and {len(values) - MOST_TOLD} more"
    which = " and ".join(list(names)[:MOST_TOLD]) + (" …" if len(names) > MOST_TOLD else "")
    of_rows = f"row {rows[0]}" if len(set(rows)) == 1 else f"{len(set(rows))} rows"
    how = f"The value of {which} in {of_rows} is" if one else f"{len(rows)} values ({which}, {of_rows}) are"
    words = f"{how} remarked on in “{one_line(column, 24)}”{' as no good' if against else ''}: {told}{more}."
    undo = f"Leave out what is remarked on in {one_line(column, 24)}"
    button = f"Leave {next(iter(names)).replace('&', '&&')} &out of {of_rows}" if len(names) == 1 else OUT
    return Flagged(words, out, undo, tuple(rows), button, KEEP_ONE if one else KEEP, VALUES)


def _asked(
    problem: Problem, column: str, left: Mapping[str, Sequence[int]], meanings: Mapping[str, str], remarks: bool = False
) -> Flagged:
    """Whether the rows with these flags, or ``remarks``, count. ``meanings``: of flags, in the words of the file."""
    rows = sorted(row for found in left.values() for row in found)
    named = {t: f"{t} = {meanings[t]}" if t in meanings else t for t in left}
    told = ", ".join(f"“{one_line(named[t], LONGEST_TOLD)}” ({len(r)})" for t, r in list(left.items())[:MOST_TOLD])
    more = "" if len(left) <= MOST_TOLD else f" and {len(left) - MOST_TOLD} more"
    how = "One row that is compared is" if len(rows) == 1 else f"{len(rows)} rows that are compared are"
    words = f"{how} flagged in “{one_line(column, 24)}”: {told}{more}."
    if remarks:
        words = f"{how} remarked on in “{one_line(column, 24)}” as no good: {told}{more}."
    undo = f"Leave out row{'s' if len(rows) > 1 else ''} flagged in {one_line(column, 24)}"
    out = changed(problem, rows, True)
    return Flagged(words, out, undo, tuple(rows), *((OUT_ONE, KEEP_ONE) if len(rows) == 1 else (OUT, KEEP)))


def same_text(problem: Problem, row: int, column: str) -> list[int]:
    """The rows of comparisons, the first of the table is 1, that have the text of ``row`` in a column of texts; none where it is
    the only one, or all have it."""
    cells = () if problem.data is None else problem.data.texts.get(column, ())
    text = plain(cells[row - 1] or "") if 1 <= row <= len(cells) else ""
    if not text:
        return []
    rows = [i for i, cell in enumerate(cells, 1) if plain(cell or "") == text]
    rows = [i for i in rows if len(rows) < len(cells) and any(measured(problem, m, i) for m in matches_of(problem))]
    return rows if len(rows) > 1 else []
