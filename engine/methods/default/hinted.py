"""Looks for the mode that a value hints at: one that came out higher than all others imply, and came again right beside.

It is no lie, then, and a surrogate that has learnt it bends to it alone: whatever lies beyond is as it was foretold before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...acquisition import ascents
from ...acquisition.hinted_modes import HintedModes
from ...numerics.randomness import generator
from . import hunting
from .doubts import HARMLESS, Doubt
from .stage import LoopState

Array = NDArray[np.float64]

LOOKS = 1  # for each parameter and each such value


def place(now: LoopState) -> Array | None:
    """The next one (D,) in the box frame; None: no value hints at a mode, or enough was looked for it."""
    m = now.memory
    if m.emulated or m.mixture is None or hunting.follows(m):  # in a large space values are climbed from
        return None
    hints, excess = _hints(now)
    left = [row for row, doubt in hints.items() if doubt.looks < LOOKS * m.dimension]
    if not left:
        return None
    hint = max(left, key=lambda row: excess[row])
    known = hunting.evaluations(now)
    values = known.y - now.top
    implied = values.copy()
    implied[list(hints)] -= excess[list(hints)]
    rng = generator(now.settings.seed, "hinted", len(m.log.told))
    modes = HintedModes.of(known.points, values, implied, hint, now.draws.log_z, rng)
    if modes is None:
        return None
    explained = ascents.explained_density(m.mixture)
    possible = now.possible.may_give_value(modes.centres)
    found = modes.telling_place(lambda places: ascents.unexplained_from(explained(places)), possible)
    if found is not None:
        hints[hint].looks += 1
    return found


def _hints(now: LoopState) -> tuple[dict[int, Doubt], Array]:
    """Rows of such values; and by how much all values (n,) exceed what the others imply."""
    kept = [d for d in now.memory.doubts.all if d.fate == "kept"]
    if not kept:
        return {}, np.empty(0)
    excess = now.surrogate.leave_one_out()[0]
    index = hunting.evaluations(now).index
    rows = {int(row): d for d in kept for row in np.flatnonzero(np.isin(index, [d.index, *d.runs]))}
    return {row: d for row, d in rows.items() if excess[row] > HARMLESS}, excess
