"""A key that data and outputs share, for comparisons whose rows are taken in order, though it may not pair them all. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates import day_zero
from bayescope.engine.problem.data.names.column_names import same_names, says_sd
from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes, measured_values
from bayescope.engine.problem.data.rows.own_rows import in_order
from bayescope.engine.problem.data.rows.pairing import by_key
from bayescope.engine.problem.data.rows.place_columns import may_say_where
from bayescope.engine.problem.data.rows.text_keys import unit_of
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared
from bayescope.gui.models.data.keys.key_candidates import Pair
from bayescope.gui.models.data.keys.own_table import own_first
from bayescope.gui.models.data.keys.part_keys import part_keys, shifted, with_key
from bayescope.gui.models.data.keys.running_numbers import only_numbers
from bayescope.gui.models.data.keys.same_pairing import SamePairing
from bayescope.gui.models.data.mismatches import Mismatch

Array = NDArray[np.float64]
FEWEST = 2  # rows that a key pairs before it is taken for one
ENOUGH = 0.5  # of the measured rows: fewer may agree by chance


@dataclass(frozen=True)
class SharedKey:
    """``problem`` with one comparison paired by data column ``column``; ``alike``: with all that have the key, if more do."""

    problem: d.Problem
    column: str
    alike: SamePairing | None


def shared_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> SharedKey | None:
    """The key of comparison ``index``, whose rows are taken in order; None: there is none, or it has one.

    A column that says where or when, by its name or its entries, with an output of the same name, or one that holds at least
    half of its entries; or any column of which an output holds most, where the order does not fit or says otherwise.
    """
    found = compared(problem, index, report)
    if found is None or found[0].keys:
        return None
    key = next(_keys(problem, *found[:3]), None)
    if key is None:
        return None
    one = with_key(problem, index, key)
    every, count = one, 0
    assert isinstance(problem.meaning, d.Predictions)
    for i in range(len(problem.meaning.matches)):
        other = compared(problem, i, report) if i != index else None
        if other is not None and not other[0].keys and key in _keys(problem, *other[:3]):
            every, count = with_key(every, i, key), count + 1
    return SharedKey(one, key[1], SamePairing(every, key[1], count) if count else None)


def with_shared_key(
    shared: SharedKey | None, found: Mismatch | None, alike: SamePairing | None
) -> tuple[Mismatch | None, tuple[d.Problem, str] | None, SamePairing | None]:
    """What is offered where no other key was found: in place of "another key" where rows do not fit, else as the better way."""
    if shared is None:
        return found, None, alike
    if found is None:
        return None, (shared.problem, shared.column), shared.alike
    return replace(found, other_key=shared.problem, other_words=shared.column), None, shared.alike


def _keys(problem: d.Problem, match: d.Match, data: d.DataTable, outputs: Mapping[str, Array]) -> Iterator[Pair]:
    """Outputs as long as that of ``match`` and columns that may pair its rows: of one name first, then by what they hold."""
    there = ~np.isnan(measured_values(match, data))
    columns = [c for c in (*data.columns, *data.texts) if c != match.column and not says_sd(c) and _where(data, c)]
    as_long = [o for o, v in outputs.items() if o != match.output and len(v) == len(outputs[match.output])]
    fits = own_first(problem, match.output, as_long)
    alike = same_names(fits, columns)
    pairs = [*alike.items(), *((o, c) for c in columns for o in fits if alike.get(o) != c)]
    for output, name in pairs:
        try:
            codes = key_codes(data, name)
        except ComparisonError:
            continue
        if len(codes) != len(there) or only_numbers(data, name, outputs[output]):
            continue
        keys = codes[there]
        paired = int((by_key(match, keys, outputs[output]) >= 0).sum())
        if paired >= max(FEWEST, ENOUGH * len(keys)):
            yield output, name
    doubt = in_order(len(outputs[match.output]), match, data) is None
    for part in part_keys(problem, match, data, outputs):
        if part.good and (doubt or shifted(match, data, outputs, part.pair) is not None):
            yield part.pair


def _where(data: d.DataTable, name: str) -> bool:
    cells = data.texts.get(name, ())
    return may_say_where(data, name) or day_zero.counted(name) is not None or bool(unit_of(cells))
