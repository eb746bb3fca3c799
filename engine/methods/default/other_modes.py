"""Runs on the way to other modes of emulated outputs.

    images of what is known under exchanges that runs bear out: where such a run is not explained, one is made at its image
    images under exchanges that the evidence of all runs allows: one run tells
    where posterior may be hidden for all that the emulator knows, until that is little
    steps of least squares, damped where they lead astray; then images that the emulator leaves room for
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray
from scipy import spatial

from ...acquisition import ascents
from ...acquisition.ascents import APART, FOREIGN, narrowness
from ...acquisition.images import possible_images
from ...acquisition.symmetry import borne_out, log_bayes_factors
from ...numerics.randomness import generator
from ...sampling.population_monte_carlo import lowest_level
from ...sampling.proposal import Proposal
from .outputs_memory import MOST_HIDDEN, MOST_OPEN
from .stage import LoopState

if TYPE_CHECKING:
    from ...acquisition.outputs import Step

Array = NDArray[np.float64]

OTHERS_PER_PARAMETER = 3  # steps that came no nearer to another mode, of all that are made, for each copy of the modes
IMAGES_PER_PARAMETER = 1  # further runs at images that came to nothing, besides
LEAST_EVIDENCE = -5.0  # nats, of an exchange that a run is made for
MOST_COPIES = 3  # for which more steps are made
ANY_VALUE = -1e9  # nats: of such an image any value comes nearer, and none is counted as a step that led astray
AS_GOOD, MODES_APART, MOST_MODES = 3.0, 3.0, 4  # nats and widths, and the most, of runs whose images are looked at
# nats above the best run: a solution that may be better by more counts as if by that. The odds that it is there decide, not how
# far a noise that is inferred would fall if all components of the outputs happened to fit the data
MUCH_BETTER = 5.0
NEAR_THE_DATA = 5.0  # rms misfit in noise units up to which a run is followed that was made after all those steps


def next_step(now: LoopState) -> Array | None:
    """The next step towards a mode of the emulated outputs that the answer does not hold; None: there is none, or little of the
    prior is left open for one."""
    m = now.memory
    if not m.emulated:
        return None
    assert m.mixture is not None
    images = _Images.of(now, m.mixture)
    place = copy = images.copy()
    hidden = _where_hidden(now, m.mixture) if copy is None else None
    if hidden is not None:
        return hidden
    if copy is None and m.outputs.left_open <= MOST_OPEN:
        return None
    step = _step(now, m.mixture, images.copies) if copy is None else None
    if step is not None:
        place = step.place
    if place is None and m.outputs.others < (OTHERS_PER_PARAMETER * images.copies + IMAGES_PER_PARAMETER) * m.dimension:
        place = images.in_room()
    if place is None:
        return None
    nearest = np.square(now.surrogate.b - place).sum(1).argmin()
    from_there = float(now.surrogate.y[nearest] + now.top) if copy is None else ANY_VALUE
    m.outputs.begin_step(m.log.next_index, None if step is None else step.origin, from_there)
    return place


def _where_hidden(now: LoopState, mixture: Proposal) -> Array | None:
    """Where more posterior may be hidden than is allowed; None: that is less. Runs under way count as they are predicted."""
    from ...acquisition.hidden import hidden, next_place  # needs torch
    from ...acquisition.outputs import UNSURE_ABOVE
    from ...surrogate.outputs.log_joint import EmulatedLogJoint

    m, surrogate = now.memory, now.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    waiting = np.array([u for u, _ in m.log.pending.values()]).reshape(-1, m.dimension)
    every = surrogate.with_all_runs().with_pending(now.box.into(waiting))
    rng = generator(now.settings.seed, "hidden", m.log.next_index)
    seen = accounted_for(now, mixture), now.draws.log_z, now.hull, now.possible, rng
    found = hidden(lambda places: every.with_tails(places, UNSURE_ABOVE, MUCH_BETTER), *seen)
    m.outputs.hidden = found.mass
    return next_place(every, found, rng) if found.mass > MOST_HIDDEN else None


def _step(now: LoopState, mixture: Proposal, copies: int) -> Step | None:
    """By least squares from the run where the last one began, or else from any; once all that may lead astray did, from the best
    run alone that was made since and that the answer does not explain."""
    from ...acquisition.outputs import other_maximum  # needs torch

    m = now.memory
    rng = generator(now.settings.seed, "other maximum", len(m.log.told))
    seen = now.surrogate, mixture, accounted_for(now, mixture), now.hull, now.possible, rng
    if m.outputs.others >= OTHERS_PER_PARAMETER * copies * m.dimension:
        origin = _unexplained(now, mixture)
        return None if origin is None else other_maximum(*seen, origin, m.outputs.step_caution)
    step = other_maximum(*seen, m.outputs.origin, m.outputs.step_caution) if m.outputs.origin is not None else None
    if step is None:
        m.outputs.give_up_origin()
        step = other_maximum(*seen, given_up=m.outputs.given_up)
    return step


def _unexplained(now: LoopState, mixture: Proposal) -> Array | None:
    """The run (D,), in the box frame, that later steps begin at; None: there is none, or they led astray from the best."""
    from ...surrogate.outputs.log_joint import EmulatedLogJoint  # needs torch

    told, y, surrogate = now.memory.outputs, now.surrogate.y, now.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    if told.spent_at < 0:
        told.give_up_origin()
        told.spent_at = len(y)
    near = y > -0.5 * NEAR_THE_DATA**2 * len(surrogate.cells.measured)
    late = near & (np.arange(len(y)) >= told.spent_at)
    rows = np.flatnonzero(late & (accounted_for(now, mixture)(surrogate.b) < np.minimum(y, 0.0) - FOREIGN))
    if len(rows) == 0:
        return None
    best = surrogate.b[rows[int(np.argmax(y[rows]))]]
    gone = told.given_up and spatial.distance.cdist(best[None], np.stack(told.given_up)).min() <= APART * np.sqrt(len(best))
    return None if gone else np.asarray(best)


@dataclass(frozen=True)
class _Images:
    """What the runs at b (n, D) become by exchanges, (n, D) each, in the box frame: by those that runs bear out, and by those
    that no run has told of yet."""

    now: LoopState
    mixture: Proposal
    sure: list[Array]
    open: list[Array]
    refuted: int  # how many exchanges runs speak against

    @classmethod
    def of(cls, now: LoopState, mixture: Proposal) -> Self:
        outputs, units, rows = _outputs(now)
        b, made = now.surrogate.b, _made(now)
        told = [borne_out(b[rows], image[rows], outputs, units) for image in made]
        sure, untold = ([image for image, said in zip(made, told, strict=True) if said is which] for which in (True, None))
        return cls(now, mixture, sure, untold, told.count(False))

    @property
    def copies(self) -> int:
        """How often every mode stands, each with flanks of its own that steps lead to."""
        return min(1 + len(self.sure), MOST_COPIES)

    def copy(self) -> Array | None:
        """Where a run stands again that the answer does not explain there: by an exchange borne out, of any run that matters; or,
        of the best, by the one that all runs make the most likely."""
        found = [self._unexplained(image, lowest_level(self.now.memory.dimension)) for image in self.sure]
        certain = [place for place in found if place is not None]
        if certain:
            return certain[0]
        log = self.now.memory.log
        if not self.open or self.refuted >= self.now.memory.dimension or log.budget <= len(log.told):  # no run may tell
            return None
        outputs, _, rows = _outputs(self.now)
        factors = log_bayes_factors(self.now.surrogate.b[rows], outputs, [image[rows] for image in self.open])
        for k in np.argsort(-factors):
            if factors[k] < LEAST_EVIDENCE:
                break
            place = self._unexplained(self.open[k], -AS_GOOD)
            if place is not None:
                return place
        return None

    def _unexplained(self, image: Array, level: float) -> Array | None:
        """The image (D,) of the highest of the runs above ``level`` whose image, with the same outputs, is not explained."""
        now, y = self.now, self.now.surrogate.y
        there = y + _log_prior(now, image) - _log_prior(now, now.surrogate.b)
        explained = np.maximum(*(accounted_for(now, known)(image) for known in (self.mixture, now.draws.proposal)))
        wanted = (there > level) & (explained < np.minimum(there, 0.0) - FOREIGN)
        wanted &= now.hull.contains(image) & (self._distance(image) > 1.0)
        return np.asarray(image[int(np.argmax(np.where(wanted, there, -np.inf)))]) if wanted.any() else None

    def _distance(self, places: Array) -> Array:
        """From runs made or under way, in widths of the narrowest mode (m,)."""
        now, m = self.now, self.now.memory
        asked = [np.asarray(t.u, float) for t in m.log.told] + [u for u, _ in m.log.pending.values()]
        width = narrowness(self.mixture) ** -0.5
        return np.asarray(spatial.distance.cdist(places, now.box.into(np.stack(asked))).min(1) / (width * np.sqrt(m.dimension)))

    def in_room(self) -> Array | None:
        """Where one of the best runs stands again by an exchange that no run tells of, if the emulator does not exclude it."""
        from ...acquisition.outputs import image_not_excluded  # needs torch

        now = self.now
        if not self.open:
            return None
        best = _best_apart(now.surrogate.b, now.surrogate.y, narrowness(self.mixture) ** -0.5)
        places = np.concatenate([image[best] for image in self.open])
        known = accounted_for(now, self.mixture)
        return image_not_excluded(now.surrogate, places, self.mixture, known, now.hull, now.possible)


def _made(now: LoopState) -> list[Array]:
    """What the runs become by every exchange that is possible, in the box frame, (n, D) each."""
    lower, upper = np.asarray(now.settings.plausible_lower, float), np.asarray(now.settings.plausible_upper, float)
    u = now.box.back(now.surrogate.b)
    cells = now.settings.cells
    images = possible_images(lower, upper, None if cells is None else cells.inputs)
    return [now.box.into(image.of(u, lower, upper)) for image in images]


def _outputs(now: LoopState) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Of the runs that gave all, (m, L), the units (L,) of their noise, and which of all runs (n,) those are."""
    from ...surrogate.outputs.log_joint import EmulatedLogJoint  # needs torch

    surrogate = now.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    assert surrogate.known is not None
    assert surrogate.known.outputs is not None
    rows = np.asarray(np.isfinite(surrogate.known.outputs).all(axis=1), dtype=np.bool_)
    return surrogate.known.outputs[rows], surrogate.cells.units, rows


def _log_prior(now: LoopState, places: Array) -> Array:
    assert now.settings.cells is not None
    return np.asarray(now.settings.cells.log_prior(now.box.back(places)))


def _best_apart(b: Array, y: Array, width: float) -> list[int]:
    """Rows of the runs ``b`` (n, D), y (n,): the best and others nearly as good that lie in other modes than those before."""
    found: list[int] = []
    for i in np.argsort(-y):
        if y[i] < y.max() - AS_GOOD or len(found) == MOST_MODES:
            break
        if all(np.square(b[i] - b[other]).mean() > (MODES_APART * width) ** 2 for other in found):
            found.append(int(i))
    return found


def accounted_for(now: LoopState, mixture: Proposal) -> ascents.Known:
    """The log joint that Gaussians have, without the wide tails of what is drawn from: those would account for everything."""
    return lambda places: np.asarray(np.logaddexp.reduce(mixture.log_parts(places), axis=1) + now.draws.log_z)
