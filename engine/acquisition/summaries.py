"""Where to run next while the summaries' means lead to the mode of a synthetic likelihood: its emulated optimum and posterior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..sampling.population_monte_carlo import PosteriorDraws

Array = NDArray[np.float64]


def next_places(draws: PosteriorDraws, count: int, first: bool, rng: np.random.Generator) -> list[Array]:
    """Draws (D,) of the emulated posterior, ``count`` of them; ``first``: one is the highest there is."""
    chosen = [int(np.argmax(draws.log_density))] if first else []
    drawn = rng.permutation(draws.resample(len(draws.points), rng))[: count - len(chosen)]
    return [np.asarray(draws.points[j]) for j in (*chosen, *drawn)]
