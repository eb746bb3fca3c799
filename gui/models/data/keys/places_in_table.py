"""Outputs and columns that stand beside others that are compared and say where these are: keys, no predictions. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.definition import Problem
from bayescope.gui.models.data.keys.between_keys import stands_first
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.possible_keys import rising_columns

Pair = tuple[str, str]


def without_places(problem: Problem, pairs: Sequence[Pair]) -> list[Pair]:
    """``pairs`` of outputs and columns that names tell, without those of places: r of a table of r and g(r), of which g(r) is
    compared with a column in the rows of the one that r is named like, which only rises or only falls and has no errors."""
    if problem.data is None:
        return list(pairs)
    data, declared, rising = problem.data, {o.name: o for o in problem.outputs}, set(rising_columns(problem))
    rows = {column: rows_with_value(data, column) for _, column in pairs if column in data.columns}

    def places(output: str, column: str) -> bool:
        mine = declared.get(output)
        if mine is None or column not in rising or column not in rows or not stands_first(mine):
            return False
        return any(
            o in declared and o != output and same_table(mine, declared[o]) and c not in rising and rows.get(c)
            and rows[c] <= rows[column]
            for o, c in pairs
        )  # fmt: skip

    return [(output, column) for output, column in pairs if not places(output, column)]
