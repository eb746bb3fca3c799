"""The climb to the mode of a synthetic likelihood by its summaries' emulated means; afterwards the score is learnt as ever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...feasibility.classifier import Feasibility
from ...likelihood.point_summaries import unpacked
from ...loop_interface import LoopSettings
from ...sampling.guarded_density import Hull
from ...surrogate.evaluations import Evaluations
from ...surrogate.frames import BoxFrame

Array = NDArray[np.float64]

BATCH = 2  # points between updates: each teaches the emulator much (OUTPUTS)
DRAWS = 1000
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


def climbs(settings: LoopSettings, known: Evaluations, design: int) -> bool:
    """Whether the summaries lead on: they are known, and the mode is not."""
    if settings.summaries is None or known.outputs is None or np.isfinite(known.outputs[:, 0]).sum() < settings.dimension + 2:
        return False
    return climbing(known.y, known.sd, design, settings.dimension)


def places(
    settings: LoopSettings, known: Evaluations, box: BoxFrame, hull: Hull, possible: Feasibility, base: Array, first: bool,
    rng: np.random.Generator,
) -> list[Array]:  # fmt: skip
    """BATCH points (D,) in the box frame. ``first``: no other run is waited for, so that the emulated optimum is among them."""
    from ...acquisition.summaries import next_places
    from ...surrogate.outputs.summaries import EmulatedSummaries, Summaries

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

    return next_places(summaries, log_worth, points, y, BATCH, first, base[:DRAWS], rng)
