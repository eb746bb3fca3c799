"""When an answer is called converged.

    the stop rule holds -> follow up odd values, evaluate around modes found, look at places left open or not excluded, one
                           at a time -> check by fresh evaluations -> verdict
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...acquisition import ascents
from ...acquisition.aims import Aim
from ...acquisition.mode_design import AxialDesign
from ...acquisition.probes import BLIND, SMALL, UNSURE, most_looks, place_not_excluded, regions_to_exclude
from ...feasibility.classifier import Feasibility
from ...numerics.randomness import generator
from ...problem.method_options import DefaultOptions
from ...sampling.proposal import Proposal
from ...sampling.walkers import MOST_MISSED
from ...surrogate.evaluations import outcome_of
from . import audit, bordering, certification, hinted, hunting, other_modes, stopping
from .answer import goes_too_far
from .evidence import stated_with
from .memory import Memory
from .outputs_memory import MOST_OPEN
from .stage import LoopState

if TYPE_CHECKING:
    from .left_open import LeftOpen

Array = NDArray[np.float64]

MOVED = 0.02  # nats of log Z: what a look from D = 5 on must move to have told anything
OF_SD = 0.5  # ... where outputs scatter, of its sd: less is the scatter of any run


def judge(now: LoopState) -> None:
    """Take the verdict of a certification, or begin what comes before one; noted in ``now.memory``."""
    m = now.memory
    climbing = _take_step(now)
    if not climbing:
        _count_uninformative_looks(now)
    if m.certification is not None:
        m.lookout = None if m.log.full else bordering.place_where_unsure(now)  # where a check failed just now
        if m.lookout is None:
            _take_verdict(now)
    elif m.converged:
        _reconsider(now)
    elif m.ascent is not None and m.ascent.asked is not None:
        return
    elif m.design is not None and _has_room(now):
        _design_further(now, m.design)
    elif m.ascent is not None or _may_be_right(now):
        centre = hunting.mode_without_design(m) if m.ascent is None else None
        if centre is not None:
            _design_further(now, _begin_design(m, centre))
            return
        m.lookout = _next_step(now)
        if m.lookout is None and _may_be_right(now):
            m.lookout = _place_to_hunt(now)
            if m.lookout is None:
                m.lookout = place_to_look_at(now)
            if m.lookout is None:
                m.certification = audit.certification_of(now)
    elif _stop_rule_holds(now):
        m.lookout = bordering.place_where_unsure(now, held_up=True)  # too much may lie where runs fail: by place or by chance?


def _place_to_hunt(now: LoopState) -> Array | None:
    """Where a mode may be that a value hints at, or that no evaluation rules out; None: they have been looked for."""
    m = now.memory
    if m.emulated:
        return None
    hinted_at = hinted.place(now)
    if hinted_at is not None:
        return hinted_at
    seen = hunting.seen(now)
    m.hunting = hunting.width_to_hunt(now, seen)
    if hunting.looks_left(m) == 0 or _hunt_takes_the_check(now):
        return None
    m.hunted += 1
    return hunting.place(now, seen, m.hunting)


def _hunt_takes_the_check(now: LoopState) -> bool:
    """In a large space, whether so little of the budget is left that with another look two checks could not be made whole, the
    second after what the first taught; the looks that every answer there is due are made all the same."""
    m, d = now.memory, now.memory.dimension
    if not hunting.follows(m):
        return False
    check = certification.checks_wanted(d, _walled(now)) + certification.tails_wanted(d)
    kept = 2 * (check + certification.PAUSE_AFTER_REFUSAL)
    left = m.log.budget - len(m.log.told) - len(m.log.pending)
    due = hunting.FEWEST * d + 1 - certification.fewest_wanted(d)
    return left <= kept and len(m.log.told) >= due


def _reconsider(now: LoopState) -> None:
    """Looks further that found what the answer does not explain, or moved it by more than a check would accept: what they found
    is followed up, and the answer is checked again."""
    m = now.memory
    if not m.looked_further or not m.history:
        return
    stray = m.log.told[-1].index in m.explored and hunting.has_stray(now)
    moved = abs(m.history[-1].log_z - m.certified_log_z) > certification.LIMIT
    if stray or moved:
        m.converged, m.certified = False, None


def _take_step(now: LoopState) -> bool:
    """Whether the last evaluation was a step of the ascent, whose outcome it then takes."""
    m, last = now.memory, now.memory.log.told[-1]
    if m.ascent is None or m.ascent.asked is None or m.lookout is not None or m.explored[-1:] != [last.index]:
        return False  # while a step is under way there is no other lookout: it was the last one asked
    place = now.box.into(np.asarray(last.u, float))
    m.ascent.take(place, last.y if outcome_of(last, now.top) == "ok" else None)
    if m.ascent.ended(now.top) or hunting.explained_by_now(now, m.ascent):
        if m.ascent.found(now.top):
            _begin_design(m, m.ascent.best)
        _leave_ascent(m)
    return True


def _begin_design(m: Memory, centre: Array) -> AxialDesign:
    m.design, m.designs, m.uninformative_looks = AxialDesign(centre), m.designs + 1, 0
    m.designed.append(centre)
    return m.design


def _design_further(now: LoopState, design: AxialDesign) -> None:
    m = now.memory
    if m.lookout is None:
        m.lookout = design.next_place(now.surrogate.mean, now.hull)
    m.design = None if design.complete else design


def _next_step(now: LoopState) -> Array | None:
    """Where the ascent goes on, or a new one begins; None: nowhere."""
    m = now.memory
    assert m.mixture is not None
    while _has_room(now):
        rng = generator(now.settings.seed, "trail", len(m.log.told))
        if m.ascent is None and (_hunt_takes_the_check(now) or not _begin_ascent(now, rng)):
            return None
        assert m.ascent is not None
        known = m.ascent_known or _known(now)
        if m.ascent.local:
            if m.ascent.asked is None:
                m.ascent.asked = hunting.climbs(now).step(m.ascent, now.top, rng)
        else:
            density, possible = _explained_by(now, known), now.possible.log_possible
            m.ascent.asked = ascents.next_step(now.surrogate, density, possible, now.hull, m.ascent, now.top, rng)
        if m.ascent.asked is not None:
            return m.ascent.asked
        _leave_ascent(m)
    _leave_ascent(m)
    return None


def _begin_ascent(now: LoopState, rng: np.random.Generator) -> bool:
    """Whether there is a value to climb from."""
    m = now.memory
    assert m.mixture is not None
    climb = hunting.climbs(now).start(m.ascent_ends, now.top, rng) if hunting.may_climb(m) else None
    if climb is None and m.ascents < (ascents.MOST_FAR if hunting.follows(m) else ascents.MOST):
        known = hunting.evaluations(now)
        held = hunting.held(now, known.points, known.y - now.top) if hunting.follows(m) else None
        start = ascents.origin(now.surrogate, _explained_by(now, _known(now)), m.ascent_ends, now.draws.level, held)
        climb = None if start is None else ascents.Ascent(known.points[start], float(known.y[start]))
    if climb is None:
        return False
    m.ascents, m.ascent, m.ascent_known = m.ascents + 1, climb, _known(now)
    m.ascent_ends.append(climb.best)
    return True


def _known(now: LoopState) -> Proposal:
    """What stands for the posterior that is known. Where outputs are learnt what its draws were drawn from: the mixture fits them
    less well where the posterior is thin or bent, and climbs were made to places that the draws hold anyway."""
    assert now.memory.mixture is not None
    return now.draws.proposal if now.memory.emulated else now.memory.mixture


def _explained_by(now: LoopState, known: Proposal) -> ascents.Known:
    """The log density that it accounts for."""
    if not now.memory.emulated:
        return ascents.known_density(known)
    return lambda places: known.log_density(places) + now.draws.log_z


def _leave_ascent(m: Memory) -> None:
    if m.ascent is not None:
        m.ascent_ends.append(m.ascent.best)
        m.ascent, m.ascent_known = None, None


def _count_uninformative_looks(now: LoopState) -> None:
    """How many looks in a row found nothing that matters, or, from D = 5 on and of outputs, left the evidence where it was.

    Outputs that are learnt tell of places far away too: what a look finds there is mostly known.
    """
    m, last = now.memory, now.memory.log.told[-1]
    if last.index not in m.explored:
        return
    place = now.box.into(np.asarray(last.u, float))
    if len(place) > SMALL or now.memory.emulated:
        least = max(MOVED, OF_SD * m.history[-1].log_z_sd) if m.history and m.outputs.scatters else MOVED
        moved = len(m.history) > 1 and abs(m.history[-1].log_z - m.history[-2].log_z) > least
        m.uninformative_looks = 0 if moved else m.uninformative_looks + 1
    elif last.y is not None and last.y - now.top > now.draws.level:
        m.uninformative_looks = 0
    elif np.abs(place).max() > 2.0:  # in the plausible box looks go on for as long as it takes
        m.uninformative_looks += 1


def _walled(now: LoopState) -> bool:
    return len(now.possible.impossible) > 0


def _goes_too_far(now: LoopState) -> bool:
    known = now.hull, bordering.share_told(now), now.draws.points, now.draws.weights
    return goes_too_far(*known) or bordering.share_in_doubt(now)


def _take_verdict(now: LoopState) -> None:
    m, d, given = now.memory, now.memory.dimension, (now.settings, now.options)
    assert m.certification is not None
    accepted, correction, se = m.certification.verdict(d)
    m.cut_short = not m.certification.decided(d)
    accepted = accepted and not m.cut_short and not m.doubts.open and _steady(now)
    check, m.certification, m.certification_points = m.certification, None, []
    if not (accepted or m.cut_short or _goes_too_far(now)) and audit.returns_to_tails(now, check):
        m.certification = audit.again_in_tails(now, check)
        m.certification_points = [-1] * m.certification.asked  # that is told already
        return
    said = check.checked(d)
    if accepted and stated_with(now, said) < stopping.with_scatter(certification.evidence_limit(d, _walled(now)), *given):
        m.certified, m.checked = (correction, se), said
        m.certified_log_z = m.history[-1].log_z if m.history else float("nan")
        m.settle()
        return
    known = np.isfinite(correction) and np.isfinite(se)
    if known or not m.cut_short:
        m.refused_by = float(np.hypot(correction, se)) if known else 1.0
    if m.cut_short:
        return
    m.refusals += 1
    if not accepted:  # what was confirmed, but too vaguely, is checked again at once
        m.refused_at = len(m.log.told)


def _steady(now: LoopState) -> bool:
    """Whether the answer refitted with the checks is the one that was checked."""
    m, o = now.memory, now.options
    if len(m.history) < 2 or _goes_too_far(now):
        return False
    last, before = m.history[-1], m.history[-2]
    sampled = last.temperature == 1.0 and last.ess > 0.1 and m.missed <= MOST_MISSED
    return sampled and last.log_z_sd < 2 * o.evidence_sd_limit and abs(last.log_z - before.log_z) < o.evidence_range_limit


def _has_room(now: LoopState) -> bool:
    """Whether the budget leaves as many evaluations as a certification may be accepted with; one cut short confirms nothing."""
    m = now.memory
    return m.log.budget - len(m.log.told) - len(m.log.pending) >= certification.fewest_wanted(m.dimension, _walled(now))


def _may_be_right(now: LoopState) -> bool:
    """Whether the answer may be checked."""
    return _stop_rule_holds(now) and not _goes_too_far(now)


def _stop_rule_holds(now: LoopState) -> bool:
    """With room for a certification in the budget."""
    m = now.memory
    rested = len(m.log.told) - m.refused_at >= certification.PAUSE_AFTER_REFUSAL
    if _unmet(now) or not rested or m.doubts.open or not _has_room(now) or bordering.is_open(now):
        return False
    known = not m.emulated or (m.outputs.settled and m.outputs.step < 0)  # a step to another mode is waited for
    return known and m.missed <= MOST_MISSED and not _best_missed(now)


def unmet(m: Memory, options: DefaultOptions, possible: Feasibility) -> list[str]:
    """What of the stop rule's figures speaks against the answer so far, in words."""
    n = sum(outcome_of(t) == "ok" for t in m.log.told)
    return stopping.unmet(m.history, n, m.dimension, *stopping.limits(options, len(possible.impossible) > 0))


