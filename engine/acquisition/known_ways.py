"""Whether the surrogate already knows how an evaluated place hangs together with the posterior: then no climb has to tell.

A mixture fitted to draws is off by nats in the tails of a curved or heavy-tailed posterior, where values that the surrogate
knows well look unexplained. From the foot of a mode that the draws have not reached no way up to them is known: in a small space
the surrogate has a top of its own above it, however low.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from ..numerics.linear_algebra import stable_cholesky
from ..sampling.population_monte_carlo import PosteriorDraws
from ..sampling.proposal import regularized
from ..surrogate.log_joint import LogJoint
from .ascents import high
from .batched_ascent import gradients, maxima

Array = NDArray[np.float64]

SURE = 0.5  # nats: to so much a value was foretold, and a way is known; wider, surrogates are shaped by the modes they know
STEPS = 60  # of an ascent, each of a posterior sd at most


def lead_to(draws: PosteriorDraws, surrogate: LogJoint, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(m,) whether the evaluations ``rows`` (m,) are as all others imply, and an ascent on the surrogate's mean from there, which
    keeps to where it is sure, comes to the bulk that the draws hold."""
    found = np.zeros(len(rows), dtype=bool)
    if len(rows) == 0:
        return found
    residual, variance = surrogate.leave_one_out()
    foretold = np.hypot(residual, np.sqrt(variance))[rows] < SURE
    found[foretold] = ways_up(draws, surrogate, surrogate.b[rows[foretold]], SURE)[1]
    return found


def ways_up(
    draws: PosteriorDraws, surrogate: LogJoint, places: Array, sure: float = np.inf
) -> tuple[Array, NDArray[np.bool_]]:
    """Where ascents on the surrogate's mean from ``places`` (n, D) end, (n, D), and whether in the bulk that the draws hold (n,).
    They keep to where it is ``sure``, in nats."""
    if len(places) == 0:
        return places, np.zeros(0, dtype=bool)
    factor = stable_cholesky(regularized(draws.moments()[1]))
    start = linalg.solve_triangular(factor, places.T, lower=True).T  # in posterior sds

    def mean(z: Array) -> Array:
        return surrogate.mean(z @ factor.T)

    def known(z: Array) -> Array:
        value, variance = surrogate.predict(z @ factor.T)
        return np.where(variance < sure**2, value, -np.inf)

    anywhere = np.full(places.shape[1], np.inf)
    end, value = maxima(known, start, -anywhere, anywhere, STEPS, lambda z: gradients(mean, z))
    end = end @ factor.T
    return end, np.isfinite(value) & (value > high(places.shape[1])) & draws.holds(end, value)
