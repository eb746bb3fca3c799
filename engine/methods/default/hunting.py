"""The hunt for other modes: before the first certification, and after it for as many runs as are added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...acquisition import ascents, known_ways
from ...acquisition.probes import SMALL
from ...numerics.unseen_modes import NARROWER, PROMISED, WIDER, WIDTH, UnseenModes
from ...surrogate.evaluations import Evaluations, outcome_of
from .certification import fewest_wanted
from .memory import Memory
from .stage import LoopState

Array = NDArray[np.float64]
MOST_LOOKS = 6  # for each parameter, where more than GOAL of the modes hunted would not have shown yet
MORE_LOOKS = 4  # for each mode that an ascent has found: where there are two, there may be three
FEWEST = 10  # answers given after fewer missed whole modes (MODES.md)
PROMISED_FAR = 0.4  # as ``unseen_modes.PROMISED``, where looks are chosen by what the answer explains: they tell more
NARROW = WIDTH * NARROWER, WIDTH * NARROWER**2  # hunted to make up FEWEST
# in a large space: between widths farther apart are some of which a hunt that is not made would rule out nearly all
GRADED = tuple(WIDTH * 2.0 ** (k / 4) for k in range(6))
SIDE = 4.0  # of the plausible box in the box frame, [-2, 2]


def follows(memory: Memory) -> bool:
    """Whether all odd values are climbed from and modes designed around: in a space too large for the surrogate to cover. Outputs
    that are learnt tell of far places by themselves."""
    return memory.dimension > SMALL and not memory.emulated


def stray_share(memory: Memory) -> float:
    """``ascents.unexplained_from``: in a space that the surrogate covers a value is odd that nearly none of its fall explains."""
    return ascents.STRAY_SHARE if follows(memory) else ascents.MOST_OF_FALL


def may_climb(memory: Memory) -> bool:
    """Whether one more climb from a stray may begin."""
    return not memory.emulated and memory.ascents < ascents.MOST_FAR


def looks_left(memory: Memory) -> int:
    """Before a certification, which brings an answer in a large space to more than FEWEST evaluations for each parameter; no more
    than that where nothing that they could rule out is in reach."""
    m, d = memory, memory.dimension
    if m.emulated:
        return 0
    looks = (MOST_LOOKS * d if m.hunting >= WIDTH else 0) + MORE_LOOKS * m.designs - m.hunted if m.hunting > 0.0 else 0
    evaluations = FEWEST * d + 1 - fewest_wanted(d) - len(m.log.told) if follows(m) else 0
    return max(looks, evaluations, 0)


def width_to_hunt(now: LoopState, modes: UnseenModes) -> float:
    """Of the narrowest modes from WIDTH on of which a whole hunt may rule out a good part, or else of narrower ones; 0: of none.
    Where no run may give a value nothing is ruled out."""
    looks, possible = MOST_LOOKS * now.memory.dimension, may_give_value(now, modes)
    if not possible.any():
        return 0.0
    far = follows(now.memory)
    widths, promised = (GRADED, PROMISED_FAR) if far else ((WIDTH, *WIDER), PROMISED)
    return modes.in_reach(looks, widths, possible, promised) or modes.in_reach(looks, NARROW, possible, promised)


def seen(now: LoopState) -> UnseenModes:
    """What all evaluations rule out; those that are out count as their neighbours."""
    m, d = now.memory, now.memory.dimension
    known = [t for t in m.log.told if outcome_of(t, now.top) == "ok"]
    values = np.array([t.y for t in known], dtype=float) + now.box.log_volume + d * np.log(SIDE)
    found = UnseenModes(_unit(now, [t.u for t in known]), values, _least_log_z(now), np.array([t.sd for t in known]))
    out = [u for u, _ in m.log.pending.values()]
    return found.with_places(_unit(now, out)) if out else found


def _least_log_z(now: LoopState) -> float:
    """A log evidence that is hardly less; an answer from earlier runs has no history of its own."""
    if now.memory.history:
        last = now.memory.history[-1]
        return last.log_z - last.log_z_sd
    doubt = now.memory.certified[1] if now.memory.certified is not None else 0.0
    return now.draws.log_z + now.top + now.box.log_volume - doubt


def _unit(now: LoopState, points: Sequence[Array]) -> Array:
    return np.array([now.box.into(np.asarray(u, float)) for u in points]) / SIDE + 0.5


def further_left(memory: Memory) -> int:
    """Looks still to be made because a converged analysis was given another budget: as many as that allows; or because so many
    were asked for."""
    m = memory
    another, room = m.log.more or m.log.budget != m.settled_with, m.log.budget - m.settled_at
    wanted = room if another else min(room, m.further_wanted)
    return wanted - m.looked_further if m.converged else 0


def place(now: LoopState, modes: UnseenModes, width: float) -> Array:
    """The next place (D,) in the box frame, where runs may give a value, for modes of this width, or of WIDTH."""
    possible, width = may_give_value(now, modes), width or WIDTH
    worth = np.exp(now.possible.log_worth((modes.centres - 0.5) * SIDE))
    return np.asarray((_as_followed(now, modes).telling_places(1, possible, width, worth)[0] - 0.5) * SIDE)


def _as_followed(now: LoopState, modes: UnseenModes) -> UnseenModes:
    """As modes show: above what the answer explains, where even a mode beside it may hide."""
    m = now.memory
    if m.emulated or m.mixture is None:
        return modes
    density, top = ascents.explained_density(m.mixture), now.top + now.box.log_volume + m.dimension * np.log(SIDE)
    return modes.as_followed(
        lambda places: density((places - 0.5) * SIDE) + top, lambda explained: ascents.unexplained_from(explained - top) + top
    )


def may_give_value(now: LoopState, modes: UnseenModes) -> NDArray[np.bool_]:
    """At which of the centres (M,) runs may."""
    return now.possible.may_give_value((modes.centres - 0.5) * SIDE)


def look_further(now: LoopState, index: int) -> Array:
    """The same after convergence, noted as the ask ``index``."""
    modes = seen(now)
    found = place(now, modes, width_to_hunt(now, modes) or WIDTH)
    now.memory.looked_further += 1
    now.memory.explored.append(index)
    return found


def has_stray(now: LoopState) -> bool:
    """Whether there is a value to be climbed from that the modes of the answer do not explain."""
    m = now.memory
    return may_climb(m) and m.mixture is not None and len(climbs(now).left(m.ascent_ends)) > 0


def climbs(now: LoopState) -> ascents.LocalClimbs:
    """From strays, led away from what the answer was when the climb under way began."""
    m, known = now.memory, evaluations(now)
    mixture = m.ascent_known or m.mixture
    assert mixture is not None
    values = known.y - now.top
    found = ascents.LocalClimbs.of(known.points, values, mixture, now.hull, stray_share(m))
    return found if m.ascent is not None else replace(found, held=held(now, known.points, values))


def held(now: LoopState, points: Array, values: Array) -> NDArray[np.bool_]:
    """(n,) which evaluations the answer accounts for although its mixture does not: its draws do, or its surrogate knows the way
    from there up to them. In a space that the surrogate covers: unless that leads up to a top of its own, which out of the
    plausible box is looked for from a few places in it only."""
    m = now.memory
    assert m.mixture is not None
    found = now.draws.holds(points, values)
    rest = ascents.strays(points, values, ascents.explained_density(m.mixture), [], found, stray_share(m))
    found[rest] = _leads_to_known(now, rest) if follows(m) else _needs_no_climb(now, rest)
    return found


def _needs_no_climb(now: LoopState, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(m,) of the evaluations ``rows`` (m,), where the surrogate covers the space, whether its mean leads from there up to what
    is known, or out of the plausible box, which is as likely its fault: a place in it is climbed from nevertheless, one of those
    near each other and as many as there are parameters."""
    m, places = now.memory, now.surrogate.b[rows]
    ends, leads = known_ways.ways_up(now.draws, now.surrogate, places)
    trusted = _outside(places) | ascents.near(places, m.ascent_ends) | (m.ascents >= m.dimension)
    return np.asarray(leads | (_outside(ends) & trusted))


