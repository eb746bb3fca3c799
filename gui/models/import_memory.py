"""How columns were mapped in earlier imports, so that the next file of the same kind needs no choices."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.archive.mapping import MEANINGS, Mapped
from bayescope.gui.system.user_settings import settings

KEY = "imports/mappings"
KEPT = 50  # mappings; the oldest are forgotten
MOST_CHARACTERS = 1_000_000


def recall(names: Sequence[str], columns: Sequence[str]) -> Mapped | None:
    """The newest mapping of the parameters ``names`` whose columns a table with ``columns`` all has; None: there is none."""
    there = set(columns)
    for mapped in _kept():
        used = {*mapped.columns.values(), mapped.value, *([mapped.sd] if mapped.sd else [])}
        if set(mapped.columns) == set(names) and used <= there:
            return mapped
    return None


def remember(mapped: Mapped) -> None:
    """In place of an earlier one of the same parameters and columns."""
    used = {*mapped.columns.values(), mapped.value}
    others = [m for m in _kept() if {*m.columns.values(), m.value} != used or set(m.columns) != set(mapped.columns)]
    settings().setValue(KEY, msgspec.json.encode([mapped, *others][:KEPT]).decode())


def _kept() -> list[Mapped]:
    """Newest first; what cannot be read is forgotten."""
    text = str(settings().value(KEY, ""))
    try:
        found = msgspec.json.decode(text, type=list[Mapped]) if 0 < len(text) <= MOST_CHARACTERS else []
    except (msgspec.MsgspecError, RecursionError):
        return []
    return [m for m in found if m.meaning in MEANINGS]
