"""Where else the posterior may be, to be evaluated before a noisy answer is called converged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..feasibility.classifier import Feasibility
from ..sampling.guarded_density import Hull
from ..sampling.population_monte_carlo import PosteriorDraws
from ..surrogate.log_joint import LogJoint
from .probes import BLIND, UNSURE, edge_level, most_looks, place_not_excluded, places_unexplored, plausible_part

Array = NDArray[np.float64]

LOOKS = 3  # places not excluded that are looked at between two updates of the surrogate, at most


def unexplored(
    mean: Callable[[Array], Array], draws: PosteriorDraws, possible: Feasibility, evaluated: Array, rng: np.random.Generator
) -> list[Array]:
    """Places (D,) in parts of the plausible box that none of ``evaluated`` (n, D) came near: for a second mode."""
    level, most = edge_level(draws, rng), most_looks(evaluated.shape[1], noisy=True)
    return places_unexplored(mean, possible.may_give_value, evaluated, level, most, rng)


def not_excluded(
    surrogate: LogJoint, draws: PosteriorDraws, hull: Hull, possible: Feasibility, rng: np.random.Generator,
    most: Callable[[Array, float], Array] | None = None,
) -> list[Array]:  # fmt: skip
    """Up to LOOKS places (D,) in the plausible box that may hold posterior for all that the surrogate knows.

    ``most``: of points and the sd below which a place counts as known, the log density that something else leaves possible there.
    """
    region = plausible_part(hull)
    noise_sd = float(np.sqrt(np.median(surrogate.noise)))
    unsure = float(np.clip(UNSURE * noise_sd, UNSURE, BLIND))  # under noise no place is ever known well
    left = None if most is None else lambda b: most(b, unsure)
    places: list[Array] = []
    while region is not None and len(places) < LOOKS:
        place = place_not_excluded(surrogate, draws, region, possible, rng, unsure, left)
        if place is None:
            break
        places.append(place)
        surrogate = surrogate.with_pending(place[None])
    return places
