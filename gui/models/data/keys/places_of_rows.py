"""Places of rows: data columns that say where they are, and what the program prints beside its values that may be these. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.column_names import same_names, says_where
from bayescope.engine.problem.data.rows.comparison import key_codes
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.problem.definition import DataTable, Match, NumberList, Output, Predictions, Problem
from bayescope.engine.problem.marks.lists.list_offers import label_of_list
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.between_keys import one_of_each, stands_first
from bayescope.gui.models.data.keys.headings_beside import with_heading
from bayescope.gui.models.data.keys.key_candidates import Array, Key, keys_beside, may_pair
from bayescope.gui.models.data.keys.own_table import own_first
from bayescope.gui.models.data.keys.possible_keys import able_columns, has_entries

MOST_COLUMNS = 3  # of the data looked at: the program's table is read for each


def said_columns(data: DataTable, match: Match, marked: Collection[str], there: NDArray[np.intp]) -> list[str]:
    """Those of the columns that were said to pair rows, or of their twins in files put below, that have an entry in each of the
    rows ``there``."""
    names = [c for c in (*data.columns, *data.texts) if c in marked or any(c.startswith(f"{key} (") for key in marked)]
    return [c for c in names if c != match.column and np.isfinite(key_codes(data, c)[there]).all()]


def place_columns(problem: Problem, match: Match, data: DataTable, said: Collection[str]) -> list[str]:
    """The data columns that say where the rows of ``match`` are: those said to, else by their names, else that only rise."""
    if said:
        return [c for c in said if c in data.columns]
    assert isinstance(problem.meaning, Predictions)
    taken = {m.column for m in problem.meaning.matches}
    told = [c for c in data.columns if c not in taken and may_say_where(data, c) and may_pair(data, c)]
    told = [c for c in told if has_entries(data, c, match.column)]
    rising = [c for c in able_columns(problem, match.column) if c in data.columns and c != match.column and may_pair(data, c)]
    return (told or rising)[:MOST_COLUMNS]


def sweeps_beside(
    problem: Problem, match: Match, report: TrialRunReport, column: str, outputs: dict[str, Array], said: bool
) -> Iterator[tuple[Key, Array]]:
    """Outputs, and columns beside the values that no output reads, that only rise or only fall and may be the places: any where
    the user ``said`` that ``column`` is the key; else they stand first in their table, or their name says it."""
    assert isinstance(problem.meaning, Predictions)
    n, declared = len(outputs[match.output]), {o.name: o for o in problem.outputs}
    taken = [m.output for m in problem.meaning.matches if m.column]
    named, where = same_names(list(outputs), [column]), problem.data is not None and may_say_where(problem.data, column)

    def may_be(output: Output, values: Array, name: str) -> bool:
        usable = len(values) == n and bool((values < FIRST_LABEL).all()) and swept_outwards(values)
        if not usable or any(np.array_equal(values, outputs[o]) for o in taken if o in outputs):
            return False
        told = name in named or says_where(name) or (stands_first(output) and (where or not _numbers(values)))
        return said or told

    every = [
        (Key(name, column), outputs[name])
        for name in own_first(problem, match.output, outputs)
        if name not in taken and may_be(declared[name], outputs[name], name)
    ]
    every += [
        (key, key.codes) for key in keys_beside(problem, match, report, column)
        if key.declared is not None and key.codes is not None and may_be(key.declared, key.codes, _list_name(key.declared))
    ]  # fmt: skip
    places = {key.output: values for key, values in every}
    for key in one_of_each(problem, match.output, every):
        yield with_heading(key, report), places[key.output] if key.codes is None else key.codes


def _list_name(output: Output) -> str:
    return label_of_list(output.extractor.name) if isinstance(output.extractor, NumberList) else ""


def _numbers(values: Array) -> bool:
    """Whether values (n,) number rows from 0 or 1."""
    return values[0] in (0.0, 1.0) and bool((np.diff(values) == 1.0).all())
