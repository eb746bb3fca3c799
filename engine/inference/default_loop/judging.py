"""When an answer is called converged.

    the stop rule holds -> look at places unexplored or not excluded, one at a time -> check by fresh evaluations -> verdict
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..randomness import generator
from . import certification, stopping
from .answer import EDGE_LIMIT, edge_mass
from .data import outcome_of
from .evidence import stated_sd
from .probes import (
    counts_as_vain,
    edge_level,
    most_looks,
    place_not_excluded,
    place_unexplored,
    regions_to_exclude,
    tail_points,
)
from .standing import Standing

Array = NDArray[np.float64]


def judge(now: Standing) -> None:
    """Take the verdict of a certification, or begin what comes before one; noted in ``now.memory``."""
    m = now.memory
    _count_vain_looks(now)
    if m.certification is not None:
        _take_verdict(now)
    elif not m.converged and _may_be_right(now):
        m.lookout = _place_to_look_at(now)
        if m.lookout is None:
            m.certification = _certification(now)


def _count_vain_looks(now: Standing) -> None:
    """How many looks in a row found nothing that matters."""
    m, last = now.memory, now.memory.told[-1]
    if last.index not in m.explored:
        return
    if last.y is not None and last.y - now.top > now.draws.level:
        m.vain_looks = 0
    elif counts_as_vain(now.box.into(np.asarray(last.u, float))):
        m.vain_looks += 1


def _walled(now: Standing) -> bool:
    return len(now.possible.impossible) > 0


def _at_the_edge(now: Standing) -> bool:
    return edge_mass(now.hull, now.draws.points, now.draws.weights) > EDGE_LIMIT


def _take_verdict(now: Standing) -> None:
    m, d = now.memory, now.memory.dimension
    assert m.certification is not None
    accepted, correction, se = m.certification.verdict(d)
    accepted = accepted and m.certification.decided(d) and _steady(now)
    m.certification, m.certification_points = None, []
    if accepted and stated_sd(m.history, se, d) < certification.evidence_limit(d, _walled(now)):
        m.certified, m.converged = (correction, se), True
        return
    m.refused_by = float(np.hypot(correction, se)) if np.isfinite(correction) and np.isfinite(se) else 1.0
    m.refusals += 1
    if not accepted:  # what was confirmed, but too vaguely, is checked again at once
        m.refused_at = len(m.told)


def _steady(now: Standing) -> bool:
    """Whether the answer refitted with the checks is the one that was checked."""
    m, o = now.memory, now.options
    if len(m.history) < 2 or _at_the_edge(now):
        return False
    last, before = m.history[-1], m.history[-2]
    sampled = last.temperature == 1.0 and last.ess > 0.1
    return sampled and last.log_z_sd < 2 * o.evidence_sd_limit and abs(last.log_z - before.log_z) < o.evidence_range_limit


def _checks(now: Standing) -> tuple[int, int]:
    """How many posterior draws and how many tail points a certification evaluates."""
    d = now.memory.dimension
    return certification.checks_wanted(d, _walled(now)), certification.tails_wanted(d)


def _may_be_right(now: Standing) -> bool:
    """Whether the stop rule holds, with room for a certification in the budget."""
    m, d = now.memory, now.memory.dimension
    n = sum(outcome_of(t) == "ok" for t in m.told)
    room = m.budget - len(m.told) - len(m.pending) >= sum(_checks(now))
    rested = len(m.told) - m.refused_at >= certification.PAUSE_AFTER_REFUSAL
    limits = stopping.limits(now.options, _walled(now))
    return room and rested and not stopping.unmet(m.history, n, d, *limits) and not _at_the_edge(now)


def _place_to_look_at(now: Standing) -> Array | None:
    """The next part of the plausible box that no evaluation came near, or else a place that the surrogate cannot exclude."""
    m = now.memory
    rng = generator(now.settings.seed, "elsewhere", len(m.told))
    evaluated = np.array([now.box.into(np.asarray(t.u, float)) for t in m.told])
    level, most = edge_level(now.draws, rng), most_looks(m.dimension)
    possible = now.possible.may_be_possible
    place = place_unexplored(now.surrogate.mean, possible, evaluated, level, m.looked_around, most, rng)
    m.looked_around += place is not None
    if place is not None:
        return place
    for region in regions_to_exclude(now.hull, m.vain_looks):
        place = place_not_excluded(now.surrogate, now.draws, region, now.possible, rng)
        if place is not None:
            return place
    return None


def _certification(now: Standing) -> certification.Certification:
    m, draws = now.memory, now.draws
    rng = generator(now.settings.seed, "certification", len(m.told))
    wanted, tails = _checks(now)
    chosen = rng.choice(len(draws.points), size=wanted + tails, replace=False, p=draws.weights)
    drawn, starts = np.split(draws.points[chosen], [wanted])
    drops, box = np.full(tails, certification.TAIL_DROP), (now.hull.lower, now.hull.upper)
    far = tail_points(now.surrogate.mean, starts, draws.moments()[1], box, drops, rng)
    return certification.Certification.of(drawn, far, all_draws=_walled(now))
