"""Run times that differ by place are learnt by the default loop: the time of runs to come, and a choice per second."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.answer.words import RUN_SECONDS
from bayescope.engine.loop_interface import LoopSettings, LoopSnapshot, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default.framed import FramedMethod


def seconds(u: np.ndarray) -> float:
    """From two to a hundred."""
    return float(2.0 + 98.0 / (1.0 + np.exp(-4.0 * u[0])))


def go(budget: int, scale: float) -> tuple[AskTellLoop, LoopSnapshot, float]:
    """A normal density whose runs take ``scale`` times the seconds; and how long they took, not scaled."""
    loop = AskTellLoop(FramedMethod(LoopSettings(np.full(2, -4.0), np.full(2, 4.0), seed=1, max_evaluations=budget)))
    total = 0.0
    while not loop.finished:
        (ask,) = loop.ask()
        total += seconds(ask.u)
        loop.tell(Tell(ask.index, ask.u, float(-0.5 * ask.u @ ask.u), seconds=scale * seconds(ask.u)))
    answer = loop.update()
    assert answer is not None
    return loop, answer, total


@pytest.mark.loops
def test_the_seconds_of_runs_to_come_are_those_at_the_answer_and_a_restored_loop_chooses_alike() -> None:
    loop, answer, total = go(24, 1.0)
    draws = np.random.default_rng(0).standard_normal((4000, 2))
    assert answer.diagnostics[RUN_SECONDS] == pytest.approx(np.mean([seconds(u) for u in draws]), rel=0.3)
    again = AskTellLoop(FramedMethod(loop.method.settings))
    again.restore(loop.state())
    for each in (loop, again):
        each.extend(30)
    (one,), (other,) = loop.ask(), again.ask()
    assert np.array_equal(one.u, other.u)

    _, untold, blind = go(24, 1e-4)
    assert RUN_SECONDS not in untold.diagnostics, "so quick that it does not matter"
    assert total < blind
