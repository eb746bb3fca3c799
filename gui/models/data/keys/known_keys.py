"""Which outputs say where rather than what: told by the values of two runs and of the data, for pairing rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import same_names, says_where, sd_columns, unit_in
from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes
from bayescope.engine.problem.data.rows.key_scale import AS_IT_IS, with_scale
from bayescope.engine.problem.data.rows.own_rows import filled_cells, measured_rows
from bayescope.engine.problem.data.rows.pairing import by_key, tolerance
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.tables.quality_flags import is_flags
from bayescope.engine.problem.extract import Reading
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.keys.key_candidates import Pair, paired_by, same_places
from bayescope.gui.models.data.keys.nearly_keys import key_by_values
from bayescope.gui.models.data.keys.part_keys import agree, match_of, most_pairs
from bayescope.gui.models.data.keys.possible_keys import has_entries
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.simulator.outputs.output_views import read, texts_of
from bayescope.gui.models.simulator.trials.trial import Trial

Array = NDArray[np.float64]
FEWEST = 2  # rows that are told apart by a key
MOST_VALUES = 100_000  # of one output or column that are looked at when keys are sought
ANSWERS_KEPT = 4  # what is shown of one state asks the same some ten times


@dataclass(frozen=True)
class KnownKeys:
    """``lengths``: how many values each output had in the newest run, where that is known.

    ``steady``: outputs that are the same at other values of the parameters, so they predict nothing. ``pairs``: those of them
    with a column whose every entry they hold, or most where a run may lack some; as long as no second run is known, the one
    whose values say so. ``likely``: any outputs and columns of which
    that is so in the newest run. ``unlike``: those of one name of which it is not so.
    ``echoes``: steady outputs that are the whole column, value by value: the program prints the data again. ``marked``: columns
    that were said to be keys as their files were imported.
    """

    lengths: Mapping[str, int] = field(default_factory=dict)
    steady: frozenset[str] = frozenset()
    pairs: tuple[Pair, ...] = ()
    likely: tuple[Pair, ...] = ()
    unlike: frozenset[Pair] = frozenset()
    echoes: frozenset[Pair] = frozenset()
    marked: tuple[str, ...] = ()

    def keys_of(self, problem: d.Problem, output: str, column: str, named: Sequence[Pair]) -> Sequence[Pair]:
        """What pairs the rows of ``output`` with those of ``column`` ('' if not chosen yet): a pair that fits, else ``named``."""
        fits = [key for key in self.pairs if self._fits(problem, output, column, key)]
        alone = fits[:1] if len(fits) == 1 or column else []
        if named and (not alone or any(key in fits for key in named)):
            return named if all(self._fits(problem, output, column, key) for key in named) else ()
        return alone

    def _fits(self, problem: d.Problem, output: str, column: str, key: Pair) -> bool:
        """As many values of both outputs, and a key wherever something was measured."""
        data = problem.data
        if data is None or output == key[0] or column == key[1]:
            return False
        lengths = {self.lengths[name] for name in (output, key[0]) if name in self.lengths}
        if len(lengths) > 1:
            return False
        cells = {**data.texts, **data.columns}.get(key[1])
        if column not in data.columns or cells is None:
            return True
        there, keyed = np.flatnonzero(measured_rows(data, column)), filled_cells(cells)
        return len(there) == 0 or bool(there[-1] < len(keyed) and np.all(keyed[there]))


@dataclass(frozen=True)
class _Asked:
    """All that an answer depends on; ``settled``: outputs that were steady once, and columns said to be keys."""

    problem: d.Problem
    report: TrialRunReport | None
    second: TrialRunReport | None
    settled: tuple[tuple[d.Output, ...], tuple[str, ...]]

    def is_again(self, other: _Asked) -> bool:
        """Problems and reports never change: they are not compared but by whether they are the same."""
        same = self.problem is other.problem and self.report is other.report and self.second is other.second
        return same and self.settled == other.settled


_answered: deque[tuple[_Asked, KnownKeys]] = deque(maxlen=ANSWERS_KEPT)


def known_keys(problem: d.Problem, trial: Trial | None) -> KnownKeys:
    """What the newest test run, and one at other values if there was one, tell of the outputs declared now; of what they told
    once, which outputs are steady."""
    if trial is None or problem.data is None:
        return KnownKeys()
    answers = trial.answers
    asked = _Asked(problem, trial.report, trial.second, (tuple(answers.settled.steady), tuple(answers.keys)))
    found = next((known for before, known in _answered if asked.is_again(before)), None)
    if found is None:
        found = _found(asked, problem.data)
        _answered.append((asked, found))
    return found


def _found(asked: _Asked, data: d.DataTable) -> KnownKeys:
    problem, (settled, keys) = asked.problem, asked.settled
    told_once = settled if asked.second is None else ()
    once = frozenset(o.name for o in problem.outputs if o in told_once)
    marked = tuple(c for c in keys if c in data.columns or c in data.texts)
    if asked.report is None:
        return KnownKeys(steady=once, pairs=_named_places(problem), marked=marked)
    here, there = texts_of(asked.report), texts_of(asked.second)
    values = {o.name: found for o in problem.outputs if (found := _values(o, here)) is not None}
    again = {o.name: found for o in problem.outputs if o.name in values and (found := _values(o, there)) is not None}
    steady = {name for name, found in again.items() if same_places(values[name], found)}
    lengths = {name: len(found) for name, found in values.items()}
    sds = sd_columns(list(data.columns))
    columns = [c for c in data.columns if c not in sds]
    places = {c: _Places.of(data, c) for c in columns}
    alike = same_names([n for n in values if n in steady], columns)
    pairs = [(o, c) for o in values if o in steady for c in sorted(columns, key=lambda c: alike.get(o) != c)]
    told = [(key, _holds(data, places[key[1]], values[key[0]], key[1])) for key in pairs]
    kept = tuple(key for key, share in sorted(told, key=lambda pair: -pair[1]) if share)
    place = None if kept else key_by_values(data, values)
    if place is not None and (place[0] in steady or place[0] not in again):
        kept = (place,)
    same = same_names(list(values), columns)
    every = sorted(((o, c) for o in values for c in columns), key=lambda key: same.get(key[0]) != key[1])
    longest = max((*map(len, values.values()), *map(len, data.columns.values())), default=0)
    every = every[: most_pairs(longest)]
    shares = {key: _holds(data, places[key[1]], values[key[0]], key[1]) for key in every}
    likely = tuple(key for key in every if shares[key])
    unlike = frozenset(k for k in same.items() if k in shares and not shares[k])
    echoes = frozenset((o, c) for o, c in pairs if _repeats(data, values[o], c))
    return KnownKeys(lengths, once | steady, kept, likely, unlike, echoes, marked)


def _named_places(problem: d.Problem) -> tuple[Pair, ...]:
    """Outputs of labels, and others that say where, with the columns of their names: what was a key once, before any test run."""
    assert problem.data is not None
    places = [o.name for o in problem.outputs if o.text or says_where(o.name)]
    return tuple(same_names(places, [*problem.data.texts, *problem.data.columns]).items())


def completed(problem: d.Problem, before: d.Match, match: d.Match, known: KnownKeys) -> d.Match:
    """``match`` as the user has just changed it, with what goes with the change.

    One side of a key brings the other, of the same name or the same values. A measured column for which the key has no entries
    brings the key that has, and the column of standard deviations that is named like it.
    """
    if _compares(match) != _compares(before):
        match = msgspec.structs.replace(match, rows=())  # numbers of the other output's values, or for other rows
    if before.keys and match.keys[:1] != before.keys[:1] and not _same_units(problem, before, match):
        match = with_scale(match, AS_IT_IS)  # those of the other key
    if match.key_output != before.key_output:
        return _with_other_side(problem, match, known, "key_column", match.key_output, 0)
    if match.key_column != before.key_column:
        return _with_other_side(problem, match, known, "key_output", match.key_column, 1)
    if match.column != before.column and match.noise is None:
        match = _with_own_sd(problem, before, match)
    if (match.output, match.column) != (before.output, before.column) and not match.interpolate:
        keys = known.keys_of(problem, match.output, match.column, match.keys)
        if tuple(keys) != tuple(match.keys):
            return paired_by(match, keys)
    return match


def _same_units(problem: d.Problem, before: d.Match, now: d.Match) -> bool:
    """Whether only one side of a key is another, in the same unit, if the column before said one: a time that counts from a
    start is shifted as before, and a factor that was typed beside a column chosen by mistake is kept."""
    if not now.key_output or not now.key_column:
        return False
    if now.key_output == before.key_output:
        mine, its = unit_in(now.key_column), unit_in(before.key_column or "")
        return mine == its or not its
    units = {o.name: o.unit for o in problem.outputs}
    unit = units.get(now.key_output, "")
    return now.key_column == before.key_column and bool(unit) and unit == units.get(before.key_output or "")


def _compares(match: d.Match) -> tuple[str | None, ...]:
    return match.output, match.column, match.key_output, match.key_column


def completed_summary(problem: d.Problem, before: d.Summary, summary: d.Summary, known: KnownKeys) -> d.Summary:
    """``summary`` as the user has just changed it, with the key that goes with the change."""
    was, now = (
        d.Match(output=s.output, column=s.column, key_output=s.key_output, key_column=s.key_column) for s in (before, summary)
    )
    found = completed(problem, was, now, known)
    return msgspec.structs.replace(summary, key_output=found.key_output, key_column=found.key_column)


def _with_own_sd(problem: d.Problem, before: d.Match, match: d.Match) -> d.Match:
    """Where the errors have a known size: the column whose name says that it holds those of the measured column."""
    known = isinstance(getattr(problem.meaning, "noise", None), d.GaussianKnown)
    columns = list(problem.data.columns) if problem.data is not None and known else []
    own = sd_pairs(columns)
    was, now = (own.get(c) for c in (before.column, match.column))
    return msgspec.structs.replace(match, sd_column=now) if match.sd_column == was else match


def _with_other_side(problem: d.Problem, match: d.Match, known: KnownKeys, side: str, chosen: str | None, at: int) -> d.Match:
    if chosen is None or problem.data is None:
        return msgspec.structs.replace(match, **{side: None})  # a key has two sides or none
    alike = same_names([o.name for o in problem.outputs], [*problem.data.columns, *problem.data.texts])
    every = [key for key in alike.items() if key not in known.unlike or may_say_where(problem.data, key[1])]
    told = [(chosen, c) for c in known.marked if side == "key_column" and (c in problem.data.texts) == _is_text(problem, chosen)]
    pairs = [key for key in (*told, *known.likely, *known.pairs, *every) if key[at] == chosen and match.column != key[1]]
    pairs = [key for key in pairs if side == "key_output" or has_entries(problem.data, key[1], match.column)]
    labels = [o.name for o in problem.outputs if o.text]
    texts = [name for name in problem.data.texts if not is_flags(problem.data, name)]
    texts = [name for name in texts if side == "key_output" or has_entries(problem.data, name, match.column)]
    pairs = pairs or [key for key in product(labels, texts) if key[at] == chosen and len(texts) == 1]
    if getattr(match, side) is not None and (not pairs or getattr(match, side) in [key[1 - at] for key in pairs]):
        return match
    return msgspec.structs.replace(match, **{side: pairs[0][1 - at]}) if pairs else match


def _is_text(problem: d.Problem, output: str) -> bool:
    return any(o.text for o in problem.outputs if o.name == output)


def _values(output: d.Output, texts: Mapping[str, str]) -> Array | None:
    found = read(output, texts)
    if not isinstance(found, Reading) or len(found.values) < FEWEST or len(found.values) > MOST_VALUES or output.text:
        return None
    return np.array([np.nan if v is None else v for v in found.values], dtype=float)


def _repeats(data: d.DataTable, values: Array, column: str) -> bool:
    """Whether an output's ``values`` (n,) are those of the column, in its order; blank cells are passed over."""
    cells = np.array([np.nan if v is None else v for v in data.columns[column]], dtype=float)
    there = np.isfinite(cells)
    return int(there.sum()) >= FEWEST and any(
        len(values) == len(mine) and np.array_equal(values, mine, equal_nan=True) for mine in (cells, cells[there])
    )


@dataclass(frozen=True)
class _Places:
    """The numbers (n,) of a column, how many ``different`` ones, and how near an output's have to be."""

    codes: Array
    different: int
    near: Array

    @classmethod
    def of(cls, data: d.DataTable, column: str) -> _Places | None:
        """None: there are too few or too many to be looked at."""
        try:
            codes = key_codes(data, column)
        except ComparisonError:
            return None
        codes = codes[np.isfinite(codes)]
        if len(codes) > MOST_VALUES or (different := len(np.unique(codes))) < FEWEST:
            return None
        return cls(codes, different, tolerance(match_of(), codes))


def _holds(data: d.DataTable, places: _Places | None, values: Array, column: str) -> float:
    """Which share of the column's numbers, at least two of them, are among the output's ``values``; 0 where too few are."""
    if places is None or only_numbers(data, column, values):
        return 0.0
    n = len(places.codes)
    paired = int((by_key(match_of(), places.codes, values, places.near) >= 0).sum())
    return paired / n if paired == n or (places.different == n and agree(paired, n)) else 0.0
