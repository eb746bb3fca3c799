"""Rows of the data that are left out of comparisons: of all of them, or of one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bayescope.engine.problem.definition import Match, Predictions, Problem


def matches_of(problem: Problem) -> tuple[Match, ...]:
    """The comparisons row by row; none where outputs mean something else."""
    return problem.meaning.matches if isinstance(problem.meaning, Predictions) and problem.data is not None else ()


def measured(problem: Problem, match: Match, row: int) -> bool:
    """Whether ``match`` has a measured value, or a limit, in ``row`` of the table, the first is 1."""
    if problem.data is None:
        return False
    columns = problem.data.columns.get(match.column, ()), problem.data.limits.get(match.column, ())
    return any(1 <= row <= len(cells) and cells[row - 1] is not None for cells in columns)


def concerned(problem: Problem, rows: Iterable[int]) -> list[int]:
    """The comparisons that have a value in one of ``rows``."""
    wanted = list(rows)
    return [i for i, m in enumerate(matches_of(problem)) if any(measured(problem, m, row) for row in wanted)]


def of_column(problem: Problem, row: int, column: str) -> list[int]:
    """The comparisons with the measured value in ``row`` of ``column``."""
    return [i for i, m in enumerate(matches_of(problem)) if m.column == column and measured(problem, m, row)]


def all_out(problem: Problem, rows: Sequence[int], only: int | None = None) -> bool:
    """Whether all comparisons with a value in ``rows``, or the one ``only``, leave them out; False where there is none."""
    found = [
        row in m.left_out
        for i, m in enumerate(matches_of(problem))
        for row in rows
        if only in (None, i) and measured(problem, m, row)
    ]
    return bool(found) and all(found)


def changed(problem: Problem, rows: Sequence[int], out: bool, only: int | None = None) -> Problem:
    """With ``rows`` left out of all comparisons that have a value there, or of ``only`` one; not ``out``: taken back."""
    new = []
    for i, match in enumerate(matches_of(problem)):
        left = set(match.left_out)
        if only in (None, i):
            left = left | {row for row in rows if measured(problem, match, row)} if out else left - set(rows)
        kept = None if match.outside is None else tuple(row for row in match.outside if row in left)
        new.append(msgspec.structs.replace(match, left_out=tuple(sorted(left)), outside=kept))
    return _with(problem, new)


def alike(problem: Problem, index: int) -> Problem | None:
    """With the rows that comparison ``index`` leaves out left out of all the others too, and no more; None: they are."""
    matches = matches_of(problem)
    if not 0 <= index < len(matches):
        return None
    new = [m if i == index else _out_as(problem, m, matches[index]) for i, m in enumerate(matches)]
    return None if list(matches) == new else _with(problem, new)


def _out_as(problem: Problem, match: Match, model: Match) -> Match:
    rows = tuple(r for r in model.left_out if measured(problem, match, r))
    outside = {*(match.outside or ()), *(model.outside or ())}
    agreed = match.outside is not None or (model.outside is not None and match.interpolate)
    return msgspec.structs.replace(match, left_out=rows, outside=tuple(r for r in rows if r in outside) if agreed else None)


def struck(problem: Problem) -> dict[str, frozenset[int]]:
    """The rows (from 1) that are left out of a comparison by its data column; under "" those that are out of all."""
    found: dict[str, frozenset[int]] = {}
    for match in matches_of(problem):
        found[match.column] = found.get(match.column, frozenset()) | frozenset(match.left_out)
    some = {row for rows in found.values() for row in rows}
    return {**found, "": frozenset(row for row in some if all_out(problem, [row]))}


def rows_words(rows: Sequence[int]) -> str:
    """``row 6`` or ``3 rows``."""
    return f"row {rows[0]}" if len(rows) == 1 else f"{len(rows)} rows"


def _with(problem: Problem, matches: Sequence[Match]) -> Problem:
    assert isinstance(problem.meaning, Predictions)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=tuple(matches)))
