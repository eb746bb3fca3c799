"""Outputs that came with a table of data, since rows are paired by them: which, in words, and the problem without them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.problem.data.names.same_meaning import mean_the_same
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.headings_beside import name_in_program
from bayescope.gui.models.data.keys.part_keys import with_keys
from bayescope.gui.models.data.taking_part import listed

UNDO = "Without the added outputs"


def added_outputs(before: Problem, after: Problem) -> tuple[str, ...]:
    """The outputs of ``after`` that ``before`` has not."""
    there = {o.name for o in before.outputs}
    return tuple(o.name for o in after.outputs if o.name not in there)


def added_words(problem: Problem, names: Sequence[str], report: TrialRunReport | None = None) -> tuple[str, str, str]:
    """That they were added, why, and the words of the button that takes them out again. ``report``: of the newest test run, in
    which the program may call them otherwise."""
    one = len(names) == 1
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    columns = tuple(dict.fromkeys(column for m in matches for output, column in m.keys if output in names))
    by = f" by {listed(columns)}" if columns else ""
    words = f"{'Output' if one else 'Outputs'} {listed(tuple(names))} {'was' if one else 'were'} added with the table."
    declared = {o.name: o for o in problem.outputs}
    others = {name: told for name in names if name in declared and (told := name_in_program(declared[name], report))}
    called = tuple(told for name, told in others.items() if not mean_the_same(name, told))
    what = ("it" if one else "them") if not called else f"{listed(called)}, with the same entries,"
    why = f"The program prints {what} beside its values{f': rows are paired{by}' if columns else ''}."
    return words, why, "Pair in order, without it" if one else "Pair in order, without them"


def without_added(problem: Problem, names: Sequence[str]) -> Problem:
    """``problem`` without these outputs: comparisons that are paired by them are paired without."""
    changed = problem
    matches = problem.meaning.matches if isinstance(problem.meaning, Predictions) else ()
    for i, match in enumerate(matches):
        kept = [key for key in match.keys if key[0] not in names]
        changed = changed if len(kept) == len(match.keys) else with_keys(changed, i, kept)
    return msgspec.structs.replace(changed, outputs=tuple(o for o in problem.outputs if o.name not in names))