def _unmet(now: LoopState) -> list[str]:
    return unmet(now.memory, now.options, now.possible)


def aim_of_outputs(now: LoopState, far: bool) -> Aim:
    """Of the next run: the tails when they are due, and the bulk is known; where outputs are not known while that alone speaks
    against the answer."""
    if far:
        return "tails" if now.memory.outputs.tails_matter else "flanks"
    waits = now.memory.emulated and not now.memory.outputs.settled and not _unmet(now)
    return "unsure" if waits else "bulk"


def _best_missed(now: LoopState) -> bool:
    """Whether a place evaluated that would hold much of the posterior is one that the draws do not reach."""
    return any(now.surrogate.y[i] > ascents.high(now.memory.dimension) for i in now.memory.unreached)


def place_to_look_at(now: LoopState) -> Array | None:
    """The next place where a mode may be for all that is known, or else one that the surrogate cannot exclude."""
    m = now.memory
    open_ = _left_open(now) if m.emulated else None
    other = other_modes.next_step(now)
    if other is not None:
        return other
    rng = generator(now.settings.seed, "elsewhere", len(m.log.told))
    late = [t.u for t in m.log.queue if t is not m.log.told[-1]] + [u for u, _ in m.log.pending.values()]
    told, waiting = (
        np.array([now.box.into(np.asarray(u, float)) for u in points]).reshape(-1, m.dimension)
        for points in ([t.u for t in m.log.told], late)
    )
    place = bordering.place_in_question(now, rng)
    if place is not None:
        return place
    if open_ is not None and open_.share > MOST_OPEN and m.looked_around < most_looks(m.dimension):
        m.looked_around += 1
        return open_.next_place(np.concatenate([told, waiting]))
    surrogate = now.surrogate.with_pending(waiting)  # what is being looked at already is as good as known
    unsure = BLIND if m.outputs.scatters else UNSURE  # a scatter that is left is in the sd of log Z, and in what is not settled
    for region in regions_to_exclude(now.hull, m.uninformative_looks, cover=not m.emulated):
        place = place_not_excluded(surrogate, now.draws, region, now.possible, rng, unsure)
        if place is not None:
            return place
    return None


def _left_open(now: LoopState) -> LeftOpen:
    """Of outputs that are learnt; noted."""
    from .left_open import left_open  # needs torch

    found = left_open(now)
    now.memory.outputs.left_open = found.share
    return found
