"""How columns were mapped in earlier imports, so that the next file of the same kind needs no choices."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bayescope.engine.archive.mapping import MEANINGS, Mapped
from bayescope.engine.archive.output_columns import MappedOutputs
from bayescope.gui.system.user_settings import settings

KEY, KEY_OUTPUTS = "imports/mappings", "imports/outputs"
KEPT = 50  # mappings; the oldest are forgotten
KEPT_OUTPUTS = 10  # each may name a thousand columns
MOST_CHARACTERS = 1_000_000


def recall(names: Sequence[str], columns: Sequence[str]) -> Mapped | None:
    """The newest mapping of the parameters ``names`` whose columns a table with ``columns`` all has; None: there is none."""
    there = set(columns)
    for mapped in _kept():
        used = {*mapped.columns.values(), mapped.value, *([mapped.sd] if mapped.sd else [])}
        if set(mapped.columns) == set(names) and used <= there:
            return mapped
    return None


def recall_outputs(names: Sequence[str], outputs: Sequence[str], columns: Sequence[str]) -> MappedOutputs | None:
    """The same of runs by their outputs: of the parameters ``names``, and none but these ``outputs``."""
    there = set(columns)
    for mapped in _kept_outputs():
        used = {*mapped.columns.values(), *(c for given in mapped.outputs.values() for c in given)}
        if set(mapped.columns) == set(names) and set(mapped.outputs) <= set(outputs) and used <= there:
            return mapped
    return None


def remember(mapped: Mapped | MappedOutputs) -> None:
    """In place of an earlier one of the same parameters and columns."""
    if isinstance(mapped, MappedOutputs):
        kept = [m for m in _kept_outputs() if m != mapped]
        settings().setValue(KEY_OUTPUTS, msgspec.json.encode([mapped, *kept][:KEPT_OUTPUTS]).decode())
        return
    used = {*mapped.columns.values(), mapped.value}
    others = [m for m in _kept() if {*m.columns.values(), m.value} != used or set(m.columns) != set(mapped.columns)]
    settings().setValue(KEY, msgspec.json.encode([mapped, *others][:KEPT]).decode())


def _kept_outputs() -> list[MappedOutputs]:
    text = str(settings().value(KEY_OUTPUTS, ""))
    try:
        return msgspec.json.decode(text, type=list[MappedOutputs]) if 0 < len(text) <= MOST_CHARACTERS else []
    except (msgspec.MsgspecError, RecursionError):
        return []


def _kept() -> list[Mapped]:
    """Newest first; what cannot be read is forgotten."""
    text = str(settings().value(KEY, ""))
    try:
        found = msgspec.json.decode(text, type=list[Mapped]) if 0 < len(text) <= MOST_CHARACTERS else []
    except (msgspec.MsgspecError, RecursionError):
        return []
    return [m for m in found if m.meaning in MEANINGS]
