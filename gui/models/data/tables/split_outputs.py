"""An output that reads a table row by row into one list, compared with one data column: an output for each column. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import same_names, sd_columns
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.marks.tables.split_columns import split_columns
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import MOST_TEXT, text_of
from bayescope.gui.models.data.tables.label_rows import Labelled
from bayescope.gui.models.plain import one_line


def split(problem: d.Problem, index: int, report: TrialRunReport | None) -> Labelled | None:
    """What comparison ``index`` becomes where its output, with another number of values than were measured, is a table.

    Each column of that table becomes an output; they are compared with the data columns of their names, else with those from the
    compared one on, if there are as many. None: the output is no table, or its columns are no nearer to what was measured.
    """
    found = compared(problem, index, report)
    if found is None or report is None:
        return None
    match, data, outputs, _texts = found
    given, measured = len(outputs[match.output]), len(rows_with_value(data, match.column))
    if match.keys or given <= measured or given == len(data.columns[match.column]):
        return None
    whole = next(o for o in problem.outputs if o.name == match.output)
    text = text_of(whole.source, report)
    taken = [o.name for o in problem.outputs] + [p.name for p in problem.parameters]
    parts = split_columns(whole, text, taken) if text and len(text) <= MOST_TEXT else ()
    rows = given // max(1, len(parts))
    if not parts or abs(rows - measured) >= given - measured:
        return None
    words = f"They are {rows} {'row' if rows == 1 else 'rows'} of {len(parts)} numbers each, read row by row."
    named = _named([part.name for part in parts], problem, index, data)
    button = f"Split “{one_line(whole.name, 20)}” into {len(parts)} outputs"
    return Labelled(words, _with_parts(problem, index, parts, named), button)


def _named(parts: Sequence[str], problem: d.Problem, index: int, data: d.DataTable) -> dict[str, str]:
    """The data column of each part that has one."""
    assert isinstance(problem.meaning, d.Predictions)
    match = problem.meaning.matches[index]
    others = {m.column for i, m in enumerate(problem.meaning.matches) if i != index}
    free = [c for c in data.columns if c not in others and c not in sd_columns(list(data.columns))]
    named = same_names(parts, free)
    if match.column in named.values():
        return named
    following = free[free.index(match.column) :] if match.column in free else []
    return dict(zip(parts, following if len(following) == len(parts) else [match.column], strict=False))


def _with_parts(problem: d.Problem, index: int, parts: Sequence[d.Output], named: Mapping[str, str]) -> d.Problem:
    """The parts in place of the output that reads them all, unless that is needed elsewhere; each compared with its column."""
    assert isinstance(problem.meaning, d.Predictions)
    matches = problem.meaning.matches
    match = matches[index]
    used = {name for i, m in enumerate(matches) if i != index for name in (m.output, *(o for o, _ in m.keys))}
    outputs = [o for one in problem.outputs for o in (parts if one.name == match.output else (one,))]
    if match.output in used:
        outputs.append(next(o for o in problem.outputs if o.name == match.output))
    new = [msgspec.structs.replace(match, output=part, column=column) for part, column in named.items()]
    if len(new) > 1:
        new = [one if one.column == match.column else msgspec.structs.replace(one, sd_column=None) for one in new]
    meaning = msgspec.structs.replace(problem.meaning, matches=(*matches[:index], *new, *matches[index + 1 :]))
    return msgspec.structs.replace(problem, outputs=tuple(outputs), meaning=meaning)
