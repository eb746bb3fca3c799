"""Runs on the way to other modes of emulated outputs: steps of least squares, damped where they lead astray; then images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import spatial

from ...acquisition import ascents
from ...acquisition.ascents import APART, FOREIGN, narrowness
from ...acquisition.images import images
from ...numerics.randomness import generator
from ...sampling.proposal import Proposal
from .stage import LoopState

if TYPE_CHECKING:
    from ...acquisition.outputs import Step

Array = NDArray[np.float64]

OTHERS_PER_PARAMETER = 3  # steps that came no nearer to another mode, of all that are made
IMAGES_PER_PARAMETER = 1  # further runs at images that came to nothing, besides
AS_GOOD, MODES_APART, MOST_MODES = 3.0, 3.0, 4  # nats and widths, and the most, of runs whose images are looked at
NEAR_THE_DATA = 5.0  # rms misfit in noise units up to which a run is followed that was made after all those steps


def next_step(now: LoopState) -> Array | None:
    """The next step towards a mode of the emulated outputs that the answer does not hold."""
    m = now.memory
    if not m.emulated:
        return None
    assert m.mixture is not None
    step = _step(now, m.mixture)
    place = _image(now, m.mixture) if step is None and m.outputs.others < _most(m.dimension, IMAGES_PER_PARAMETER) else None
    if step is not None:
        place = step.place
    if place is None:
        return None
    nearest = np.square(now.surrogate.b - place).sum(1).argmin()
    m.outputs.begin_step(m.log.next_index, None if step is None else step.origin, float(now.surrogate.y[nearest] + now.top))
    return place


def _most(dimension: int, more: int = 0) -> int:
    return (OTHERS_PER_PARAMETER + more) * dimension


def _step(now: LoopState, mixture: Proposal) -> Step | None:
    """By least squares from the run where the last one began, or else from any; once all that may lead astray did, from the best
    run alone that was made since and that the answer does not explain."""
    from ...acquisition.outputs import other_maximum  # needs torch

    m = now.memory
    rng = generator(now.settings.seed, "other maximum", len(m.log.told))
    seen = now.surrogate, mixture, _accounted_for(now, mixture), now.hull, now.possible, rng
    if m.outputs.others >= _most(m.dimension):
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
    rows = np.flatnonzero(late & (_accounted_for(now, mixture)(surrogate.b) < np.minimum(y, 0.0) - FOREIGN))
    if len(rows) == 0:
        return None
    best = surrogate.b[rows[int(np.argmax(y[rows]))]]
    gone = told.given_up and spatial.distance.cdist(best[None], np.stack(told.given_up)).min() <= APART * np.sqrt(len(best))
    return None if gone else np.asarray(best)


def _image(now: LoopState, mixture: Proposal) -> Array | None:
    """Where one of the best runs would stand again if the program did not tell parameters apart, if the emulator does not
    exclude it."""
    from ...acquisition.outputs import image_not_excluded  # needs torch

    best = now.box.back(_best_apart(now.surrogate.b, now.surrogate.y, narrowness(mixture) ** -0.5))
    lower, upper = np.asarray(now.settings.plausible_lower, float), np.asarray(now.settings.plausible_upper, float)
    places = now.box.into(images(best, lower, upper))
    return image_not_excluded(now.surrogate, places, mixture, _accounted_for(now, mixture), now.hull, now.possible)


def _best_apart(b: Array, y: Array, width: float) -> Array:
    """Runs (m, D) of ``b`` (n, D), the best and others nearly as good that lie in other modes than those before."""
    found: list[Array] = []
    for i in np.argsort(-y):
        if y[i] < y.max() - AS_GOOD or len(found) == MOST_MODES:
            break
        if all(np.square(b[i] - other).mean() > (MODES_APART * width) ** 2 for other in found):
            found.append(b[i])
    return np.stack(found)


def _accounted_for(now: LoopState, mixture: Proposal) -> ascents.Known:
    """The log joint that Gaussians have, without the wide tails of what is drawn from: those would account for everything."""
    return lambda places: np.asarray(np.logaddexp.reduce(mixture.log_parts(places), axis=1) + now.draws.log_z)
