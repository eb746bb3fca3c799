from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.surrogate_memory import Step
from bayescope.engine.methods.vbmc import VbmcMethod, reliability


def quadratic(u: np.ndarray) -> float:
    return float(-0.5 * (u - 4.0) @ (u - 4.0))


def run(budget: int, density=quadratic, **options) -> AskTellLoop:
    loop = AskTellLoop(VbmcMethod(LoopSettings(-np.ones(2), np.ones(2), seed=1, max_evaluations=budget, options=options)))
    while not loop.finished:
        for ask in loop.ask(1):
            loop.tell(Tell(ask.index, ask.u, density(ask.u)))
    loop.update()
    return loop


@pytest.mark.loops
def test_warm_up_ends_and_components_grow_afterwards():
    def two_bumps(u: np.ndarray) -> float:
        return float(np.logaddexp(-2.0 * ((u - 0.8) ** 2).sum(), -2.0 * ((u + 0.8) ** 2).sum()))

    loop = run(50, two_bumps, stop=False)
    assert not loop.method._warming_up()
    assert loop.method.memory.mixture is not None
    assert loop.method.memory.mixture.components >= 2
    # The hyperparameters are trained once per iteration of five evaluations.
    assert len(loop.method.memory.steps) == 1 + (50 - 10) // 5


@pytest.mark.loops
def test_a_mass_outside_the_plausible_box_is_found():
    loop = run(50)
    assert loop.method.memory.mixture is not None
    mixture = loop.method.memory.frame.mixture_back(loop.method.memory.mixture)
    np.testing.assert_allclose(mixture.means.mean(axis=0), 4.0, atol=0.5)


@pytest.mark.loops
def test_it_stops_when_the_reliability_index_stays_low():
    loop = run(200)
    assert loop.finished
    assert len(loop.method.log.told) < 120
    assert loop.method.memory.count("stable") == 1


def test_reliability_is_the_mean_of_three_scaled_movements():
    before, now = Step(10, 1.0, 0.1, 0.0, 0.0, 0.0), Step(15, 1.2, 0.05, 0.0, 0.0, 0.02)
    np.testing.assert_allclose(reliability(before, now, 4), (2.0 + 0.5 + 1.0) / 3)
