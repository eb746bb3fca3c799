"""Posterior that may lie, anywhere, where the emulator is not sure of the outputs: draws from the modes that are known never
reach it.

    even places -> the likelihood with the emulator's uncertainty integrated out, times the prior -> draws about the places where
    that is most -> its integral where the emulator is not sure and what is known does not explain it, beside that of the answer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import spatial, special
from scipy.stats import qmc

from ..feasibility.classifier import FAILS_BELOW, Feasibility
from ..sampling.guarded_density import Hull
from ..sampling.importance import systematic
from ..surrogate.outputs.log_joint import EmulatedLogJoint
from .ascents import FOREIGN, Known
from .outputs import BOLDEST, UNSURE_ABOVE

Array = NDArray[np.float64]
Predicted = Callable[[Array], tuple[Array, Array]]  # (n, D) -> log joint (n,), and the emulator's variance in units of the noise

SPREAD = 4.0 / 3.0  # sd of the even places, box frame: along an axis 87 % of them in the box
PLACES_POWER = 10  # 2^ so many even places, and as many more in each round
ROUNDS, NEARER = 3, 0.5  # of draws about the places that matter, each by so much nearer than the one before
INSIDE = (1e-12, 1.0 - 1e-12)  # of the unit cube, where a normal has finite places
CENTRES = 128  # places about which there are more
LARGEST = 700.0  # nats: beyond it exp overflows
CANDIDATES = 64  # draws from what may be hidden, one of which is the next run


@dataclass(frozen=True)
class Hidden:
    """``mass``: beside 1 for what is known; ``places`` (n, D) in the box frame, and their shares (n,) of it."""

    mass: float
    places: Array
    shares: Array


def hidden(
    predicted: Predicted, known: Known, log_z: float, hull: Hull, possible: Feasibility, rng: np.random.Generator
) -> Hidden:
    """What may be hidden where what is ``known``, of log evidence ``log_z``, does not explain it; ``predicted``: see
    ``EmulatedLogJoint.with_tails``.

    Every round draws about the heaviest places so far, nearer than the one before; all draws count as from the mixture of the
    rounds (Cornuet, Marin, Mira, Robert 2012).
    """
    d, n = len(hull.lower), 2**PLACES_POWER
    places = SPREAD * special.ndtri(np.clip(qmc.Sobol(d, scramble=True, rng=rng).random(n), *INSIDE))
    values, drawn = _values(predicted, places, known, hull, possible), [(np.zeros((1, d)), SPREAD)]
    width = SPREAD * n ** (-1.0 / d)  # about as far as even places lie from each other
    for _ in range(ROUNDS):
        weights = values - _log_density(places, drawn)
        if not np.isfinite(weights).any():
            return Hidden(0.0, places, np.full(len(places), 1.0 / len(places)))
        centres = places[systematic(special.softmax(weights), CENTRES, rng)]
        near = centres[np.arange(n) % CENTRES] + width * rng.standard_normal((n, d))
        drawn.append((centres, width))
        places, values = np.concatenate([places, near]), np.append(values, _values(predicted, near, known, hull, possible))
        width *= NEARER
    weights = values - _log_density(places, drawn)
    mass = float(np.exp(min(special.logsumexp(weights) - np.log(len(places)) - log_z, LARGEST)))
    return Hidden(mass, places, special.softmax(weights))


def _log_density(places: Array, drawn: list[tuple[Array, float]]) -> Array:
    """At places (n, D), of normals about centres (c, D) with an sd: the mean (n,) over all rounds."""
    d = places.shape[1]
    each = [
        special.logsumexp(-0.5 * spatial.distance.cdist(places, centres, "sqeuclidean") / sd**2, axis=1)
        - np.log(len(centres)) - d * np.log(sd * np.sqrt(2.0 * np.pi))
        for centres, sd in drawn
    ]  # fmt: skip
    return np.asarray(special.logsumexp(each, axis=0) - np.log(len(each)))


def _values(predicted: Predicted, places: Array, known: Known, hull: Hull, possible: Feasibility) -> Array:
    """Log joints (n,) at places (n, D); -inf where they do not count. What is predicted costs most, and is asked last."""
    chance, explained, values = possible.log_possible(places), known(places), np.full(len(places), -np.inf)
    wanted = hull.contains(places) & (chance + possible.log_runs(places) > FAILS_BELOW) & (explained < -FOREIGN)
    rows = np.flatnonzero(wanted)
    value, spread = predicted(places[rows])
    value = value + chance[rows]
    counts = (spread > UNSURE_ABOVE) & (explained[rows] < np.minimum(value, 0.0) - FOREIGN)
    values[rows[counts]] = value[counts]
    return values


def next_place(surrogate: EmulatedLogJoint, found: Hidden, rng: np.random.Generator) -> Array:
    """The run (D,): of some draws from what may be hidden the one whose outputs, as they are predicted, fit the data best."""
    some = found.places[systematic(found.shares, CANDIDATES, rng)]
    return np.asarray(some[int(np.argmax(surrogate.expected(some, BOLDEST)))], dtype=float)
