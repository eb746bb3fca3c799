"""The hunt for other modes: before the first certification from D = 5 on, and after it for as many runs as are added."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...acquisition import ascents
from ...acquisition.hunt import GOAL, MASS, WIDTH, fewest_looks, most_looks, place_to_hunt
from ...acquisition.probes import SMALL
from ...numerics.mixture_modes import modes_of
from ...numerics.unseen_modes import UnseenModes
from ...surrogate.evaluations import Evaluations, outcome_of
from .certification import fewest_wanted
from .memory import Memory
from .stage import LoopState

Array = NDArray[np.float64]
MORE_LOOKS = 4  # for each mode that an ascent has found: where there are two, there may be three
FEWEST = 10  # answers given after fewer missed whole modes (MODES.md)
SIDE = 4.0  # of the plausible box in the box frame, [-2, 2]


def hunts(memory: Memory) -> bool:
    """Whether the log density itself is learnt in a space too large to be covered; outputs that are learnt tell of far places."""
    return memory.dimension > SMALL and not memory.emulated


def looks_left(memory: Memory) -> int:
    """Before a certification, which brings an answer to more than FEWEST evaluations for each parameter."""
    if not hunts(memory):
        return 0
    d = memory.dimension
    looks = most_looks(d) if memory.unseen > GOAL else fewest_looks(d)
    evaluations = FEWEST * d + 1 - fewest_wanted(d)
    return max(looks + MORE_LOOKS * memory.designs - memory.hunted, evaluations - len(memory.log.told))


def unseen(now: LoopState) -> float:
    """Share of the modes hunted that no evaluation rules out."""
    m, d = now.memory, now.memory.dimension
    known = [t for t in m.log.told if outcome_of(t, now.top) == "ok"]
    places = np.array([now.box.into(np.asarray(t.u, float)) for t in known]) / SIDE + 0.5
    values = np.array([t.y for t in known], dtype=float) + now.box.log_volume + d * np.log(SIDE)
    last = m.history[-1]
    return UnseenModes(places, values, last.log_z - last.log_z_sd, np.array([t.sd for t in known])).unseen(WIDTH, MASS)


def further_left(memory: Memory) -> int:
    """Looks still to be made because runs were added to a converged analysis."""
    return memory.log.budget - memory.settled_with - memory.looked_further if memory.converged else 0


def place(now: LoopState) -> Array:
    """The next place (D,) in the box frame."""
    m = now.memory
    looked = m.hunted + m.looked_further
    found = place_to_hunt(m.dimension, looked, lambda unit: now.possible.may_be_possible((unit - 0.5) * SIDE))
    return (found - 0.5) * SIDE


def look_further(now: LoopState, index: int) -> Array:
    """The same after convergence, noted as the ask ``index``."""
    found = place(now)
    now.memory.looked_further += 1
    now.memory.explored.append(index)
    return found


def stray(now: LoopState) -> int | None:
    """Row of a value that the modes of the answer do not explain."""
    m = now.memory
    if not hunts(m) or m.mixture is None:
        return None
    known = evaluations(now)
    return ascents.stray(known.points, known.y - now.top, ascents.explained_density(m.mixture), m.ascent_ends)


def next_step(now: LoopState, climb: ascents.Ascent, rng: np.random.Generator) -> Array | None:
    """The next place (D,) of a climb from a stray; None: there is none."""
    m, known = now.memory, evaluations(now)
    mixture = m.ascent_known or m.mixture
    assert mixture is not None
    return ascents.local_step(known.points, known.y - now.top, mixture, climb, now.top, now.hull, rng)


def evaluations(now: LoopState) -> Evaluations:
    """Those that the surrogate is built on, in the same order, with their true values."""
    m = now.memory
    return Evaluations.of(m.log.told[: m.built_on], m.dimension, now.box.into)


def explained_by_now(now: LoopState, ascent: ascents.Ascent) -> bool:
    """Whether the answer, which has learnt since, explains where a climb far from it has come to."""
    m = now.memory
    if not ascent.local or m.mixture is None or ascent.found(now.top):
        return False
    explained = ascents.explained_density(m.mixture)(ascent.best[None])
    return bool(ascent.value - now.top < ascents.unexplained_from(explained)[0])


def mode_without_design(memory: Memory) -> Array | None:
    """Centre (D,) of a mode beside the heaviest one around which no places were evaluated; None: there are designs for all."""
    m = memory
    if not hunts(m) or m.mixture is None:
        return None
    _, *others = modes_of(m.mixture.weights, m.mixture.means, m.mixture.covariances)
    if len(others) <= m.designs:
        return None
    weights, means = m.mixture.weights, m.mixture.means
    centres = np.array([weights[part] @ means[part] / weights[part].sum() for part in others])
    if m.designed:
        apart = np.square(centres[:, None] - np.array(m.designed)).sum(-1).min(1)
        return np.asarray(centres[apart.argmax()], dtype=float)
    return np.asarray(centres[0], dtype=float)
