"""No method asks a deterministic program for a point twice: not while it waits for it, not after, not after a restart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bayescope.engine.acquisition.asked import ROUNDING, same_point, unasked
from bayescope.engine.app.headless import load_example
from bayescope.engine.baselines.slice_sampling import sweep
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.loop_interface import Archive, Ask, InferenceLoop, LoopSettings, Tell
from bayescope.engine.methods.ask_tell import AskTellLoop
from bayescope.engine.methods.bvbmc import BvbmcMethod
from bayescope.engine.methods.default.loop import DefaultMethod
from bayescope.engine.methods.loops import METHODS, loop_settings, make_loop
from bayescope.engine.methods.vbmc import VbmcMethod
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.resources.examples.contamination.contamination_source import solve

Target = Callable[[np.ndarray], float | None]


def gaussian(u: np.ndarray) -> float:
    return float(-0.5 * ((u[0] - 1.2) / 0.3) ** 2 - 0.5 * ((u[1] - u[0]) / 0.5) ** 2)


def failing(u: np.ndarray) -> float | None:
    return None if u[0] + u[1] > 1.0 else gaussian(u)


def settings(seed: int = 0, budget: int = 40, **more) -> LoopSettings:
    return LoopSettings(np.full(2, -3.0), np.full(2, 3.0), seed=seed, max_evaluations=budget, **more)


def drive(
    loop: InferenceLoop, target: Target, workers: int, most: int, again: Callable[[], InferenceLoop] | None = None
) -> list[Ask]:
    """All asks. With ``workers`` runs at a time, ended in random order; ``again``: every turn begins with a restart."""
    rng, waiting, asks = np.random.default_rng(workers), list[Ask](), list[Ask]()
    while True:
        if again is not None:
            state, loop = loop.state(), again()
            loop.restore(state)
        room = min(workers - len(waiting), most - len(asks))
        new = loop.ask(room) if room > 0 and not loop.finished else []
        asks += new
        waiting += new
        if not waiting:
            loop.update()
            return asks
        done = waiting.pop(int(rng.integers(len(waiting))))
        loop.tell(Tell(done.index, done.u, target(done.u)))


def repeats(asks: list[Ask]) -> list[tuple[int, int]]:
    u = np.array([a.u for a in asks])
    near = np.abs(u[:, None] - u[None]).max(axis=2) < 1e-9
    return [(asks[j].index, asks[i].index) for i, j in np.argwhere(near) if j < i]


# ------------------------------------------------------------------ whole runs


@pytest.mark.loops
@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_whatever_the_method_and_the_number_of_workers_no_point_is_asked_twice(method, workers):
    archive = None
    if method == "svbmc":
        x = np.random.default_rng(1).uniform(-3, 3, (40, 2))
        archive = Archive(x, np.array([gaussian(u) for u in x]), np.zeros(40))
    asks = drive(make_loop(method, settings(budget=20, archive=archive)), failing, workers, 20)
    assert len(asks) > 5
    assert repeats(asks) == []


def contamination(method: str, seed: int, workers: int) -> tuple[InferenceLoop, Target]:
    """The bundled example without its processes."""
    problem = load_example("contamination")
    chosen = msgspec.structs.replace(problem.settings, method=method, seed=seed)
    problem = msgspec.structs.replace(problem, settings=chosen)
    space = ParameterSpace(problem.parameters)

    def target(u: np.ndarray) -> float:
        values = space.values(u)
        readings = dict(zip(("time", "left", "right"), np.array(solve(**values)).T, strict=True))
        return float(log_likelihood(problem, readings, values)[0] + space.log_prior_in_inference(u))

    return make_loop(method, loop_settings(problem, space, 100, workers)), target


@pytest.mark.parametrize(("method", "seed", "workers", "most"), [("default", 1, 2, 79), ("laplace", 3, 1, 70)])
def test_the_bundled_example_that_was_run_twice_at_the_same_point_no_longer_is(method, seed, workers, most):
    """A corner that cannot be excluded while it was being looked at; a curvature measured again where it had not changed."""
    loop, target = contamination(method, seed, workers)
    waiting, asks = list[Ask](), list[Ask]()
    while len(asks) < most:
        new = loop.ask(workers - len(waiting))
        asks, waiting = asks + new, waiting + new
        done = waiting.pop(0)
        loop.tell(Tell(done.index, done.u, target(done.u)))
    assert repeats(asks) == []


@pytest.mark.loops
@pytest.mark.parametrize("method", METHODS)
def test_with_two_workers_a_loop_restored_before_every_turn_asks_the_same_points(method):
    def begin() -> InferenceLoop:
        return make_loop(method, settings(seed=2, budget=18))

    straight, broken = drive(begin(), failing, 2, 18), drive(begin(), failing, 2, 18, begin)
    assert [a.index for a in straight] == [a.index for a in broken]
    np.testing.assert_array_equal([a.u for a in straight], [a.u for a in broken])


# ------------------------------------------------------------------ the one place that sees to it


@pytest.mark.parametrize("kind", [DefaultMethod, BvbmcMethod, VbmcMethod])
def test_a_method_that_insists_on_one_point_is_sent_elsewhere(kind, monkeypatch):
    place = np.array([0.5, 1.0])
    monkeypatch.setattr(kind, "choose", lambda self: (place, "acquisition"))
    asks = drive(AskTellLoop(kind(settings(budget=12))), lambda u: None, 2, 12)
    assert len(asks) == 12
    np.testing.assert_array_equal(asks[0].u, place)
    assert repeats(asks) == []


def test_a_random_program_may_be_asked_again(monkeypatch):
    place = np.array([0.5, 1.0])
    monkeypatch.setattr(BvbmcMethod, "choose", lambda self: (place, "acquisition"))
    for ask in AskTellLoop(BvbmcMethod(settings(budget=6, noisy=True))).ask(6):
        np.testing.assert_array_equal(ask.u, place)


def test_laplace_takes_a_value_that_it_has_and_spends_its_budget_on_new_points():
    """The guess is part of every design; the first two designs fail."""
    calls = []

    def target(u: np.ndarray) -> float | None:
        calls.append(u)
        return None if len(calls) <= 20 else gaussian(u)

    loop = make_loop("laplace", settings(budget=60, start=np.array([0.3, 0.2])))
    asks = drive(loop, target, 2, 100)
    assert repeats(asks) == []
    assert len(asks) == len(calls) <= 60
    assert loop.finished
    assert loop.update() is None
    assert loop.fit is not None
    assert loop.fit.mode == pytest.approx([1.2, 1.2], abs=0.05)


def test_a_chain_that_is_alone_on_its_point_stays_there_without_asking_for_it_again():
    rng = np.random.default_rng(3)
    for _ in range(50):
        x = np.array([0.3, -0.2])
        moves, points = sweep(x, 0.0, np.eye(2), rng), [x]
        point = next(moves)
        while True:
            points.append(point)
            try:
                point = moves.send(-np.inf)
            except StopIteration as end:
                np.testing.assert_array_equal(end.value[0], x)
                break
        gaps = np.abs(np.array(points)[:, None] - np.array(points)[None]).max(axis=2) + np.eye(len(points))
        assert gaps.min() > 1e-9


numbers = st.floats(-50, 50)
points = st.lists(st.tuples(numbers, numbers), max_size=12).map(lambda rows: np.array(rows).reshape(-1, 2))


@given(points, st.tuples(numbers, numbers), st.integers(0, 12), st.floats(1e-12, 1e-1))
@hypothesis_settings(max_examples=80, deadline=None)
def test_a_point_is_moved_only_where_it_was_asked_and_then_is_new(asked, fresh, row, jitter):
    """Asked points in clusters of any tightness around some of them."""
    width = np.array([4.0, 0.5])
    if len(asked):
        asked = np.concatenate([asked, asked[:1] + jitter * np.arange(1, 4)[:, None]])
    chosen = asked[row] if row < len(asked) else np.array(fresh)
    known = same_point(chosen, asked, width)
    found = unasked(chosen, asked, width)
    assert same_point(found, asked, width) is None
    if known is None:
        np.testing.assert_array_equal(found, chosen)
    np.testing.assert_array_equal(found, unasked(chosen, asked, width))


def test_rounding_in_the_last_digits_makes_no_new_point():
    width, u = np.array([2.0]), np.array([0.7])
    near = partial(same_point, u, width=width)
    assert near(np.array([[3.0], [0.7 + 0.5 * ROUNDING], [0.7]])) == 1
    assert near(np.array([[0.7 + 1e-8]])) is None
    assert same_point(np.array([1e6]), np.array([[1e6 + 1e-6]]), width) == 0
