"""Columns of repeated measurements that bear the name of an output: they are compared with it, each as its siblings are. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
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


def like_twin(problem: Problem, twin: Match, column: str, behind: str = "") -> Match:
    """The comparison ``twin`` for another ``column``, in its unit, with its own keys and deviations where these have ``behind``
    them; those of a repeated measurement ('' behind) are the same, but for errors of its own."""
    data = problem.data
    present = {*data.columns, *data.texts} if data is not None else set()

    def own(name: str | None) -> str | None:
        return f"{name}{behind}" if name and f"{name}{behind}" in present else name

    key, second = own(twin.key_column), own(twin.second_key_column)
    sd = own(twin.sd_column)
    if behind:
        sd = sd if sd != twin.sd_column else None
    elif data is not None and sd is not None and (sds := sd_pairs(list(data.columns))).get(twin.column) == sd:
        sd = sds.get(column)
    return msgspec.structs.replace(
        twin, column=column, key_column=key, second_key_column=second, sd_column=sd, left_out=(), rows=()
    )
