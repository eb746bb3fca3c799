"""Rows of the data that hold no measurement: taken as the errors of their columns, or out of the table. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.tables.special_rows import (
    errors_in,
    errors_of,
    in_table,
    labels_of,
    with_errors,
    without_rows,
)
from bayescope.gui.models.plain import one_line

AS_ERRORS, OUT, MEASURED = "Take it as &errors", "Take it out o&f the table", "It was measured"
WHY = "As a row it would be compared with a value of the program."


@dataclass(frozen=True)
class ToldRow:
    """``row`` from 1; ``words``: what it holds, a sentence; ``button``: of what ``problem`` is then, called ``undo``."""

    row: int
    label: str
    words: str
    button: str
    problem: d.Problem
    undo: str


def told_rows(problem: d.Problem) -> Iterator[ToldRow]:
    """The rows that hold no measurement, as their labels tell."""
    n = max((len(c) for c in problem.data.columns.values()), default=0) if problem.data is not None else 0
    for special in in_table(problem.data, [o.name for o in problem.outputs]) if problem.data is not None else ():
        row = special.row + 1
        what = special.what if 2 * row > n else special.what.replace("above", "below")
        words = f"Row {row} (“{one_line(special.label, 30)}”) {what}."
        changed = as_errors(problem, row) if special.kind == "errors" else None
        if changed is not None:
            yield ToldRow(row, special.label, words, AS_ERRORS, changed, f"Take row {row} as errors")
        else:
            yield ToldRow(row, special.label, words, OUT, without(problem, (row,)), f"Take out row {row}")


def as_errors(problem: d.Problem, row: int) -> d.Problem | None:
    """With ``row`` (from 1) out of the table and its numbers as the standard deviations of its columns, in each comparison of
    them now and in those to come; None: it holds no error above zero."""
    data = problem.data
    if data is None:
        return None
    label = labels_of(data)[row - 1]
    found = errors_in(row - 1, label)
    if not errors_of(data, found):
        return None
    table, names = with_errors(data, found)
    meaning = problem.meaning
    if isinstance(meaning, d.Predictions):
        kept = tuple(_shifted(m, {row}) for m in meaning.matches)
        stated = tuple(_stated(m, names[m.column], meaning.noise) if m.column in names else m for m in kept)
        meaning = msgspec.structs.replace(meaning, matches=stated)
    return msgspec.structs.replace(problem, data=table, meaning=meaning)


def without(problem: d.Problem, rows: Sequence[int]) -> d.Problem:
    """With ``rows`` (from 1) out of the table; those that comparisons leave out are the same ones as before."""
    assert problem.data is not None
    meaning = problem.meaning
    if isinstance(meaning, d.Predictions):
        meaning = msgspec.structs.replace(meaning, matches=tuple(_shifted(m, set(rows)) for m in meaning.matches))
    return msgspec.structs.replace(problem, data=without_rows(problem.data, [row - 1 for row in rows]), meaning=meaning)


def _shifted(match: d.Match, gone: set[int]) -> d.Match:
    def kept(rows: Sequence[int]) -> tuple[int, ...]:
        return tuple(row - sum(g < row for g in gone) for row in rows if row not in gone)

    outside = None if match.outside is None else kept(match.outside)
    return msgspec.structs.replace(match, left_out=kept(match.left_out), outside=outside)


def _stated(match: d.Match, sd: str, common: d.NoiseModel) -> d.Match:
    """``match`` with its standard deviations in column ``sd``; models of counts and of correlated errors stay."""
    own, known = match.noise, d.GaussianKnown(sd_column=sd)
    if isinstance(own, d.StudentTNoise):
        scaled = msgspec.structs.replace(own, scale=None, parameter=None, percent=None, scale_column=sd)
        return msgspec.structs.replace(match, noise=scaled)
    if isinstance(own or common, d.GaussianInferred | d.GaussianIntegrated):
        return msgspec.structs.replace(match, noise=known, sd_column=None)
    if own is None and isinstance(common, d.GaussianKnown | d.StudentTNoise):
        return msgspec.structs.replace(match, sd_column=sd)
    if isinstance(own, d.GaussianKnown):
        alone = isinstance(common, d.GaussianKnown)
        return msgspec.structs.replace(match, noise=None if alone else known, sd_column=sd if alone else None)
    return match
