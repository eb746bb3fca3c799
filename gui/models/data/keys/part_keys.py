"""Keys that pair most rows of a comparison, though not all: a run may lack some of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.names.column_names import same_names, says_where, sd_columns
from bayescope.engine.problem.data.rows.comparison import (
    ComparisonError,
    column,
    key_codes,
    keys_shown,
    measured_values,
)
from bayescope.engine.problem.data.rows.own_rows import in_order
from bayescope.engine.problem.data.rows.pairing import by_key
from bayescope.engine.problem.data.tables.quality_flags import is_flags
from bayescope.engine.problem.numbers.shown_digits import among
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.key_candidates import Pair, paired_by
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.plain import one_line

Array = NDArray[np.float64]
FEWEST = 3  # different keys that agree: fewer may by chance
ENOUGH = 2 / 3  # of the measured rows: a run rarely lacks more, and a quantity rarely agrees in so many
FEWEST_SHOWN = 2  # rows that the best of bad keys pairs, where none is good
MOST_ROWS = 100_000  # of a table, looked at while the window waits
MOST_TRIED = 400  # pairs of an output and a column
MOST_LOOKED_AT = 1_000_000  # keys of all pairs together
LEAST_TRIED = 4  # pairs, however long


def most_pairs(rows: int) -> int:
    """How many pairs of an output and a column with so many rows are looked at, while the window waits."""
    return max(LEAST_TRIED, min(MOST_TRIED, MOST_LOOKED_AT // max(rows, 1)))


@dataclass(frozen=True)
class PartKey:
    """An output and a column, and how many of the ``measured`` rows they pair."""

    output: str
    column: str
    paired: int
    measured: int

    @property
    def pair(self) -> Pair:
        return self.output, self.column

    @property
    def good(self) -> bool:
        return agree(self.paired, self.measured)

    @property
    def count(self) -> str:
        return f"{self.paired} of {self.measured} rows"


def agree(paired: int, measured: int) -> bool:
    """Whether so many rows agree that an output and a column are taken for the same key."""
    return paired >= max(FEWEST, ENOUGH * measured)


def part_keys(problem: d.Problem, match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]) -> list[PartKey]:
    """Outputs as long as that of ``match`` with columns that tell its measured rows apart, those that pair most rows first.

    A column that another output is named like, or that is compared with one, is what is predicted and no key.
    """
    there = ~np.isnan(column(data, match.column))
    if len(there) > MOST_ROWS:
        return []
    fits = [o for o, v in outputs.items() if o != match.output and len(v) == len(outputs[match.output])]
    columns = _may_be_keys(problem, match, data)
    alike = same_names([o.name for o in problem.outputs], [*data.columns, *data.texts])
    owner = {c: o for o, c in alike.items()}
    found: list[PartKey] = []
    for name in columns:
        if len(found) >= most_pairs(max(len(there), *(len(outputs[o]) for o in (match.output, *fits)))):
            break
        try:
            codes = key_codes(data, name)
        except ComparisonError:
            continue
        if len(codes) != len(there) or len(np.unique(codes[there])) < int(there.sum()):
            continue  # a missing key is one of its own kind
        for output in fits:
            if only_numbers(data, name, outputs[output]):
                continue
            if alike.get(output, name) == name and owner.get(name, output) == output:
                paired = int((by_key(match_of(), codes[there], outputs[output]) >= 0).sum())
                found.append(PartKey(output, name, paired, int(there.sum())))
    return sorted(found, key=lambda k: (-k.paired, alike.get(k.output) != k.column, not says_where(k.column)))


def match_of() -> d.Match:
    """One that says no tolerance."""
    return d.Match(output="", column="")


def _may_be_keys(problem: d.Problem, match: d.Match, data: d.DataTable) -> list[str]:
    assert isinstance(problem.meaning, d.Predictions)
    taken = {match.column, *sd_columns(list(data.columns))}
    taken |= {m.column for m in problem.meaning.matches} | {m.sd_column or "" for m in problem.meaning.matches}
    return [c for c in (*data.columns, *data.texts) if c not in taken and not is_flags(data, c)]


def part_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> PartKey | None:
    """The key that pairs most rows of comparison ``index``, at least two; None: there is none, or it is the present one."""
    found = compared(problem, index, report)
    if found is None:
        return None
    best = next(iter(part_keys(problem, *found[:3])), None)
    return best if best is not None and best.paired >= FEWEST_SHOWN and best.pair not in found[0].keys else None


def with_key(problem: d.Problem, index: int, pair: Pair) -> d.Problem:
    """Comparison ``index`` paired by ``pair``."""
    return with_keys(problem, index, [pair])


def with_keys(problem: d.Problem, index: int, pairs: Sequence[Pair]) -> d.Problem:
    """Comparison ``index`` paired by no key (in order), one or two."""
    assert isinstance(problem.meaning, d.Predictions)
    return with_match(problem, index, paired_by(problem.meaning.matches[index], pairs))


def contradiction(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str, str] | None:
    """A key that pairs rows of comparison ``index`` otherwise than their order does: the problem paired by it, its column, and
    what is wrong, a sentence. None: there is none, or rows are not taken in order, or do not fit in order."""
    found = compared(problem, index, report)
    if found is None or found[0].keys:
        return None
    match, data, outputs, _ = found
    if not fits(match, data, outputs):
        return None
    for key in part_keys(problem, match, data, outputs):
        if key.good and (row := shifted(match, data, outputs, key.pair)) is not None:
            at = in_order(len(outputs[match.output]), match, data)
            assert at is not None
            mine = keys_shown(paired_by(match, [key.pair]), data)[row]
            theirs = among(outputs[key.output][at[row]], outputs[key.output])
            words = (
                f"The order of the rows contradicts “{one_line(key.column, 30)}”: row {row + 1}, where it is "
                f"{one_line(mine, 20)}, is compared with the value where “{one_line(key.output, 24)}” is {theirs}."
            )
            return with_key(problem, index, key.pair), key.column, words
    return None


def shifted(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], pair: Pair) -> int | None:
    """The first used row (from 0) that the order pairs with the value of another one by the key; None: none, or no order fits."""
    at = in_order(len(outputs[match.output]), match, data)
    if at is None:
        return None
    keyed = by_key(match_of(), key_codes(data, pair[1]), outputs[pair[0]])
    others = (keyed >= 0) | np.isin(at, keyed[keyed >= 0])
    differ = np.flatnonzero(others & (at >= 0) & (keyed != at) & ~np.isnan(measured_values(match, data)))
    return int(differ[0]) if len(differ) else None


def first_contradiction(problem: d.Problem, report: TrialRunReport | None) -> tuple[int, d.Problem, str, str] | None:
    """Of all comparisons: its number, and ``contradiction`` of it with all others paired by the same column."""
    meaning = problem.meaning
    for i in range(len(meaning.matches)) if isinstance(meaning, d.Predictions) else ():
        if (found := contradiction(problem, i, report)) is not None:
            return i, pair_all(problem, found[1], report) or found[0], found[1], found[2]
    return None


def pair_all(problem: d.Problem, name: str, report: TrialRunReport | None) -> d.Problem | None:
    """Every comparison paired by the column ``name``, where that pairs most of its rows and more than it has now; None: none."""
    meaning, changed = problem.meaning, problem
    for i in range(len(meaning.matches)) if isinstance(meaning, d.Predictions) else ():
        found = compared(problem, i, report)
        if found is None or name in [column for _, column in found[0].keys]:
            continue
        key = next((k for k in part_keys(problem, *found[:3]) if k.column == name and k.good), None)
        if key is not None:
            changed = with_key(changed, i, key.pair)
    return changed if changed is not problem else None


def key_columns(problem: d.Problem, report: TrialRunReport | None, names: tuple[str, ...]) -> dict[str, PartKey]:
    """Those of the columns ``names`` that an output holds as a key of some comparison, with that key."""
    meaning = problem.meaning
    keys: dict[str, PartKey] = {}
    for i in range(len(meaning.matches)) if isinstance(meaning, d.Predictions) and names else ():
        found = compared(problem, i, report)
        for key in part_keys(problem, *found[:3]) if found is not None else ():
            if key.good and key.column in names:
                keys.setdefault(key.column, key)
    return keys
