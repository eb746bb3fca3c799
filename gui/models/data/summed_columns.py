"""A compared column that is the sum of other compared ones, all ages beside each age: what was measured counts twice. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.echoes import Echo, without_comparison
from bayescope.gui.models.plain import one_line

HINT = "What was measured once would count twice, so that the answer would be surer than the data are."
UNDO = "Leave out a column of sums"
CAPTION = "A column is the sum of others"
FEWEST_ROWS = 3  # in which a sum is no chance
FEWEST_PARTS = 2
ROUNDED = 2e-3  # relative: of decimals that were cut before or after the sum

Column = Sequence[float | None]


def first_sum(problem: Problem, kept: frozenset[str]) -> Echo | None:
    """The first comparison with a column of sums of others that are compared; ``kept``: words that were passed over."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions) or problem.data is None:
        return None
    compared = {match.column for match in meaning.matches}
    columns = {name: cells for name, cells in problem.data.columns.items() if name in compared}
    for row, match in enumerate(meaning.matches):
        parts = parts_of(match.column, columns)
        words = sum_words(match.column, parts)
        if parts and words not in kept:
            return Echo(row, words, without_comparison(problem, row), HINT, UNDO, CAPTION)
    return None


def parts_of(name: str, columns: Mapping[str, Column]) -> tuple[str, ...]:
    """The columns of which ``name`` is the sum in every row in which it has a value: all others that have values there, or those
    next to it; () for none. ``columns``: by name, (n,) each, None for no value."""
    own = columns.get(name, ())
    rows = [i for i, v in enumerate(own) if v is not None]
    if len(rows) < FEWEST_ROWS or not any(own[i] for i in rows):
        return ()
    names = [one for one, cells in columns.items() if one == name or all(cells[i] is not None for i in rows)]
    at = names.index(name)
    runs = [[*names[:at], *names[at + 1 :]]]
    runs += [names[first:at] for first in range(at)] + [names[at + 1 : last] for last in range(at + 2, len(names) + 1)]
    for run in runs:
        if len(run) >= FEWEST_PARTS and all(_is_sum(own[i], [columns[one][i] for one in run]) for i in rows):
            return tuple(run)
    return ()


def sum_words(name: str, parts: Sequence[str]) -> str:
    """That a column is the sum of others, a sentence."""
    return f"“{one_line(name, 30)}” is the sum of {len(parts)} other columns that are compared too."


def _is_sum(whole: float | None, parts: Sequence[float | None]) -> bool:
    return whole is not None and math.isclose(whole, math.fsum(v for v in parts if v is not None), rel_tol=ROUNDED, abs_tol=1e-12)