def _outside(places: Array) -> NDArray[np.bool_]:
    """(m,) whether ``places`` (m, D) in the box frame are out of the plausible box."""
    return np.asarray((np.abs(places) > SIDE / 2).any(axis=1))


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
    below = ascent.value - now.top < ascents.unexplained_from(explained, ascents.LEFT_OF_SHARE * stray_share(m))[0]
    row = np.square(now.surrogate.b - ascent.best).sum(1).argmin()
    return bool(below or _leads_to_known(now, np.array([row]))[0])


def _leads_to_known(now: LoopState, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(m,) of the evaluations ``rows`` (m,), whether the surrogate leads up from there to what the draws hold."""
    if follows(now.memory):
        return known_ways.lead_to(now.draws, now.surrogate, rows)
    return known_ways.ways_up(now.draws, now.surrogate, now.surrogate.b[rows])[1]


def mode_without_design(memory: Memory) -> Array | None:
    """Centre (D,) of a mode beside the heaviest one around which no places were evaluated; None: there are designs for all."""
    m = memory
    if not follows(m) or m.mixture is None:
        return None
    _, *others = m.mixture.modes
    if len(others) <= m.designs:
        return None
    weights, means = m.mixture.weights, m.mixture.means
    centres = np.array([weights[part] @ means[part] / weights[part].sum() for part in others])
    if m.designed:
        apart = np.square(centres[:, None] - np.array(m.designed)).sum(-1).min(1)
        return np.asarray(centres[apart.argmax()], dtype=float)
    return np.asarray(centres[0], dtype=float)
