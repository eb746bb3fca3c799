"""A comparison that has several measured values at each place, which another column tells apart: other conditions. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import same_names, sd_columns
from bayescope.engine.problem.data.names.name_words import names_told
from bayescope.engine.problem.data.rows.comparison import measured_cells
from bayescope.engine.problem.data.tables import long_form, naming_pairs
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.errors import ProblemError
from bayescope.gui.models.data.rows.left_out import matches_of
from bayescope.gui.models.data.tables.split_table import MOST_ROWS, Split, with_columns_of
from bayescope.gui.models.plain import one_line

REPEATS = "They are repeats"
HINT = "If they were measured under other conditions, each of these has an output of its own."


@dataclass(frozen=True)
class Repeated:
    """Comparison ``index``: ``words`` of what comes again, a sentence; ``split``: the table split by what tells it apart."""

    index: int
    words: str
    split: Split


def first_repeated(problem: d.Problem) -> Repeated | None:
    """The first comparison paired by keys of which most come again in the data, once for each label of another column."""
    data = problem.data
    if data is None or max(map(len, (*data.columns.values(), *data.texts.values())), default=0) > MOST_ROWS:
        return None
    singles = [*long_form.offered(data), *long_form.label_columns(data)]
    for index, match in enumerate(matches_of(problem)):
        keys = [name for _, name in match.keys]
        if not keys or match.column not in data.columns or any(k not in data.texts and k not in data.columns for k in keys):
            continue
        rows = np.flatnonzero(~np.isnan(measured_cells(match, data))).tolist()
        places = [tuple((data.texts.get(k) or data.columns[k])[i] for k in keys) for i in rows]
        often = Counter(places)
        if 2 * sum(n > 1 for n in often.values()) < len(often) or not often:
            continue
        for by in (*singles, *naming_pairs.pairs_offered(data)):
            told = long_form.parts(data, by)
            if set(told) & {*keys, match.column} or not _apart(long_form.labels(data, by), rows, places):
                continue
            split = _split(problem, by, match.column)
            if split is not None:
                most, where = max(often.values()), one_line(" and ".join(keys), 30)
                names = " and ".join(f"“{one_line(name, 24)}”" for name in told)
                what = f"{one_line(match.output, 24)} is compared with {most} measured values at one {where}"
                return Repeated(index, f"{what}: they differ in {names}.", split)
    return None


def _apart(labels: Sequence[str | None], rows: Sequence[int], places: Sequence[tuple[object, ...]]) -> bool:
    """Whether every row has a label, and no two of one place have the same."""
    found = [(labels[i], place) for i, place in zip(rows, places, strict=True)]
    return all(label for label, _ in found) and len(set(found)) == len(found)


def _split(problem: d.Problem, by: str, column: str) -> Split | None:
    assert problem.data is not None
    data = problem.data
    values = long_form.value_columns(data, by)
    if column not in values or any(m.column not in values for m in matches_of(problem)):
        errors = sd_pairs(list(data.columns))
        names = long_form.labels(data, by)
        compared = [c for c in data.columns if c in {m.column for m in matches_of(problem)} and _again(data.columns[c], names)]
        values = [*compared, *(errors[c] for c in compared if c in errors)]
    try:
        table = split_with_units(data, by, values)
    except ProblemError:
        return None
    gone = frozenset(data.columns) - frozenset(table.columns)
    new = [c for c in table.columns if c not in data.columns]
    outputs = [m.output for m in matches_of(problem) if m.column in gone]
    sds, new = sd_pairs(list(table.columns)), [c for c in new if c not in sd_columns(list(table.columns))]
    named = same_names(outputs, new)
    named |= names_told([o for o in outputs if o not in named], [c for c in new if c not in named.values()])
    return Split(by, with_columns_of(_named(problem, table, named, gone, sds)), gone, long_form.parts(data, by))


def _again(cells: Sequence[float | None], names: Sequence[str | None]) -> bool:
    """Whether a column has several values of one name: one of which each has one was measured once under each condition."""
    there = [name for name, v in zip(names, cells, strict=True) if name and v is not None]
    return len(set(there)) < len(there)


def _named(
    problem: d.Problem, table: d.DataTable, named: dict[str, str], gone: frozenset[str], sds: dict[str, str]
) -> d.Problem:
    """With that table; comparisons of columns that are ``gone`` have the column that names tell, and are paired as they were."""

    def moved(match: d.Match) -> d.Match:
        if match.column not in gone:
            return match
        column = named.get(match.output, "")
        return msgspec.structs.replace(match, column=column, sd_column=sds.get(column) if match.sd_column else None)

    meaning = problem.meaning
    assert isinstance(meaning, d.Predictions)
    kept = msgspec.structs.replace(meaning, matches=tuple(moved(m) for m in meaning.matches))
    return msgspec.structs.replace(problem, data=table, meaning=kept)
