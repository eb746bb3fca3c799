"""The key that pairs every measured row of a comparison. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, product

import msgspec
import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes, measured_values
from bayescope.engine.problem.data.rows.text_keys import FIRST_LABEL
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.data.compared_outputs import compared, fits, with_match
from bayescope.gui.models.data.keys.key_candidates import Key, candidates, paired_by

Array = NDArray[np.float64]
MOST_PAIRS = 60  # pairs of keys that are tried, while the window waits


def better_key(problem: d.Problem, index: int, report: TrialRunReport | None) -> tuple[d.Problem, str] | None:
    """Labels by which rows now taken in order could be paired, and the column's name; None: no need or no way."""
    found = compared(problem, index, report)
    if found is None or report is None or found[0].keys or not found[1].texts:
        return None
    return other_key(problem, index, report, labels_only=True)


def other_key(
    problem: d.Problem, index: int, report: TrialRunReport, labels_only: bool = False, marked: Collection[str] = ()
) -> tuple[d.Problem, str] | None:
    """The problem with a key that pairs every measured row of comparison ``index``, and the key column's name; rather one of the
    columns that were said to be keys (``marked``).

    The key is an output that is read already, or labels that stand beside the values in the program's table.
    """
    found = compared(problem, index, report)
    if found is None:
        return None
    match, data, outputs, _texts = found
    every = sorted(candidates(problem, match, data, outputs, report, labels_only), key=lambda key: key.column not in marked)
    alone = [(key,) for key in every if key.pair not in match.keys]
    # one key is not enough where it stands in several rows: the present one with another, else any two
    present = [Key(*match.keys[0])] if match.keys and not match.second_key_output else []
    both = [] if labels_only else [*product(present, every), *combinations(every, 2)][:MOST_PAIRS]
    for keys in (*alone, *both):
        if len({k.output for k in keys}) < len(keys) or len({k.column for k in keys}) < len(keys):
            continue
        trial = paired_by(match, [key.pair for key in keys])
        codes = {k.output: k.codes for k in keys if k.codes is not None}
        if not pairs_all(trial, data, {**outputs, **codes}, labels_only):
            continue
        added = tuple(k.declared for k in keys if k.declared is not None)
        read = msgspec.structs.replace(problem, outputs=(*problem.outputs, *added))
        return with_match(read, index, trial), " and ".join(k.column for k in keys)
    return None


def pairs_all(match: d.Match, data: d.DataTable, outputs: Mapping[str, Array], labels_only: bool) -> bool:
    """Whether this key pairs every measured row, each having one."""
    try:
        there = ~np.isnan(measured_values(match, data))
        keys = np.concatenate([key_codes(data, column)[there] for _, column in match.keys])
    except ComparisonError:
        return False
    if not len(keys) or np.isnan(keys).any() or (labels_only and not np.any(keys >= FIRST_LABEL)):
        return False
    return fits(match, data, outputs)
