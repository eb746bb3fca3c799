"""Columns nearly all of whose values the program prints: it was told them, they are places and not measurements. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.problem.data.names.column_names import same_names
from bayescope.engine.problem.data.rows.comparison import ComparisonError, key_codes
from bayescope.engine.problem.data.rows.order_places import SAME
from bayescope.engine.problem.data.rows.pairing import by_key
from bayescope.engine.problem.definition import DataTable
from bayescope.gui.models.data.keys.key_candidates import Pair
from bayescope.gui.models.data.keys.part_keys import match_of

Array = NDArray[np.float64]
FEWEST = 4  # values: fewer may agree by chance
NEARLY_ALL = 0.8  # of the values: a run that lacks more has rarely worked, and no quantity is predicted so often to the digit


def told_places(data: DataTable, values: Array, column: str) -> tuple[int, int] | None:
    """How many of the column's values are among the output's (n,), and how many it has; None: not nearly all of them, or values
    that are not all different, on either side."""
    try:
        codes = key_codes(data, column)
    except ComparisonError:
        return None
    codes = codes[np.isfinite(codes)]
    if len(codes) < FEWEST or len(np.unique(codes)) < len(codes) or len(np.unique(values)) < len(values):
        return None
    there = int((by_key(match_of(), codes, values) >= 0).sum())
    return (there, len(codes)) if there >= NEARLY_ALL * len(codes) else None


def rounded_places(values: Array, cells: Array) -> bool:
    """Whether the ``cells`` (m,) of a column are places that the program prints with other decimals: each lies by an output's
    (n,) ``values``, far nearer than the next one."""
    places = np.unique(values)
    if len(cells) < FEWEST or len(places) < max(len(values), 2) or not np.isfinite(values).all():
        return False
    at = np.clip(np.searchsorted(places, cells), 1, len(places) - 1)
    low, high = places[at - 1], places[at]
    return bool((np.minimum(np.abs(cells - low), np.abs(cells - high)) <= SAME * (high - low)).all())


def key_by_values(data: DataTable, outputs: Mapping[str, Array]) -> Pair | None:
    """The one output of a column's name that holds nearly all of its values, where those of the other names do not; None: there
    is none, or several: the data may have been made by the program."""
    named = same_names(list(outputs), list(data.columns))
    held = [pair for pair in named.items() if told_places(data, outputs[pair[0]], pair[1]) is not None]
    return held[0] if len(held) == 1 < len(named) else None
