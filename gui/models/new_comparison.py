"""A comparison to add: its output, the column that its name or the number of its values tell, and the key beside them. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem.definition import Predictions, Problem
from bayescope.gui.models.known_keys import KnownKeys, completed, known_keys
from bayescope.gui.models.meanings import next_match
from bayescope.gui.models.own_keys import own_key
from bayescope.gui.models.taking_part import idle
from bayescope.gui.models.trial import Trial


def with_comparison(problem: Problem, trial: Trial, output: str | None = None, column: str = "") -> Problem:
    """``problem`` with one more comparison, of ``output`` and of ``column`` if they are given. What is not told stays open."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    known = known_keys(problem, trial)
    bare = next_match(problem, meaning.matches, known, output)
    wanted = column or bare.column or likely_column(problem, bare.output, known)
    match = bare if wanted == bare.column else completed(problem, bare, msgspec.structs.replace(bare, column=wanted), known)
    added = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=(*meaning.matches, match)))
    keyed = own_key(added, len(meaning.matches), trial.report, trial.second)
    return added if keyed is None else keyed[0]


def likely_column(problem: Problem, output: str, known: KnownKeys) -> str:
    """The only column in no comparison with as many measured values as ``output`` has; '' if there is none, or several."""
    n, columns = known.lengths.get(output), problem.data.columns if problem.data is not None else {}
    counts = {c: sum(v is not None and v == v for v in columns[c]) for c in idle(problem, known.steady).columns}
    fits = [c for c, count in counts.items() if count == n]
    return fits[0] if len(fits) == 1 else ""
