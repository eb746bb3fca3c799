"""Runs on the way to other modes of emulated outputs: steps of least squares, damped where they lead astray; then images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...acquisition import ascents
from ...acquisition.images import images
from ...numerics.randomness import generator
from ...sampling.proposal import Proposal
from .stage import LoopState

Array = NDArray[np.float64]

OTHERS_PER_PARAMETER = 3  # steps that came no nearer to another mode, of all that are made


def next_step(now: LoopState) -> Array | None:
    """The next step towards a mode of the emulated outputs that the answer does not hold."""
    m = now.memory
    if not m.emulated or m.outputs.others >= OTHERS_PER_PARAMETER * m.dimension:
        return None
    from ...acquisition.outputs import other_maximum  # needs torch

    assert m.mixture is not None
    rng = generator(now.settings.seed, "other maximum", len(m.log.told))
    seen = now.surrogate, m.mixture, _accounted_for(now, m.mixture), now.hull, now.possible, rng
    step = other_maximum(*seen, m.outputs.origin, m.outputs.step_caution) if m.outputs.origin is not None else None
    if step is None:
        m.outputs.give_up_origin()
        step = other_maximum(*seen, given_up=m.outputs.given_up)
    place = _image(now, m.mixture) if step is None else step.place
    if place is None:
        return None
    nearest = np.square(now.surrogate.b - place).sum(1).argmin()
    m.outputs.begin_step(m.log.next_index, None if step is None else step.origin, float(now.surrogate.y[nearest] + now.top))
    return place


def _image(now: LoopState, mixture: Proposal) -> Array | None:
    """Where the best run would stand again if the program did not tell parameters apart, if the emulator does not exclude it."""
    from ...acquisition.outputs import image_not_excluded  # needs torch

    best = now.box.back(now.surrogate.b[int(now.surrogate.y.argmax())][None])
    lower, upper = np.asarray(now.settings.plausible_lower, float), np.asarray(now.settings.plausible_upper, float)
    places = now.box.into(images(best, lower, upper))
    return image_not_excluded(now.surrogate, places, mixture, _accounted_for(now, mixture), now.hull, now.possible)


def _accounted_for(now: LoopState, mixture: Proposal) -> ascents.Known:
    """The log joint that Gaussians have, without the wide tails of what is drawn from: those would account for everything."""
    return lambda places: np.asarray(np.logaddexp.reduce(mixture.log_parts(places), axis=1) + now.draws.log_z)
