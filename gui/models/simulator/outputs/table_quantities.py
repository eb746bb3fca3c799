"""Quantities that the table of measured data names and no output is there for yet, in words for the Outputs tab. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import msgspec

from bayescope.engine.problem.data.names.column_names import (
    loose_name,
    same_names,
    sd_columns,
    solid_name,
    without_unit,
)
from bayescope.engine.problem.data.names.name_words import names_by_words, words_in_english
from bayescope.engine.problem.data.names.titled_names import names_by_title
from bayescope.engine.problem.data.tables.long_form import value_columns
from bayescope.engine.problem.data.tables.naming_column import split_with_units
from bayescope.engine.problem.data.units.molar_masses import substances_told
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.problem.errors import ProblemError
from bayescope.engine.problem.marks.find_quantities import quantities, splitting_column
from bayescope.engine.problem.marks.quantity import Quantity
from bayescope.gui.models.data.new_comparison import compared_by_name, with_comparison
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial

FEW_NAMES = 3  # said one by one


def without_output(problem: Problem, sought: Collection[str] = ()) -> list[Quantity]:
    """The quantities of the table that no output is named after, compared with or a key beside; ``sought``: columns looked for in
    vain. Rows that an output is compared with are read, whatever their labels are."""
    if problem.data is None or _rows_read(problem):
        return []
    wanted = [q for q in quantities(problem.data) if q.column not in sought]
    outputs = [o.name for o in problem.outputs]
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    columns = {m.column for m in matches if m.output in outputs}
    pairs = (pair for m in matches if m.output in outputs for pair in ((m.output, m.column), *m.keys))
    read = {loose_name(without_unit(column)) for output, column in pairs if output in outputs}
    repeated = Counter(q.name for q in wanted)
    single = [q.name for q in wanted if repeated[q.name] == 1]
    known = set(_named(outputs, single).values())
    titled = set(names_by_title(outputs, [q.column for q in wanted]).values())
    counted = {stem for stem, n in repeated.items() if n > 1 and sum(_is_counted(o, stem) for o in outputs) >= n}
    return [
        q for q in wanted
        if q.column not in columns | titled
        and (q.name not in counted if repeated[q.name] > 1 else q.name not in known and loose_name(q.name) not in read)
    ]  # fmt: skip


def _is_counted(output: str, stem: str) -> bool:
    """Whether an output is called so, with a number behind where several are: Psi, Psi_2."""
    return solid_name(re.sub(r"_\d+$", "", output)) == solid_name(stem)


def _rows_read(problem: Problem) -> bool:
    """Whether a column of values, each row of which would name a quantity of its own, is compared as it stands."""
    data, meaning = problem.data, problem.meaning
    if data is None or not splitting_column(data) or not isinstance(meaning, Predictions):
        return False
    outputs, values = {o.name for o in problem.outputs}, value_columns(data)
    return any(m.output in outputs and m.column in values for m in meaning.matches)


def named_by_data(names: Sequence[str], problem: Problem) -> frozenset[str]:
    """Those of ``names`` that columns of the measured data have, keys among them, or the quantities that its rows name."""
    if problem.data is None:
        return frozenset()
    sds = set(sd_columns(list(problem.data.columns)))
    columns = [name for name in (*problem.data.columns, *problem.data.texts) if name not in sds]
    told = [without_unit(name) for name in columns]
    columns += [q.name for q in quantities(problem.data) if q.name not in (*columns, *told)]
    return frozenset(_named(names, columns))


def _named(outputs: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Each output with the column of its name: alike, by its words, by those of another language, or by a formula."""
    found = {**names_by_words(outputs, columns), **same_names(outputs, columns)}
    left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
    found |= substances_told(left, free)
    left, free = [o for o in outputs if o not in found], [c for c in columns if c not in found.values()]
    return found | names_by_words(left, free, words_in_english)


def offer_words(wanted: Sequence[Quantity]) -> str:
    """What is offered, with the first names."""
    n = len(wanted)
    names = ", ".join(one_line(q.name, 30) for q in wanted[:FEW_NAMES]) + (" …" if n > FEW_NAMES else "")
    what = f"Your table names {n} quantities" if n > 1 else "Your table names a quantity"
    return f"{what} not read yet: {names}."


def missing_words(missing: Sequence[Quantity]) -> str:
    """What was not found, by name; empty: everything was."""
    return f"Not found: {', '.join(one_line(q.name, 30) for q in missing)}" if missing else ""


def compared_words(n: int, before: Problem, after: Problem) -> tuple[str, str]:
    """What was done with ``n`` outputs that were found, and with the table."""
    done = f"{n} outputs are read and compared with the table." if n > 1 else "The output is read and compared with the table."
    return done, "The table has a column for each quantity now." if after.data != before.data else ""


def compared_with_table(
    problem: Problem, trial: Trial, names: Collection[str], columns: Mapping[str, str] = MappingProxyType({})
) -> Problem:
    """``problem`` with the outputs ``names``, found by the names in its table, compared with what was measured of them; a table
    that names the quantity of each row is split by that. The same problem where names do not tell. ``columns``: by output the
    column that it was found for, which tells where its name does not."""
    data = problem.data
    if data is None:
        return problem
    by = splitting_column(data)
    try:
        table = split_with_units(data, by) if by else data
    except ProblemError:
        return problem
    if not isinstance(problem.meaning, Predictions):
        return problem
    known = {*table.columns, *table.texts}
    kept = tuple(m for m in problem.meaning.matches if m.column in known or m.output not in names)
    changed = compared_by_name(
        msgspec.structs.replace(problem, data=table, meaning=msgspec.structs.replace(problem.meaning, matches=kept)), trial
    )
    for name in names:
        found = changed.meaning.matches if isinstance(changed.meaning, Predictions) else ()
        taken = {n for m in found if m.column for n in (m.output, *(key for key, _ in m.keys))} | {m.column for m in found}
        column = columns.get(name, "")
        if found and name not in taken and column not in taken and changed.data is not None and column in changed.data.columns:
            changed = with_comparison(changed, trial, name, column)
    found = changed.meaning.matches if isinstance(changed.meaning, Predictions) else ()
    told = {name for m in found if m.column for name in (m.output, *(key for key, _ in m.keys))}  # a key is paired by
    return changed if told >= set(names) else problem
