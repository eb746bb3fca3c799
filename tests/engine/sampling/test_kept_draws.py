"""Draws that are kept from one evaluation to the next and weighted anew."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.sampling.kept_draws import KeptDraws
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.quadratic import kernel
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]
D = 3


def surrogates(*sizes: int, seed: int = 0) -> list[QuadraticSurrogate]:
    """Surrogates of the first so many of the same data, in a whitened frame."""
    rng = np.random.default_rng(seed)
    b = rng.standard_normal((max(sizes), D))
    y = -np.square(b).sum(1) - 0.3 * np.sin(3.0 * b[:, 0])
    frame = Whitening(np.full(D, 0.1), np.linalg.cholesky(np.eye(D) + 0.3))
    known = kernel.Kernel(kernel.prior_of(D)[0], kernel.Frames(frame, frame, "rough"))
    return [QuadraticSurrogate(known, b[:n], y[:n] - y.max(), np.full(n, 1e-4)) for n in sizes]


def followed(surrogate: QuadraticSurrogate, count: int = 500) -> KeptDraws:
    proposal = Proposal(np.ones(1), np.zeros((1, D)), np.eye(D)[None])
    points, log_q, _ = proposal.draw(np.random.default_rng(1).random((count, D + 2)))
    return KeptDraws.of(points, log_q, proposal, surrogate)


def test_followed_draws_have_the_mean_and_sd_of_the_surrogate_that_knows_more() -> None:
    first, second, third = surrogates(20, 21, 25)
    draws = followed(first)
    everywhere = np.arange(len(draws.points))
    for surrogate in (first, second, third):
        mean, variance = surrogate.predict(draws.points)
        np.testing.assert_allclose(draws.mean(surrogate), mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(np.square(draws.sd(surrogate, everywhere)), variance, rtol=1e-5, atol=1e-8)
    assert draws.conditioned is not None
    assert len(draws.conditioned.explained) == 25


def test_the_sd_of_a_few_followed_draws_is_computed_alone() -> None:
    (surrogate,) = surrogates(20)
    draws = followed(surrogate)
    few = np.array([3, 40, 400])
    np.testing.assert_allclose(draws.sd(surrogate, few), np.sqrt(surrogate.predict(draws.points[few])[1]))
    assert draws.conditioned is None


def test_draws_cannot_be_followed_to_other_data() -> None:
    first, fewer = surrogates(20, 15)
    (other,) = surrogates(25, seed=5)
    draws = followed(first)
    assert draws.mean(fewer) is None
    assert draws.mean(other) is None


def test_what_was_explained_is_computed_again_when_the_noise_of_earlier_values_changes() -> None:
    first, second = surrogates(20, 22)
    draws = followed(first)
    everywhere = np.arange(len(draws.points))
    draws.sd(first, everywhere)
    noise = second.noise.copy()
    noise[4] = 1.0
    changed = QuadraticSurrogate(second.kernel, second.b, second.y, noise)
    assert second.continues(first.factor)
    assert not changed.continues(first.factor)
    np.testing.assert_allclose(np.square(draws.sd(changed, everywhere)), changed.predict(draws.points)[1], rtol=1e-6)


def log_density(u: Array) -> float:
    """Two bent ridges in three parameters: not learnt before hyperparameters are fitted less often than values come."""
    return float(-0.5 * u @ u - 4.0 * np.square(u[1] - np.square(u[0]) + 1.0) + np.cos(2.0 * u[2]))


def told(loop: AskTellLoop, count: int) -> AskTellLoop:
    while len(loop.method.log.told) + len(loop.method.log.queue) < count and (asks := loop.ask()):
        loop.tell(Tell(asks[0].index, asks[0].u, log_density(asks[0].u)))
    loop.update()
    return loop


def assert_same(one: AskTellLoop, other: AskTellLoop) -> None:
    assert one.method.draws is not None
    assert other.method.draws is not None
    np.testing.assert_array_equal(one.method.draws.points, other.method.draws.points)
    np.testing.assert_array_equal(one.method.draws.log_weights, other.method.draws.log_weights)


@pytest.fixture(scope="module")
def settings() -> LoopSettings:
    return LoopSettings(np.full(D, -2.0), np.full(D, 2.0), seed=3, max_evaluations=50, options={"stop": False})


@pytest.mark.loops
def test_a_run_taken_up_while_draws_are_followed_goes_on_with_the_same_digits(settings: LoopSettings) -> None:
    loop = AskTellLoop(DefaultMethod(settings))
    for n in range(42, 50):
        told(loop, n)
        if loop.method.memory.weighed_at:
            break
    assert loop.method.memory.weighed_at
    again = AskTellLoop(DefaultMethod(settings))
    again.restore(loop.state())
    assert_same(loop, again)
    assert_same(told(loop, 50), told(again, 50))
    assert loop.method.memory.history == again.method.memory.history
