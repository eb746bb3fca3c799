"""The climb to the mode of a synthetic likelihood by its summaries' emulated means; afterwards the score is learnt as ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...acquisition.summaries import next_places
from ...surrogate.evaluations import Evaluations
from .emulated import DRAWS, EmulatedPosterior

Array = NDArray[np.float64]

BATCH = 2  # points between updates: each teaches the emulator much (OUTPUTS)
NEAR, NEAR_PER_PARAMETER = 6.0, 1.0  # nats below the best, and two of their errors, within which values show the mode
COUNTED_SD = 3.0  # nats: an error counts up to there
OFTEN = 2.0  # so many of them for each coefficient of a quadratic, and the score's own surrogate knows the mode
PATIENCE = 3.0  # times as many points, and the climb is over in any case


def climbing(y: Array, sd: Array, design: int, dimension: int) -> bool:
    """Whether the mode is still looked for: values y (n,) with errors sd (n,), after ``design`` points to begin with."""
    wanted = 0.5 * OFTEN * (dimension + 1) * (dimension + 2)
    if len(y) == 0 or len(y) >= design + PATIENCE * wanted:
        return False
    reach = NEAR + NEAR_PER_PARAMETER * dimension + 2.0 * np.minimum(sd, COUNTED_SD)
    return bool((y > y.max() - reach).sum() < wanted)


def climbs(emulated: EmulatedPosterior | None, known: Evaluations, design: int, dimension: int) -> bool:
    """Whether the summaries lead on: they are known, and the mode is not."""
    return emulated is not None and climbing(known.y, known.sd, design, dimension)


def places(emulated: EmulatedPosterior, base: Array, first: bool, rng: np.random.Generator) -> list[Array]:
    """BATCH points (D,) in the box frame. ``first``: no other run is waited for, so that the emulated optimum is among them."""
    return next_places(emulated.draws(base[:DRAWS], rng), BATCH, first, rng)
