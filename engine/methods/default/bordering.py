"""Runs on the border of where the density is zero, and looks at where runs fail, as long as either leaves the answer open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...answer.digits import rough_beside
from ...answer.where_known import FAILING_LIMIT, MOST_FAILING
from ...feasibility.classifier import Feasibility
from ...feasibility.share import Share
from ...numerics.randomness import generator
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.evaluations import outcome_of
from . import stopping
from .score import coefficients
from .stage import LoopState

Array = NDArray[np.float64]

BORDER_LOOKS, OPEN_SHARE = 3, 0.05  # looks for each parameter, while the share of failing runs is open by more than this

KNOWN_EDGE = 0.5 * stopping.EDGE_SD_LIMIT  # sd of log Z by the edge of a zero density below which it holds up nothing
OPEN_EDGE = 0.06  # ... or mass on the wrong side, with which nothing is checked yet


def run_due(now: LoopState, evidence: Callable[[], tuple[float, float]]) -> bool:
    """Whether the next run is made on the border of a zero density: that border leaves the answer more open than the values do.
    ``evidence``: log Z and the surrogate's own sd of it."""
    left = left_open(now) if now.possible.affordable else 0.0
    known = len(now.possible.good) >= coefficients(now.memory.dimension) + 2 * now.memory.dimension
    return (known or now.memory.log.next_index % 2 == 0) and left > KNOWN_EDGE and left > evidence()[1]


def border_matters(possible: Feasibility, draws: PosteriorDraws) -> bool:
    """Whether a zero density's border leaves the answer open, and a run for that alone can be afforded."""
    return possible.walled and possible.affordable and border_left_open(possible, draws) > KNOWN_EDGE


def open_words(left: float) -> tuple[str, ...]:
    """Why an answer whose border leaves ``left`` open is not checked; empty where it may be."""
    if not left > OPEN_EDGE:
        return ()
    return (
        "Where the density becomes zero is not known well enough: about "
        f"{rough_beside(100.0 * left, 100.0 * OPEN_EDGE)} % of the posterior may "
        f"lie on the wrong side of that border, where {100.0 * OPEN_EDGE:g} % is allowed.",
    )


def is_open(now: LoopState) -> bool:
    """Whether the border of a zero density leaves the answer too open to be checked."""
    return left_open(now) > OPEN_EDGE


def left_open(now: LoopState) -> float:
    """``border_left_open``."""
    return border_left_open(now.possible, now.draws)


def border_left_open(possible: Feasibility, draws: PosteriorDraws) -> float:
    """By the border of a zero density: the larger of the sd of log Z and of the mass on the wrong side."""
    return possible.left_open(draws.points, draws.log_weights) if possible.walled else 0.0


def share_told(now: LoopState) -> Share:
    """Of the posterior where runs fail, by the map, by how high the density may be there, and by the draws that checked it."""
    return now.share_widened.with_draws(*_failed_checks(now))


def share_in_doubt(now: LoopState) -> bool:
    """Whether more draws from the posterior failed than the map can explain."""
    return now.share.with_draws(*_failed_checks(now)) is not now.share


def _failed_checks(now: LoopState) -> tuple[float, float]:
    """How many of the draws that checked the answer failed for their places, and how many there were: with those passed over,
    which would have failed."""
    m = now.memory
    known = m.log.told[: m.built_on]
    failed = [t.index for t in known if outcome_of(t, now.top) == "failed"]
    place = dict(zip(failed, 1.0 - now.possible.by_chance, strict=True))
    lost, told = sum(float(place.get(i, 0.0)) for i in m.checked_draws), len({t.index for t in known} & set(m.checked_draws))
    return lost + m.passed_draws, told + m.passed_draws


def looks_left(now: LoopState) -> bool:
    """Whether it is left open how much of the posterior lies where runs fail, and looks are left."""
    if not _affordable(now):
        return False
    return now.share.high - now.share.low >= OPEN_SHARE or share_in_doubt(now)


def _affordable(now: LoopState) -> bool:
    return now.memory.bordered < BORDER_LOOKS * now.memory.dimension and now.possible.affordable


def place_in_question(now: LoopState, rng: np.random.Generator) -> Array | None:
    """Where it is in doubt whether runs fail: near one that may have by chance, or at a draw."""
    beside = place_beside_failed(now)
    if beside is not None or not looks_left(now):
        return beside
    now.memory.bordered += 1
    return now.possible.place_in_question(now.draws.points, now.draws.weights, rng)


def place_where_unsure(now: LoopState, held_up: bool = False) -> Array | None:
    """Of an answer that cannot be checked yet, or be called converged, since too much of it may lie where runs fail. ``held_up``:
    by that alone, so that as many looks are made as can be afforded."""
    share = share_told(now)
    if share.high <= FAILING_LIMIT and not share_in_doubt(now):
        return place_beside_failed(now)
    rng = generator(now.settings.seed, "share in doubt", len(now.memory.log.told))
    place = place_in_question(now, rng)
    if place is None and held_up and share.low < MOST_FAILING and now.possible.affordable:
        return now.possible.place_in_question(now.draws.points, now.draws.weights, rng)
    return place


def place_beside_failed(now: LoopState) -> Array | None:
    """Near a run that its place or chance made fail: one in the bulk of the posterior, a draw of it as like as not, is a
    sign of a region however small the map says that one is."""
    m, failed = now.memory, now.possible.cause_in_question(now.draws.points)
    if failed is None or not _affordable(now):
        return None
    if not float(now.surrogate.mean(failed[None])[0]) > now.draws.bulk_level and not looks_left(now):
        return None
    m.bordered += 1
    return now.possible.beside(failed, generator(now.settings.seed, "beside failed", len(m.log.told)))
