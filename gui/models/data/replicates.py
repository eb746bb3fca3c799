"""Columns of repeated measurements that bear the name of an output: they are compared with it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.problem.data.names.column_names import sd_columns
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.repeats import are_repeats, repeats_of_outputs
from bayescope.engine.problem.definition import Match, Predictions, Problem


def named_repeats(problem: Problem) -> dict[str, str]:
    """Each column of the data that is a repeated measurement of an output by its name, with the output."""
    data = problem.data
    if data is None:
        return {}
    sds = sd_columns(list(data.columns))
    outputs, columns = [o.name for o in problem.outputs if not o.only_key], [c for c in data.columns if c not in sds]
    found = repeats_of_outputs(data, outputs, columns)
    if not found:
        return {}
    others = names_told([o for o in outputs if o not in found.values()], columns).values()
    return {column: output for column, output in found.items() if column not in others}


def twins_of(problem: Problem, columns: Sequence[str]) -> dict[str, Match]:
    """Each of the ``columns`` that repeats an output by its name, with the comparison of that output with a sibling of it."""
    meaning, data = problem.meaning, problem.data
    if not isinstance(meaning, Predictions) or data is None or not any(m.column for m in meaning.matches):
        return {}
    named = named_repeats(problem)
    found: dict[str, Match] = {}
    for column in (c for c in columns if c in named):
        mine = (m for m in meaning.matches if m.output == named[column] and m.column)
        if (twin := next((m for m in mine if are_repeats(data, m.column, column)), None)) is not None:
            found[column] = twin
    return found
