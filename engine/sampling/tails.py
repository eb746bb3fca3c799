"""The tails that a proposal does not reach, found by walkers of a power of the density, and the proposal widened by them.

A Gaussian mixture fitted to its own draws ends where they end: of a long bent tail it has no draw, and without one neither its
weights nor their k-hat tell. Walkers of a power of the density go far into its tails, along their bends.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..answer.words import USABLE_K
from .importance import normalized, systematic
from .pareto import pareto_k
from .population_monte_carlo import BAD_FIT, HEAVY, REFINEMENTS, LogDensity, PosteriorDraws, with_components_at_heaviest
from .proposal import MOST_COMPONENTS, Proposal, joined
from .reduction import reduced
from .walk import ADDED, fitted, walk

Array = NDArray[np.float64]

POWER = 0.3  # of the density that is walked along: tails 1 / .3 times as long in nats
WALKERS, SWEEPS = 400, 30  # in their later half they have gone through the tails
UNREACHED_SHARE = 1e-4  # of the posterior in places that are not reached, from which the proposal is widened
OUTERMOST = 0.05  # of the walkers' places, where components begin that are to cover the tails
TAIL_SHARE = 0.2  # of the draws that the widened part gets
ROUNDS = 4  # each shows where the tail goes on


def into_the_tails(
    log_density: LogDensity, draws: PosteriorDraws, draw: Callable[[Proposal], PosteriorDraws], rng: np.random.Generator
) -> PosteriorDraws:
    """``draws``, or what ``draw`` makes of a proposal with a wider part where they do not reach the tails."""
    if draws.temperature < 1.0 or draws.ess < BAD_FIT:
        return draws
    for _ in range(ROUNDS):
        share, places = unreached(log_density, draws, rng)
        if share < UNREACHED_SHARE and not tails_unsure(draws):
            break
        draws = draw(_widened(draws.proposal, places, rng))
        for _ in range(REFINEMENTS):
            if not draws.heavy:
                break
            draws = draw(with_components_at_heaviest(draws))  # not moved by EM steps: they would lose the tail again
    return draws


def tails_unsure(draws: PosteriorDraws) -> bool:
    """Whether few draws stand for the tails, by single ones or by k-hat."""
    return draws.heavy or pareto_k(draws.log_weights) >= USABLE_K


def unreached(log_density: LogDensity, draws: PosteriorDraws, rng: np.random.Generator) -> tuple[float, Array]:
    """What share of the posterior lies where a draw would weigh HEAVY times the mean, as few draws reach it; and places (n, D)
    of walkers of the density to the POWER, from the draws."""
    start = draws.points[systematic(draws.tempered(POWER), WALKERS, rng)]
    places, values = walk(lambda points, log_q: POWER * log_density(points, log_q), start, SWEEPS, rng)
    later = (SWEEPS // 2) * WALKERS
    places, values = places[later:], values[later:] / POWER
    heavy = values - draws.proposal.log_density(places) - draws.log_z > np.log(HEAVY)
    weights, _ = normalized((1.0 - POWER) * values)  # of the places, as draws of the density itself
    return float(weights[heavy].sum()), places


def _widened(proposal: Proposal, places: Array, rng: np.random.Generator) -> Proposal:
    """The proposal and, with TAIL_SHARE of the draws, itself fitted to ``places`` (n, D), with components begun far out."""
    outermost = np.argsort(proposal.log_density(places))[: int(OUTERMOST * len(places))]
    wide = fitted(proposal, places, places[outermost], rng)
    wide = reduced(wide, max(ADDED, MOST_COMPONENTS - len(proposal.weights)))  # none of the proposal makes room for it
    return joined(proposal, wide.means, wide.covariances, TAIL_SHARE, wide.weights)
