"""Columns that say where or when rows were measured: by their names, or as times by their unit and their place. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...definition import DataTable
from ..errors.sd_pairs import sd_pairs
from ..names.column_names import plain_name, same_names, says_where, sd_columns, unit_in
from ..names.key_words import DISTANCES
from ..names.name_words import names_told
from ..names.of_files import name_and_file
from ..units.unit_scales import times
from .censored import rows_with_value
from .pairing import swept
from .text_keys import SINCE_1970, unit_of

FEWEST = 3  # different times: fewer rise by chance
FEWEST_LEADING = 6  # numbers of a column whose name and unit tell nothing: what was measured may rise in some rows


def measured_places(data: DataTable) -> frozenset[str]:
    """Columns whose names say where or when and that were measured all the same, natural frequencies with their errors: those
    with errors of their own, where nothing else in their rows has such: places seldom have, what was measured does. And depths
    that stand alone beside moments: levels of water in a well."""
    own = sd_pairs(list(data.columns))
    named = [c for c in own if says_where(c)]
    filled = {c: rows_with_value(data, c) for c in own}
    others = [c for c in own if c not in named]
    found = frozenset(c for c in named if not any(filled[c] & filled[o] for o in others))
    return found | _alone_beside_moments(data)


def _alone_beside_moments(data: DataTable) -> frozenset[str]:
    """Depths and distances with nothing beside them in their rows but dates and texts."""
    moments = [cells for cells in data.texts.values() if unit_of(cells) == SINCE_1970]
    where = [c for c in data.columns if moments and says_where(c) and DISTANCES & {*plain_name(c).replace("_", " ").split()}]
    if not where:
        return frozenset()
    sds = sd_columns(list(data.columns))
    filled = {c: rows_with_value(data, c) for c in data.columns if c not in sds}
    dated = {i for cells in moments for i, cell in enumerate(cells) if cell}
    return frozenset(
        c for c in where if c in filled and filled[c] and filled[c] <= dated
        and not any(filled[c] & filled[o] for o in filled if o != c)
    )  # fmt: skip


def says_place(data: DataTable, column: str) -> bool:
    """Whether a column says where or when, and not what was measured."""
    return (says_where(column) and column not in measured_places(data)) or counts_time(data, column)


def may_say_where(data: DataTable, column: str) -> bool:
    """Whether a column says where or when by its name, or counts time."""
    return says_where(column) or counts_time(data, column)


def counts_time(data: DataTable, column: str) -> bool:
    """Whether a column counts time though its name is an abbreviation, DAS (d): its unit is one of time, its numbers never fall,
    it stands before all others of numbers, has no errors, and no other says where or when."""
    unit = unit_in(column)
    bare = found[0] if (found := name_and_file(column)) is not None else column
    if not unit or times(unit, "s") is None or bare != next(iter(data.columns), None):
        return False
    if column in sd_pairs(list(data.columns)) or column in sd_columns(list(data.columns)) or any(map(says_where, data.columns)):
        return False
    known = np.array([v for v in data.columns[column] if v is not None], dtype=float)
    return len(np.unique(known)) >= FEWEST and bool((np.diff(known) >= 0.0).all())


def leading_column(data: DataTable, outputs: Sequence[str]) -> str:
    """The first column of numbers where it says where by its place alone, Effluent volume (mL): its numbers only rise or only
    fall, it has one in every row and no errors, no other says where, and what stands beside it is measured. '' if it does not,
    or one of the ``outputs`` is named like it or none is known."""
    sds = sd_columns(list(data.columns))
    numbers = [c for c in data.columns if c not in sds]
    if len(numbers) < 2 or not outputs or any(may_say_where(data, c) for c in numbers):
        return ""
    first, cells = numbers[0], data.columns[numbers[0]]
    known = np.array([v for v in cells if v is not None], dtype=float)
    if first in sd_pairs(list(data.columns)) or len(known) < max(FEWEST_LEADING, len(cells)) or not swept(known):
        return ""
    beside = [np.array([v for v in data.columns[c] if v is not None], dtype=float) for c in numbers[1:]]
    if all(len(values) < 2 or swept(values) for values in beside):  # all rise: nothing tells the first from the others
        return ""
    return "" if first in {**same_names(outputs, numbers), **names_told(outputs, numbers)}.values() else first
