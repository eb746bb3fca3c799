"""Where to run next while the summaries' means lead to the mode of a synthetic likelihood: its emulated optimum and posterior."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..sampling.population_monte_carlo import posterior_of
from ..surrogate.outputs.summaries import EmulatedSummaries

Array = NDArray[np.float64]


def next_places(
    summaries: EmulatedSummaries, log_worth: Callable[[Array], Array], evaluated: Array, y: Array, count: int, first: bool,
    base: Array, rng: np.random.Generator,
) -> list[Array]:  # fmt: skip
    """Draws (D,) of the emulated posterior, ``count`` of them; ``first``: one is the highest there is.

    ``log_worth`` of points (m, D): their log prior and whether runs succeed there. ``evaluated`` (n, D) with values y (n,): where
    the draws begin. ``base``: see ``population_monte_carlo.move``.
    """

    def log_density(points: Array, log_q: Array) -> Array:
        found = np.asarray(log_worth(points), dtype=float).copy()
        worth = np.isfinite(found)
        if worth.any():
            found[worth] += summaries.log_likelihood(points[worth])
        return found

    draws = posterior_of(log_density, evaluated, y, base, rng)
    chosen = [int(np.argmax(draws.log_density))] if first else []
    drawn = rng.permutation(draws.resample(len(base), rng))[: count - len(chosen)]
    return [np.asarray(draws.points[j]) for j in (*chosen, *drawn)]
