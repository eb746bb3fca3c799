"""Values that are higher than all others imply are followed up to the mode on whose flank they lie."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from bayescope.engine.acquisition import ascents
from bayescope.engine.loop_interface import LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.default import words
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.default.memory import Memory
from bayescope.engine.sampling.guarded_density import Hull
from bayescope.engine.sampling.proposal import Proposal
from bayescope.engine.surrogate.frames import Whitening
from bayescope.engine.surrogate.quadratic.kernel import Frames, Kernel, prior_of
from bayescope.engine.surrogate.quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]
CENTRE = np.array([1.2, -1.0, 0.8, 1.3, -0.9])
SD = 0.6


def two_modes(x: Array) -> float:
    """Two equal normals, 7.8 sds apart."""
    apart = [-0.5 * np.square((x - c) / SD).sum() for c in (CENTRE, -CENTRE)]
    return float(np.logaddexp(*apart) - np.log(2.0) - 5 * np.log(SD) - 2.5 * np.log(2 * np.pi))


def loop_in_five_dimensions(seed: int, budget: int) -> AskTellLoop:
    return AskTellLoop(DefaultMethod(LoopSettings(np.full(5, -4.0), np.full(5, 4.0), seed=seed, max_evaluations=budget)))


def known() -> Proposal:
    return Proposal(np.array([0.7, 0.3]), np.array([[0.0, 0.0], [0.5, -0.5]]), np.array([0.04 * np.eye(2), 0.09 * np.eye(2)]))


def surrogate(b: Array, y: Array) -> QuadraticSurrogate:
    kernel = Kernel(prior_of(b.shape[1])[0], Frames(None, Whitening.none(b.shape[1])))
    return QuadraticSurrogate(kernel, b, y, np.full(len(y), 1e-4))


def one_odd_value() -> tuple[QuadraticSurrogate, int]:
    """Values of a narrow normal, and one that is 30 nats above it."""
    b = np.random.default_rng(3).uniform(-1.5, 1.5, (25, 2))
    y = -0.5 * np.square(b / 0.2).sum(1)
    odd = int(np.square(b).sum(1).argmax())
    y[odd] += 30.0
    return surrogate(b, y - y.max()), odd


def test_what_is_known_is_the_density_of_the_gaussians_alone() -> None:
    points = np.random.default_rng(0).normal(size=(20, 2))
    q = known()
    at, normal = np.vstack([points, q.means]), stats.multivariate_normal
    density = sum(w * normal(m, c).pdf(at) for w, m, c in zip(q.weights, q.means, q.covariances, strict=True))
    expected = np.log(density[:20] / density[20:].max())
    np.testing.assert_allclose(ascents.known_density(q)(points), expected, rtol=1e-6, atol=1e-6)


def test_an_ascent_begins_at_the_value_that_the_others_do_not_imply_and_only_once() -> None:
    fitted, odd = one_odd_value()
    narrow = ascents.known_density(Proposal(np.ones(1), np.zeros((1, 2)), 0.04 * np.eye(2)[None]))
    assert ascents.origin(fitted, narrow, [], -10.0) == odd
    assert ascents.origin(fitted, narrow, [fitted.b[odd]], float(fitted.y[odd]) + 1.0) != odd
    assert ascents.origin(fitted, narrow, [fitted.b[odd]], float(fitted.y[odd]) - 1.0) == odd  # it matters: taken up again
    explains_it = ascents.known_density(Proposal(np.ones(1), fitted.b[odd][None], np.eye(2)[None]))
    assert ascents.origin(fitted, explains_it, [], -10.0) != odd


def test_no_ascent_begins_where_every_value_is_as_the_others_imply() -> None:
    b = np.random.default_rng(4).uniform(-1.5, 1.5, (30, 2))
    y = -0.5 * np.square(b / 0.5).sum(1)
    narrow = ascents.known_density(Proposal(np.ones(1), np.zeros((1, 2)), 0.01 * np.eye(2)[None]))
    assert ascents.origin(surrogate(b, y - y.max()), narrow, [], -10.0) is None


def test_a_step_stays_in_its_ball_and_leads_away_from_what_is_known() -> None:
    fitted, odd = one_odd_value()
    ascent = ascents.Ascent(fitted.b[odd], float(fitted.y[odd]), radius=0.5)
    narrow = ascents.known_density(Proposal(np.ones(1), np.zeros((1, 2)), 0.04 * np.eye(2)[None]))
    region, rng = Hull(np.full(2, -3.0), np.full(2, 3.0)), np.random.default_rng(0)
    place = ascents.next_step(fitted, narrow, lambda b: np.zeros(len(b)), region, ascent, 0.0, rng)
    assert place is not None
    assert np.linalg.norm(place - ascent.best) <= 0.5
    assert narrow(place[None])[0] < ascent.value - ascents.AWAY
    everywhere = ascents.known_density(Proposal(np.ones(1), fitted.b[odd][None], 9.0 * np.eye(2)[None]))
    assert ascents.next_step(fitted, everywhere, lambda b: np.zeros(len(b)), region, ascent, 0.0, rng) is None


def test_an_ascent_goes_on_while_it_climbs_and_ends_at_the_top_of_a_mode_or_after_four_failures() -> None:
    ascent = ascents.Ascent(np.zeros(2), -30.0)
    ascent.take(np.ones(2), -20.0)
    assert (ascent.value, ascent.radius, ascent.failures) == (-20.0, ascents.RADIUS, 0)
    for value in (-25.0, None, -20.5):
        ascent.take(np.zeros(2), value)
    assert ascent.radius == pytest.approx(ascents.RADIUS / 8)
    assert not ascent.ended(0.0)
    again = ascents.Ascent.of_state(ascent.to_state())
    again.take(np.zeros(2), -21.0)
    assert again.ended(0.0)
    assert not again.found(0.0)
    ascent.take(np.full(2, 2.0), -1.0)
    assert ascent.failures == 0
    assert ascent.found(0.0)
    assert not ascent.ended(0.0)  # a step that gained so much is not the last
    ascent.take(np.full(2, 3.0), -1.2)
    assert ascent.ended(0.0)
    np.testing.assert_array_equal(ascent.best, [2.0, 2.0])


def ask_like_a_copy(loop: AskTellLoop) -> None:
    """The next run of ``loop`` is that of its copy reopened now; it is made."""
    copy = loop_in_five_dimensions(2, 130)
    copy.restore(loop.state())
    (mine,), (other,) = loop.ask(), copy.ask()
    np.testing.assert_array_equal(mine.u, other.u)
    loop.tell(Tell(mine.index, mine.u, two_modes(mine.u)))


@pytest.mark.loops
def test_a_run_reopened_in_the_middle_of_an_ascent_goes_on_with_it() -> None:
    loop = loop_in_five_dimensions(2, 130)
    while loop.method.memory.ascent is None or loop.method.memory.ascent.steps < 2:
        (ask,) = loop.ask()
        loop.tell(Tell(ask.index, ask.u, two_modes(ask.u)))
    ask_like_a_copy(loop)


@pytest.mark.loops
@pytest.mark.timeout(240)
def test_a_second_mode_that_no_run_came_near_is_found_in_five_dimensions() -> None:
    """Without ascents this run stops after 63 evaluations with half of the posterior."""
    loop = loop_in_five_dimensions(2, 130)
    while not loop.finished:
        for ask in loop.ask():
            loop.tell(Tell(ask.index, ask.u, two_modes(ask.u)))
        climbing, design = loop.method.memory.ascent, loop.method.memory.design
        if (climbing is not None and climbing.steps == 2) or (design is not None and design.done == 3):
            ask_like_a_copy(loop)
    answer = loop.update()
    assert answer is not None
    assert loop.method.memory.ascents > 0
    assert loop.method.memory.designs > 0
    assert answer.draws is not None
    share = float(answer.draws.weights @ (answer.draws.points @ CENTRE > 0))
    assert 0.3 < share < 0.7


@pytest.mark.parametrize(("dimension", "said"), [(4, False), (5, True)])
def test_from_five_parameters_on_the_verdict_says_what_may_still_hide(dimension: int, said: bool) -> None:
    memory = Memory(dimension, 100, converged=True, certified=(0.01, 0.02))
    assert ("can still hide" in words.confirmed(memory)) is said
