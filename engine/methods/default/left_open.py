"""How much of the prior is left open for a further mode of outputs that are learnt: places where the runs do not speak against
outputs as they were measured, the emulator is not sure of them, and the answer does not explain them.

A place is excluded by the Bayes factor of all runs for such outputs there, not by how likely they are: that is little wherever
little is known. The factor falls below EXCLUDED at no more than that share of the places where outputs are as measured, as far
as the runs reach: what is extrapolated farther excludes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...acquisition.ascents import FOREIGN, Known
from ...acquisition.outputs import UNSURE_ABOVE
from ...acquisition.probes import least_explored
from ...answer.unseen import LEFT_OPEN
from ...numerics.unseen_modes import CENTRES, EXCLUDED, even_places
from ...surrogate.outputs.log_joint import EmulatedLogJoint
from .hunting import SIDE
from .other_modes import accounted_for
from .stage import LoopState

Array = NDArray[np.float64]

PLACES = 1024  # shares are exact to about .01
LOGISTIC = 2.0 / np.log(9.0)  # scale: between -2 and 2, where the plausible range is in the box frame, lies the central 80 %
REACH = 1.0  # widths of the runs' range along an axis, in the prior's probability, by which outputs are believed to go on beyond
INSIDE = 1e-6  # of the unit cube: places at its ends are infinitely far away


@dataclass(frozen=True)
class LeftOpen:
    """``share`` of the prior; ``places`` (n, D) in the box frame that stand for it."""

    share: float
    places: Array

    def next_place(self, evaluated: Array) -> Array:
        """The one (D,) that leaves the least of them unexplored, runs made at places ``evaluated`` (n, D)."""
        return least_explored(self.places, evaluated)


def left_open(now: LoopState) -> LeftOpen:
    """Runs under way count as they are predicted."""
    places, weights = prior_places(now)
    possible = now.possible.may_give_value(places) & now.hull.contains(places)
    open_ = possible.copy()
    open_[possible] = _is_open(now, places[possible])
    share = float(weights[open_].sum() / weights[possible].sum()) if possible.any() else 0.0
    return LeftOpen(share, places[open_])


def arrays_of(now: LoopState) -> dict[str, Array]:
    """What is kept with an answer: of the centres of ``UnseenModes`` the rows (k,) of those left open; of a score nothing."""
    if not isinstance(now.surrogate, EmulatedLogJoint):
        return {}
    centres = (even_places(now.memory.dimension, CENTRES) - 0.5) * SIDE
    return {LEFT_OPEN: np.flatnonzero(_is_open(now, centres)).astype(float)}


def prior_places(now: LoopState) -> tuple[Array, Array]:
    """Places (PLACES, D) in the box frame, spread evenly over uniform priors, and their weights (PLACES,) for this one."""
    u = np.clip(even_places(now.memory.dimension, PLACES), INSIDE, 1.0 - INSIDE)
    assert now.settings.cells is not None
    places = LOGISTIC * special.logit(u)
    log_weights = now.settings.cells.log_prior(now.box.back(places)) - (np.log(u) + np.log1p(-u)).sum(1)
    return places, special.softmax(log_weights)


def reached(places: Array, runs: Array) -> NDArray[np.bool_]:
    """(n,) which of places (n, D), box frame, lie no farther than REACH beyond the range of ``runs`` (m, D) on any axis."""
    at, made = special.expit(places / LOGISTIC), special.expit(runs / LOGISTIC)
    low, high = made.min(0), made.max(0)
    beyond = np.maximum(low - at, at - high)
    return np.asarray((beyond <= REACH * (high - low)).all(1))


def _is_open(now: LoopState, places: Array) -> NDArray[np.bool_]:
    """(n,) of places (n, D), for all runs."""
    surrogate, m = now.surrogate, now.memory
    assert isinstance(surrogate, EmulatedLogJoint)
    assert m.mixture is not None
    waiting = np.array([u for u, _ in m.log.pending.values()]).reshape(-1, m.dimension)
    surrogate = surrogate.with_all_runs().with_pending(now.box.into(waiting))
    return not_excluded(surrogate, places, accounted_for(now, m.mixture))


def not_excluded(surrogate: EmulatedLogJoint, places: Array, known: Known) -> NDArray[np.bool_]:
    """At which of the places (n, D) a mode may be that what is ``known`` does not explain: what costs least is asked first."""
    explained = known(places)
    rows = np.flatnonzero(explained < -FOREIGN)
    value, _ = surrogate.with_tails(places[rows], UNSURE_ABOVE)
    foreign = explained[rows] < np.minimum(value, 0.0) - FOREIGN
    rows, value = rows[foreign], value[foreign]
    far = ~reached(places[rows], surrogate.b)
    in_line = surrogate.log_bayes_factor(places[rows[~far]], value[~far]) > np.log(EXCLUDED)
    open_ = np.zeros(len(places), dtype=bool)
    open_[rows[far]], open_[rows[~far]] = True, in_line
    return open_
