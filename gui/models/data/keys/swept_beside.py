"""Sweeps side by side: each measured column stands beside the places of its own sweep, and so does each output. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import numpy as np

from bayescope.engine.problem.data.names.column_names import says_sd, says_where
from bayescope.engine.problem.data.rows.pairing import swept_outwards
from bayescope.engine.problem.definition import Match, Predictions, Problem
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import Array, compared
from bayescope.gui.models.data.keys.between_keys import stands_first
from bayescope.gui.models.data.keys.key_candidates import paired_by, same_places
from bayescope.gui.models.data.keys.own_table import same_table
from bayescope.gui.models.data.keys.possible_keys import rising_columns
from bayescope.gui.models.plain import one_line
from bayescope.gui.models.simulator.trials.trial import Trial

MOST_NAMED = 3  # columns, in a sentence
FEWEST = 3  # measured places; fewer lie between any numbers


@dataclass(frozen=True)
class Swept:
    """``problem`` with each measured column interpolated over the places beside it; ``pairs``: (places, values) among its data
    columns, those of every sweep."""

    problem: Problem
    pairs: tuple[tuple[str, str], ...]


def swept_words(places: Sequence[str]) -> str:
    """What data columns of ``places`` are."""
    named = [f"“{one_line(name, 20)}”" for name in places[:MOST_NAMED]]
    more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    listed = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 and not more else ", ".join(named) + more
    if len(places) == 1:
        return f"{listed} says where the values beside it were measured: it is no measured quantity itself."
    return f"{listed} say where the values beside them were measured: they are no measured quantities themselves."


def with_swept_keys(problem: Problem, trial: Trial | None) -> Problem:
    """``problem`` with its sweeps paired, each by its own places, where a test run tells that all of them are such."""
    found = None if trial is None else swept_beside(problem, trial.report, trial.second)
    return problem if found is None else found.problem


def swept_beside(problem: Problem, report: TrialRunReport | None, second: TrialRunReport | None = None) -> Swept | None:
    """Outputs that are compared with a column that only rises or only falls, right before a measured one in the file as in the
    program: they say where the values beside them are and predict nothing.

    None: there are none, or one that ``second``, a run at other values, shows to be a prediction.
    """
    meaning = problem.meaning
    if report is None or problem.data is None or not isinstance(meaning, Predictions):
        return None
    rising, columns = set(rising_columns(problem)), [c for c in problem.data.columns if not says_sd(c)]
    after = dict(pairwise(columns))
    by_column = {m.column: m for m in meaning.matches}
    made: dict[str, Match] = {}
    pairs = []
    for place in meaning.matches:
        values = by_column.get(after.get(place.column, ""))
        if place.keys or place.column not in rising or says_where(place.column) or values is None or values.keys:
            continue
        if not _places(problem, place, values, report, second):
            continue
        made[values.output] = msgspec.structs.replace(paired_by(values, [(place.output, place.column)]), interpolate=True)
        pairs.append((place, values))
    gone = {place.output for place, values in pairs if values.output in made} - {values.output for _, values in pairs}
    if not pairs or len(gone) != len(pairs):
        return None
    declared = {o.name: o for o in problem.outputs}
    others = [m for m in meaning.matches if not m.keys and m.output not in gone and m.output not in made]
    if any(same_table(declared[m.output], declared[place.output]) for m in others for place, _ in pairs if m.output in declared):
        return None  # one key of several quantities
    matches = tuple(made.get(m.output, m) for m in meaning.matches if m.output not in gone)
    told = tuple((place.column, values.column) for place, values in pairs)
    return Swept(msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches)), told)


def _places(
    problem: Problem, place: Match, values: Match, report: TrialRunReport, second: TrialRunReport | None
) -> bool:
    """Whether the output of ``place`` is a sweep beside that of ``values`` in the program's table, the same in both runs, and the
    measured places lie on it, as far as it goes."""
    declared = {o.name: o for o in problem.outputs}
    assert isinstance(problem.meaning, Predictions)
    assert problem.data is not None
    found = compared(problem, problem.meaning.matches.index(place), report)
    if found is None or not same_table(declared[place.output], declared[values.output]) or place.factor != 1.0 or place.offset:
        return False
    here, read = found[2].get(place.output), found[2].get(values.output)
    measured = np.array([v for v in problem.data.columns[place.column] if v is not None], dtype=float)
    if here is None or read is None or len(here) != len(read) or len(here) < FEWEST or not swept_outwards(here):
        return False
    if not stands_first(declared[place.output]) or len(measured) < FEWEST:
        return False
    step = float(np.max(np.abs(np.diff(here))))
    on_it = (measured >= here.min() - step) & (measured <= here.max() + step)  # a table may end where a quantity is gone
    if on_it.mean() < 0.5 or np.isin(measured, here).all():  # as many of the same: names and order tell more
        return False
    there = _again(problem, place, second)
    return there is None or same_places(here, there)


def _again(problem: Problem, place: Match, second: TrialRunReport | None) -> Array | None:
    assert isinstance(problem.meaning, Predictions)
    found = None if second is None else compared(problem, problem.meaning.matches.index(place), second)
    return None if found is None else found[2].get(place.output)

