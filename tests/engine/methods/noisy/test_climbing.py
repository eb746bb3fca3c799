"""The climb to the mode of a synthetic likelihood: when it ends, and a whole run where the score alone finds no mode."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from bayescope.engine.likelihood import synthetic
from bayescope.engine.likelihood.point_summaries import packed
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.machine.threads import use_one_thread
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.noisy.climbing import climbing
from bayescope.engine.methods.noisy.loop import NoisyMethod

PEAK, RUNS = np.array([0.9, -1.1, 0.4]), 30


def test_the_climb_ends_when_the_values_near_the_best_tell_a_quadratic_or_when_it_took_too_long() -> None:
    far, near = np.linspace(-5000.0, -100.0, 15), np.linspace(-7.9, 0.0, 12)
    few = np.concatenate([far, near[:11]])
    assert climbing(few, np.zeros(26), design=14, dimension=2)
    assert not climbing(np.concatenate([far, near]), np.zeros(27), design=14, dimension=2)
    assert climbing(np.concatenate([far, 1.4 * near]), np.zeros(27), design=14, dimension=2)  # too far apart
    assert not climbing(np.concatenate([far, 1.4 * near]), np.full(27, 2.0), design=14, dimension=2)
    assert not climbing(np.linspace(-5000.0, 0.0, 50), np.zeros(50), design=14, dimension=2)
    assert not climbing(np.zeros(0), np.zeros(0), design=14, dimension=2)


def means(u: np.ndarray) -> np.ndarray:
    """Of the summaries (3,) at u (3,), whose spreads there are small."""
    return np.array([np.exp(1.5 * u[0]), 20.0 * (u[1] + 0.3 * u[0] ** 2), 10.0 * u[2] + 5.0 * np.sin(u[0])])


@dataclass(frozen=True)
class Measured:
    measured: np.ndarray
    error: np.ndarray

    def cells(self, outputs: object) -> np.ndarray:
        raise AssertionError("no outputs are read here")

    given = cells


def drive(loop: AskTellLoop, count: int) -> np.ndarray:
    """The gaps (count,) of the values from the best there can be."""
    gaps = []
    for index in range(count):
        (ask,) = loop.ask()
        rng = np.random.default_rng([4, index])
        simulated = means(ask.u) + rng.standard_normal((RUNS, 3)) * np.array([0.2, 0.8, 0.5]) * np.exp(0.2 * ask.u)
        value, sd = synthetic.log_likelihood(simulated, means(PEAK))
        gaps.append(
            0.5 * float(np.sum(np.square((means(ask.u) - means(PEAK)) / (np.array([0.2, 0.8, 0.5]) * np.exp(0.2 * ask.u)))))
        )
        loop.tell(Tell(ask.index, ask.u, value, sd, outputs=packed(simulated)))
    loop.update()
    return np.array(gaps)


def method(summaries: Measured | None) -> NoisyMethod:
    options = {"final_draws": 2000, "noise_scale_sd": 0.1}
    box = np.full(3, -2.0), np.full(3, 2.0)
    return NoisyMethod(LoopSettings(*box, 1, 60, noisy=True, options=options, summaries=summaries))


@pytest.mark.loops
def test_summaries_lead_to_the_mode_within_a_dozen_points_and_a_restored_climb_goes_on_alike() -> None:
    use_one_thread()
    measured = Measured(means(PEAK), np.zeros((3, 3)))
    loop = AskTellLoop(method(measured))
    gaps = drive(loop, 28)
    assert gaps[:16].min() > 20.0
    assert gaps.min() < 3.0
    again = AskTellLoop(method(measured))
    again.restore(loop.state())
    np.testing.assert_array_equal(again.ask()[0].u, loop.ask()[0].u)
    plain = AskTellLoop(method(None))
    assert drive(plain, 28).min() > 3.0
