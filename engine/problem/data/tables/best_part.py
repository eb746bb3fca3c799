"""Which of a file's tables is meant: the one that names most outputs, all of them together, or the first that holds numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ... import definition as d
from ..names.column_names import same_names
from ..names.name_words import names_told
from .long_form import MOST_QUANTITIES, names_in
from .naming_pairs import proposed

MOST_LOOKED_AT = 4_000_000  # characters of all tables together, while a person waits


def best_part(tables: Sequence[d.DataTable | None], outputs: Sequence[str]) -> int | None:
    """The number of a table, None for all of them: no single one names as many ``outputs`` as they do together. Those that are
    None hold no numbers."""
    told = [set() if table is None else _told(table, outputs) for table in tables]
    usable = [i for i, table in enumerate(tables) if table is not None]
    best = max(usable, key=lambda i: (len(told[i]), -i), default=0)
    return None if len(set().union(*told)) > len(told[best]) else best


def _told(table: d.DataTable, outputs: Sequence[str]) -> set[str]:
    columns = [*table.columns]
    found = same_names(outputs, [*columns, *table.texts])
    found |= names_told([o for o in outputs if o not in found], [c for c in columns if c not in found.values()])
    by = proposed(table, outputs)
    quantities = names_in(table, by)[:MOST_QUANTITIES] if by else []
    return {*found, *same_names(outputs, quantities), *names_told(outputs, quantities)}
