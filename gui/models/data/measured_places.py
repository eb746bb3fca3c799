"""Columns whose names say where or when and that were measured all the same: natural frequencies with their errors. Pure."""

from __future__ import annotations

from bayescope.engine.problem.data.errors.sd_pairs import sd_pairs
from bayescope.engine.problem.data.names.column_names import says_where
from bayescope.engine.problem.data.rows.censored import rows_with_value
from bayescope.engine.problem.definition import DataTable


def measured_places(data: DataTable) -> frozenset[str]:
    """Those with errors of their own, where nothing else in their rows has such: places seldom have, what was measured does."""
    own = sd_pairs(list(data.columns))
    named = [c for c in own if says_where(c)]
    filled = {c: rows_with_value(data, c) for c in own}
    others = [c for c in own if c not in named]
    return frozenset(c for c in named if not any(filled[c] & filled[o] for o in others))


def says_place(data: DataTable, column: str) -> bool:
    """Whether a name says where or when, and not what was measured."""
    return says_where(column) and column not in measured_places(data)
