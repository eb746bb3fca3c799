"""A comparison to add: its output, the column that its name or the number of its values tell, and the key beside them. Pure."""

from __future__ import annotations

import re

import msgspec

from bayescope.engine.problem.data.names.codes import codes_differ
from bayescope.engine.problem.data.names.column_names import VALUE_WORDS, loose_name, same_names
from bayescope.engine.problem.data.names.name_words import names_told, words_in
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.definition import GaussianKnown, Match, Predictions, Problem
from bayescope.gui.models.data.keys.copied_pairing import like_twin
from bayescope.gui.models.data.keys.key_candidates import paired_by
from bayescope.gui.models.data.keys.known_keys import KnownKeys, completed, known_keys
from bayescope.gui.models.data.keys.marked_keys import with_marked_keys
from bayescope.gui.models.data.keys.own_keys import own_key, with_own_keys
from bayescope.gui.models.data.keys.part_keys import with_key
from bayescope.gui.models.data.keys.possible_keys import rising_columns
from bayescope.gui.models.data.keys.running_numbers import numbers_rows
from bayescope.gui.models.data.meanings import first_predictions, next_match
from bayescope.gui.models.data.names_in_units import in_possible_units
from bayescope.gui.models.data.replicates import named_repeats, twins_of
from bayescope.gui.models.data.taking_part import Idle, idle
from bayescope.gui.models.simulator.trials.trial import Trial

SHORTEST_WORD = 3  # letters of one that tells by itself


def with_comparison(problem: Problem, trial: Trial, output: str | None = None, column: str = "") -> Problem:
    """``problem`` with one more comparison, of ``output`` and of ``column`` if they are given. What is not told stays open."""
    meaning = problem.meaning
    if not isinstance(meaning, Predictions):
        return problem
    if (twin := twins_of(problem, [column]).get(column)) is not None and output in (None, twin.output):
        both = (*meaning.matches, like_twin(problem, twin, column))
        return msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=both))
    known = known_keys(problem, trial)
    bare = next_match(problem, meaning.matches, known, output)
    wanted = column or bare.column or likely_column(problem, bare.output, known)
    match = bare if wanted == bare.column else completed(problem, bare, msgspec.structs.replace(bare, column=wanted), known)
    added = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=(*meaning.matches, match)))
    keyed = own_key(added, len(meaning.matches), trial.report, trial.second)
    if keyed is None and not match.keys and match.column:  # as its neighbours are
        pairs = dict.fromkeys(key for m in meaning.matches if len(m.keys) == 1 for key in m.keys)
        own = [key for key in pairs if match.output != key[0] and known.lengths.get(match.output) == known.lengths.get(key[0])]
        if len(own) == 1 and own[0][0] in known.lengths and own[0][1] != match.column:
            return with_key(added, len(meaning.matches), own[0])
    return added if keyed is None else keyed[0]


def compared_by_name(problem: Problem, trial: Trial) -> Problem:
    """``problem`` with what names tell, whole or as words; comparisons that have their column keep what was chosen for them."""
    meaning = problem.meaning
    told = first_predictions(problem, known_keys(problem, trial), words=True)
    if not isinstance(meaning, Predictions):
        return with_marked_keys(with_own_keys(msgspec.structs.replace(problem, meaning=told), trial), trial)
    by_pair = {(m.output, m.column): m for m in told.matches}
    sized = meaning.noise != GaussianKnown()
    declared, named = {o.name for o in problem.outputs}, {m.column for m in told.matches}
    gone = [m for m in meaning.matches if m.output not in declared and m.column in named]  # its column has another output now
    kept = tuple(_filled(m, by_pair.get((m.output, m.column)), sized) for m in meaning.matches if m.column and m not in gone)
    new = tuple(m for m in told.matches if m.output not in {k.output for k in kept})
    there = {m.column for m in (*kept, *new)}
    twins = twins_of(problem, [m.column for m in told.matches if m.column not in there])
    new += tuple(like_twin(problem, twin, column) for column, twin in twins.items())
    open_ones = tuple(m for m in meaning.matches if not m.column and m.output not in {n.output for n in new})
    matches = (*kept, *new, *open_ones)
    if matches == meaning.matches:
        return problem
    whole = msgspec.structs.replace(problem, meaning=msgspec.structs.replace(meaning, matches=matches))
    return with_marked_keys(with_own_keys(whole, trial), trial)


def _filled(match: Match, told: Match | None, sized: bool) -> Match:
    """``match`` with the key that names tell, and the errors unless their size is known (``sized``), where it has none."""
    if told is None:
        return match
    if match.sd_column is None and match.noise is None and not sized:
        match = msgspec.structs.replace(match, sd_column=told.sd_column)
    return match if match.keys else paired_by(match, told.keys)


def likely_pair(problem: Problem, left: Idle, known: KnownKeys) -> tuple[str | None, str]:
    """Of the outputs and columns ``left``, but for columns that only number rows, those to be compared first: which names tell
    (an output that is compared already with another column that repeats its measurement, too), else an output and the column with
    as many values, else the first column that is no rising row of numbers without errors, as places are; '': there is none."""
    kept = tuple(c for c in left.columns if c not in known.marked) or left.columns
    measured = tuple(c for c in kept if problem.data is None or not numbers_rows(problem.data, c))
    left = Idle(left.outputs, measured or kept)
    if not left.columns:
        return None, ""
    named, twins = named_repeats(problem), twins_of(problem, left.columns)
    for column in left.columns:
        if column in twins or named.get(column) in left.outputs:
            return named[column], column
    told = same_names(left.outputs, left.columns)
    told = told or in_possible_units(problem, names_told(left.outputs, left.columns))
    if told:
        return next(iter(told.items()))
    for output in left.outputs:
        if (column := likely_column(problem, output, known)) in left.columns:
            return output, column
    places = set(rising_columns(problem))
    return (*left.outputs, None)[0], min(left.columns, key=lambda column: column in places)


def likely_column(problem: Problem, output: str, known: KnownKeys) -> str:
    """The only column in no comparison that shares a word with the name of ``output`` and no other one, else the only one with as
    many measured values; none that was said to be a key. '' if there is none, or several."""
    left = [c for c in idle(problem, known.steady).columns if c not in known.marked]
    words = _words_of(output)
    told = [c for c in left if words & {w.casefold() for w in words_in(c)}]
    if len(told) == 1 and in_possible_units(problem, {output: told[0]}) and not codes_differ(output, told[0]):
        rivals = (o.name for o in problem.outputs if o.name != output and not o.only_key)
        if not any(_words_of(o) & {w.casefold() for w in words_in(told[0])} for o in rivals):
            return told[0]
    declared = {o.name: o.length for o in problem.outputs}
    n = known.lengths.get(output, declared.get(output))
    data = problem.data
    counts = {} if data is None else {c: len(rows_with_value(data, c)) for c in left}
    fits = [c for c, count in counts.items() if count == n]
    return fits[0] if len(fits) == 1 else ""


def _words_of(output: str) -> set[str]:
    """Those of a name that say of what it is, without its unit."""
    return {w for w in re.split(r"[\W_]+", loose_name(output)) if len(w) >= SHORTEST_WORD and w not in VALUE_WORDS}
