"""Where runs give all that is compared, while too few did for a surrogate: by how much of it the others gave.

A table that ends early ends somewhere: the share of its rows that a run gave is a number that changes smoothly from place to
place, and grows towards where the table is whole. Whole ones say "at least all" (censored).

    share of the cells given: a Gaussian process over the parameters
    next: of the places that are nearly as likely as the likeliest to give all, the one farthest from every run
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.spatial import cKDTree
from scipy.stats import qmc

from ..loop_interface import LoopSettings, Tell
from ..numerics.randomness import generator
from ..surrogate.evaluations import outcome_of
from ..surrogate.run_times import censored_process

Array = NDArray[np.float64]

LOOKED_AT = 9  # logarithm to base 2 of the places that are compared
NEARLY = 0.5  # of the largest probability that all is given


def whole_point(index: int, settings: LoopSettings, told: Sequence[Tell]) -> Array | None:
    """Where (D,), in the plausible box, run ``index`` most likely gives all of its cells and tells something new. None: fewer
    runs than a slope for each parameter takes gave a part of theirs, or all of them as much."""
    lower, upper = np.asarray(settings.plausible_lower, float), np.asarray(settings.plausible_upper, float)
    d, cells = len(lower), [t for t in told if t.outputs is not None and outcome_of(t) in ("ok", "failed")]
    share = np.array([np.isfinite(np.asarray(t.outputs)).mean() for t in cells])
    some = share < 1.0
    if some.sum() <= d or np.ptp(share[some]) == 0.0:
        return None
    middle, scale = float(np.median(share)), max(float(share.std()), 1e-6)
    b = 2.0 * (np.array([t.u for t in cells]) - 0.5 * (lower + upper)) / (0.5 * (upper - lower))
    process, scatter = censored_process(b, (share - middle) / scale, ~some)
    drawn = qmc.Sobol(d, scramble=True, rng=generator(settings.seed, "whole", index)).random_base2(LOOKED_AT)
    places = 4.0 * drawn - 2.0
    mean, variance = process.predict(places)
    above = mean + 0.5 * np.square(places).sum(1) - (1.0 - middle) / scale
    log_whole = special.log_ndtr(above / np.sqrt(variance + scatter**2))
    likely = places[log_whole >= log_whole.max() + np.log(NEARLY)]
    apart = cKDTree(b).query(likely)[0]
    return np.asarray(lower + (likely[int(np.argmax(apart))] + 2.0) / 4.0 * (upper - lower))
