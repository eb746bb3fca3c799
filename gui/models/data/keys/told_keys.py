"""Columns of which the user said that they pair rows: they are compared with nothing, and pair what they can. Pure."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from bayescope.engine.problem.data.names.column_names import same_names
from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.known_keys import known_keys
from bayescope.gui.models.data.taking_part import set_aside, unpaired
from bayescope.gui.models.simulator.trials.trial import Trial


def with_told_keys(problem: Problem, keys: Collection[str], trial: Trial | None) -> Problem:
    """``problem`` with no comparison of the columns ``keys``; comparisons without a key are paired by that of them which an
    output of its name or its values has. Those that pair nothing yet are asked about no more."""
    meaning, data = problem.meaning, problem.data
    if not keys or data is None or not isinstance(meaning, Predictions):
        return problem
    known = known_keys(problem, trial)
    named = same_names([o.name for o in problem.outputs], [*data.texts, *data.columns])
    pairs = dict.fromkeys(p for p in (*known.pairs, *known.likely, *named.items()) if p[1] in keys and p not in known.unlike)
    matches = []
    for match in meaning.matches:
        if match.column in keys:
            continue
        fits = [] if match.keys else [p for p in pairs if known.keys_of(problem, match.output, match.column, [p]) == [p]]
        matches.append(paired_by(match, fits[:1]) if fits else match)
    changed = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=tuple(matches)))
    left = tuple(c for c in unpaired(changed).columns if c in keys)
    return set_aside(changed, left) if left else changed
