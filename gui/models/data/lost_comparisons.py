"""Comparisons whose column went with a table that was replaced: they come back with the column, as they were. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.problem.definition import Match, Predictions, Problem


def lost(before: Problem, after: Problem) -> tuple[Match, ...]:
    """Those of ``before`` that have no column in ``after``."""
    if not isinstance(before.meaning, Predictions) or not isinstance(after.meaning, Predictions):
        return ()
    waiting = {m.output for m in after.meaning.matches if not m.column}
    return tuple(m for m in before.meaning.matches if m.column and m.output in waiting)


def restored(problem: Problem, gone: Sequence[Match]) -> Problem:
    """``problem`` with comparisons without a column as they were in ``gone``, if their columns and keys are there."""
    if not isinstance(problem.meaning, Predictions) or problem.data is None:
        return problem
    present, outputs = {*problem.data.columns, *problem.data.texts}, {o.name for o in problem.outputs}
    taken = {m.column for m in problem.meaning.matches}
    fits = {
        m.output: msgspec.structs.replace(
            m, left_out=(), outside=None, rows=(), sd_column=m.sd_column if m.sd_column in present else None
        )
        for m in gone
        if m.column in problem.data.columns and m.column not in taken and all(o in outputs and c in present for o, c in m.keys)
    }
    matches = tuple(m if m.column else fits.get(m.output, m) for m in problem.meaning.matches)
    return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(problem.meaning, matches=matches))
