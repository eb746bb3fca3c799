"""Values left out of the comparisons with a table that another one took the place of: those that are in it again. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.definition import DataTable, Predictions, Problem
from bayescope.gui.models.data.rows.left_out import matches_of, measured
from bayescope.gui.models.plain import and_last

UNDO = "Leave out again"
MOST_NAMED = 6  # rows that are said one by one


def leaves_out(problem: Problem) -> bool:
    return any(match.left_out for match in matches_of(problem))


def left_again(before: Problem, after: Problem) -> tuple[Problem, tuple[int, ...]] | None:
    """``after`` without the values that ``before`` leaves out of the same comparisons, and in which rows (from 1) they stand;
    None: none of them counts. A row is the same where all cells are that both tables have, and only one row is so."""
    if before.data is None or after.data is None or not isinstance(after.meaning, Predictions):
        return None
    shared = [c for c in (*before.data.columns, *before.data.texts) if c in {*after.data.columns, *after.data.texts}]
    old, new = _rows(before.data, shared), _rows(after.data, shared)
    places: dict[tuple[object, ...], list[int]] = {}
    for row, cells in enumerate(new, 1):
        places.setdefault(cells, []).append(row)
    model = {(m.output, m.column): m for m in matches_of(before)}
    matches, found = [], set[int]()
    for match in after.meaning.matches:
        was = model.get((match.output, match.column))
        same = [places.get(old[r - 1], []) for r in (was.left_out if was is not None else ()) if 0 < r <= len(old)]
        rows = {r[0] for r in same if len(r) == 1 and measured(after, match, r[0])} - set(match.left_out)
        found |= rows
        matches.append(msgspec.structs.replace(match, left_out=tuple(sorted({*match.left_out, *rows}))) if rows else match)
    if not found:
        return None
    meaning = msgspec.structs.replace(after.meaning, matches=tuple(matches))
    return msgspec.structs.replace(after, meaning=meaning), tuple(sorted(found))


def again_words(rows: tuple[int, ...]) -> str:
    """What counts again, a sentence."""
    if len(rows) == 1:
        return f"Row {rows[0]}, which was left out of the table before, counts again."
    named = and_last(", ".join(map(str, rows))) if len(rows) <= MOST_NAMED else f"{rows[0]} to {rows[-1]}"
    return f"{len(rows)} rows that were left out of the table before count again: {named}."


def _rows(data: DataTable, columns: list[str]) -> list[tuple[object, ...]]:
    cells = [data.columns[c] if c in data.columns else data.texts[c] for c in columns]
    return list(zip(*cells, strict=True)) if len({len(c) for c in cells}) == 1 else []
