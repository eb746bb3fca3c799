"""Runs on the border of where the density is zero, and looks at where runs fail, as long as either leaves the answer open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...numerics.randomness import generator
from . import hunting, stopping
from .doubts import BESIDE
from .stage import LoopState

Array = NDArray[np.float64]

BORDER_LOOKS, OPEN_SHARE = 3, 0.05  # looks for each parameter, while the share of failing runs is open by more than this

KNOWN_EDGE = 0.5 * stopping.EDGE_SD_LIMIT  # sd of log Z by the edge of a zero density below which it holds up nothing


def run_due(now: LoopState, evidence: Callable[[], tuple[float, float]]) -> bool:
    """Whether the next run is made on the border of a zero density: that border leaves log Z more open than the values do.
    ``evidence``: log Z and the surrogate's own sd of it."""
    if not now.possible.walled or not now.possible.affordable:
        return False
    return now.possible.evidence_sd(now.draws.points, now.draws.log_weights) > max(evidence()[1], KNOWN_EDGE)


def looks_left(now: LoopState) -> bool:
    """Whether it is left open how much of the posterior lies where runs fail, and looks are left."""
    m, draws = now.memory, now.draws
    if m.bordered >= BORDER_LOOKS * m.dimension or not now.possible.affordable:
        return False
    share = now.possible.failing_share(draws.points, draws.weights)
    return share.high - share.low >= OPEN_SHARE


def place_in_question(now: LoopState, rng: np.random.Generator) -> Array | None:
    """Where it is in doubt whether runs fail: right beside one that may have by chance, or at a draw."""
    beside = place_beside_failed(now)
    if beside is not None or not looks_left(now):
        return beside
    now.memory.bordered += 1
    return now.possible.place_in_question(now.draws.points, now.draws.weights, rng)


def place_beside_failed(now: LoopState) -> Array | None:
    """Right beside a run that its place or chance made fail."""
    m, failed = now.memory, now.possible.cause_in_question(now.draws.points)
    if failed is None or not looks_left(now):
        return None
    m.bordered += 1
    rng = generator(now.settings.seed, "beside failed", len(m.log.told))
    return failed + hunting.SIDE * BESIDE * rng.choice([-1.0, 1.0], m.dimension)
