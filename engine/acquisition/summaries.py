"""Where to run next while the summaries' means lead to the mode of a synthetic likelihood: its emulated optimum and posterior."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..sampling.population_monte_carlo import posterior_of
from ..surrogate.outputs.summaries import EmulatedSummaries

Array = NDArray[np.float64]

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
