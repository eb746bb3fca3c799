"""Rows that a column of flags says are no good, left out of all comparisons by a button for each flag. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bayescope.engine.problem.data.rows.text_keys import plain
from bayescope.engine.problem.data.tables.flag_legends import legend_of
from bayescope.engine.problem.data.tables.quality_flags import all_flags, says_quality
from bayescope.engine.problem.data.tables.quality_words import speaks_against
from bayescope.engine.problem.data.tables.remark_columns import is_remark, says_remark
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.rows.left_out import changed, matches_of, measured
from bayescope.gui.models.plain import one_line

OUT, KEEP = "Leave them &out", "They count"
HINT = "Left out, they stay in the table, and can be taken back there."
MOST_TOLD = 3  # texts of flags named in the question
LONGEST_TOLD = 60  # characters of each, with what the file says of it


@dataclass(frozen=True)
class Flagged:
    """``words``: how many rows are flagged and as what, a sentence; ``problem``: with them left out, called ``undo``."""

    words: str
    problem: Problem
    undo: str
    rows: tuple[int, ...] = ()


def flagged(problem: Problem, legends: Sequence[str] = ()) -> tuple[Flagged, ...]:
    """Of the rows that are compared still: a question for each flag, which may mean anything; one for all whose words say that
    they are no good, which comes first, then the rarest flag; of one column of flags after the other, then of remarks against
    rows. ``legends``: lines of the files that say what flags mean."""
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
        bad = {text: rows for text, rows in left.items() if flags.is_bad(text)}
        others = sorted(((t, r) for t, r in left.items() if t not in bad), key=lambda one: len(one[1]))
        some = [which for which in (bad, *({t: r} for t, r in others)) if which]
        asked += [_asked(problem, flags.column, which, flags.meanings) for which in some]
    seen = {row for one in asked for row in one.rows}
    for column, remarks in _remarks_against(problem).items():
        left = {text: [row for row in rows if counts(row) and row not in seen] for text, rows in remarks.items()}
        if left := {text: rows for text, rows in left.items() if rows}:
            asked.append(_asked(problem, column, left, {}, remarks=True))
    return tuple(asked)


def _remarks_against(problem: Problem) -> dict[str, dict[str, list[int]]]:
    """By column of remarks, the texts that speak against the rows they stand in, with these, the first is 1."""
    found: dict[str, dict[str, list[int]]] = {}
    table = problem.data
    for column, cells in () if table is None else table.texts.items():
        if table is None or says_quality(table, column) or not (says_remark(column) or is_remark(table, column)):
            continue
        for row, cell in enumerate(cells, 1):
            if cell and speaks_against(cell):
                found.setdefault(column, {}).setdefault(plain(cell), []).append(row)
    return found


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
    return Flagged(words, changed(problem, rows, True), undo, tuple(rows))


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
