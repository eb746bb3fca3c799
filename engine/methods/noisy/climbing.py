"""The climb to the mode of a synthetic likelihood by its summaries' emulated means; afterwards the score is learnt as ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...acquisition.summaries import climbing, next_places
from ...feasibility.classifier import Feasibility
from ...likelihood.point_summaries import unpacked
from ...loop_interface import LoopSettings
from ...sampling.guarded_density import Hull
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame
from ...surrogate.outputs.summaries import EmulatedSummaries, Summaries

Array = NDArray[np.float64]

BATCH = 3  # points between updates: each teaches the emulator much (OUTPUTS)
DRAWS = 1000


def climbs(settings: LoopSettings, known: Evaluations, design: int) -> bool:
    """Whether the summaries lead on: they are known, and the mode is not."""
    if settings.summaries is None or known.outputs is None or np.isfinite(known.outputs[:, 0]).sum() < settings.dimension + 2:
        return False
    return climbing(known.y, known.sd, design, settings.dimension)


def places(
    settings: LoopSettings, known: Evaluations, box: BoxFrame, possible: Feasibility, hull: Hull, draws: PosteriorDraws,
    base: Array, first: bool, rng: np.random.Generator,
) -> list[Array]:  # fmt: skip
    """BATCH points (D,) in the box frame. ``first``: no other run is waited for, so that the emulated optimum is among them.

    One is of ``draws``, the answer of the score's own surrogate: what that wrongly believes in is soon refuted.
    """
    given = settings.summaries
    assert given is not None
    assert known.outputs is not None
    told = np.isfinite(known.outputs[:, 0])
    points, y = known.points[told], known.y[told]
    runs, means, covariances = unpacked(known.outputs[told], len(given.measured))
    summaries = EmulatedSummaries.of(Summaries(points, runs, means, covariances, given.measured, given.error))

    def log_worth(b: Array) -> Array:
        prior = np.zeros(len(b)) if settings.log_prior is None else settings.log_prior(box.back(b))
        return np.where(hull.contains(b), prior + possible.log_worth(b), -np.inf)

    found = next_places(summaries, log_worth, points, y, BATCH - 1, first, base[:DRAWS], rng)
    return [*found, draws.points[rng.choice(draws.resample(len(draws.points), rng))]]
