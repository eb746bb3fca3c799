"""The outcome of a run that checks the answer: for the verdict, and kept beside what the surrogate had predicted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...answer.fresh_runs import MOST, row_of
from ...loop_interface import Tell
from ...surrogate.evaluations import NOISE_VARIANCE, outcome_of
from .evidence import stated
from .stage import LoopState


def take_check(now: LoopState, tell: Tell, residual: float | None) -> None:
    """``residual``: found less predicted; None: the run has no value. The surrogate has not seen it."""
    m, c = now.memory, now.memory.certification
    assert c is not None
    position = m.certification_points.index(tell.index)
    if not c.tail[position]:
        m.checked_draws.append(tell.index)
        m.passed_draws += c.passed
    impossible = outcome_of(tell, now.top) == "impossible"
    mean, variance = now.surrogate.predict(now.box.into(np.asarray(tell.u, float))[None])
    sd = float(np.sqrt(variance[0] + NOISE_VARIANCE))
    c.add(position, -np.inf if impossible and residual is None else residual, sd)
    unforeseen = impossible and now.possible.surely_possible(now.box.into(np.asarray(tell.u, float))[None])[0]
    c.refuted = c.refuted or bool(unforeseen and not c.tail[position])
    known = c.checked(m.dimension)
    if known is not None and m.history:
        exact = replace(known, se=0.0, excess=0.0)
        beside = stated(now, exact, exact.log_z)
        c.go_on(m.dimension, m.log.budget - len(m.log.told) - len(m.log.pending), beside)
    found = -np.inf if impossible else tell.y
    if found is None:
        return
    m.fresh.append(row_of(tell.index, mean[0] + now.top, variance[0], found, bool(c.tail[position]), m.built_on))
    del m.fresh[:-MOST]
