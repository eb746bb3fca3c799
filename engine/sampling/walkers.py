"""What a proposal misses, looked for by walkers: moves from its own weighted draws along the density, and its mending by them.

Importance sampling does not see what its proposal does not reach: where a bound cuts off a bent ridge, the arm along it may be
in none of the draws while their effective share looks well. Walkers that begin at the draws get there.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .importance import systematic
from .lost_modes import with_lost_modes
from .population_monte_carlo import BAD_FIT, LogDensity, PosteriorDraws, refined, search, with_modes_at
from .proposal import Proposal
from .tails import into_the_tails
from .walk import fitted, walk

Array = NDArray[np.float64]

FEW, SHORT = 200, 10  # walkers and sweeps with which every proposal is tried
MANY, LONG = 400, 15  # the same, where it is mended
FULL = 60  # sweeps with which is measured what is missed after that: with LONG half of an arm, 100 find a fifth more
MISSED = 4.0  # nats by which a place's weight exceeds the mean weight of the draws: none of some thousand draws falls there
MISSED_SHARE = 0.002  # of the walkers' places: more of the posterior is not to be missed
ROUNDS = 5  # of mending
MOST_MISSED = 0.02  # of the posterior that walkers may still find missed in an answer that is called converged
USABLE = 0.2  # effective share of the draws below which nothing is called converged


def search_and_walk(
    log_density: LogDensity, start: Proposal, mended: bool, base: Array, rng: np.random.Generator,
    walking: np.random.Generator | None, draw: Callable[[Proposal], PosteriorDraws], evaluated: Array, refining: bool = False,
    tails: bool = False,
) -> tuple[PosteriorDraws, bool, float]:
    """``search``, and its draws mended where walkers find that they miss some of the posterior; whether they were, and what share
    of it walkers find missed by them still, 0 where they were not asked.

    ``mended``: whether ``start`` had to be, which is then used as it is where it still fits: moved, it would lose the same again.
    ``walking``: None where nothing is looked for this time. ``refining``: ``refined``. ``tails``: walkers go ``into_the_tails``,
    too, of a density that is low where nothing is known. The draws returned are the last that ``draw`` made.
    """  # fmt: skip
    draws = with_modes_at(log_density, draw(start), evaluated, base, rng, draw) if mended else None
    if draws is None or draws.ess < BAD_FIT:
        draws = search(log_density, start, base, rng, draw, evaluated)
        mended = False
    missed = 0.0
    if draws.temperature < 1.0:
        mended = False
    elif walking is not None:
        missed = missed_by(log_density, draws, FEW, SHORT, walking)[0]
        if missed >= MISSED_SHARE:
            draws, mended, missed = _mended(log_density, draws, draw, base, walking)
    finer = refined(log_density, draws, base, rng, draw) if refining else draws
    if tails and walking is not None:
        finer = into_the_tails(log_density, finer, draw, walking)
    if walking is not None and missed >= MISSED_SHARE and finer is not draws:
        missed = missed_by(log_density, finer, MANY, FULL, walking)[0]
    return finer, mended, missed


def missed_by(
    log_density: LogDensity, draws: PosteriorDraws, count: int, sweeps: int, rng: np.random.Generator
) -> tuple[float, Array, NDArray[np.bool_]]:
    """What share of ``count`` walkers' places from the draws, in the later half, is missed by the draws' proposal; those places
    (n, D), and which of them are missed (n,)."""
    places, values = walk(log_density, draws.points[systematic(draws.weights, count, rng)], sweeps, rng)
    later = (sweeps // 2) * count
    places, values = places[later:], values[later:]
    missed = values - draws.proposal.log_density(places) - draws.log_z > MISSED
    return float(missed.mean()), places, missed


def _mended(
    log_density: LogDensity, draws: PosteriorDraws, draw: Callable[[Proposal], PosteriorDraws], base: Array,
    rng: np.random.Generator,
) -> tuple[PosteriorDraws, bool, float]:
    """Draws from a proposal fitted to the walkers' places, as often as they miss some: those of which walkers find least missed,
    of the ones that fit; whether others than ``draws``, and that share. The modes that ``draws`` reached are reached by all.
    """  # fmt: skip
    now = best = draws
    left = np.inf
    for turn in range(ROUNDS + 1):
        share, places, missed = missed_by(log_density, now, MANY, LONG, rng)
        fits = now.temperature == 1.0 and now.ess > min(USABLE, draws.ess)
        if now is draws or now.ess > best.ess or (fits and share <= left):
            best, left = now, share
        if share < MISSED_SHARE or turn == ROUNDS:
            break
        last, now = now, draw(fitted(now.proposal, places, places[missed], rng))
        for before in (last,) if last is draws else (last, draws):  # a mode may also fade, from turn to turn
            whole = with_lost_modes(log_density, before, now, base, rng, MISSED_SHARE)
            now = now if whole is None else draw(whole)
    if best is not now:
        best = draw(best.proposal)
    if left >= MISSED_SHARE:
        left = missed_by(log_density, best, MANY, FULL, rng)[0]
    return best, best.proposal is not draws.proposal, left
