"""Where to run next when outputs are learnt: the promised drop of variance against really conditioning on the run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from bayescope.engine.acquisition.ascents import APART
from bayescope.engine.acquisition.batched_ascent import gradients
from bayescope.engine.acquisition.outputs import (
    PROMISED,
    UNSURE_ABOVE,
    image_not_excluded,
    next_run,
    other_maximum,
    promise,
    shares_of_covariance,
    variance_drop,
)
from bayescope.engine.feasibility.classifier import FAILS_BELOW, Feasibility
from bayescope.engine.surrogate.outputs.log_joint import BELIEVED_SPREAD, SCORED_AT_ONCE, EmulatedLogJoint
from tests.engine.methods.default.test_outputs import Run, run_of_18


@pytest.fixture(scope="module")
def run() -> Run:
    return run_of_18()


def test_the_variance_that_a_run_takes_away_is_that_of_conditioning_on_it(run: Run) -> None:
    method = run.loop.method
    assert isinstance(method.surrogate, EmulatedLogJoint)
    surrogate = replace(method.surrogate, emulator=replace(method.surrogate.emulator, inflation=1.0))
    assert method.draws is not None
    rng = np.random.default_rng(3)
    references, candidates = (method.draws.points[method.draws.resample(k, rng)] for k in (40, 6))
    gain = variance_drop(surrogate, references, candidates)
    slope = torch.as_tensor(surrogate.slopes(references))
    now = surrogate.variance(references)
    for i, candidate in enumerate(candidates):
        after = surrogate.with_pending(candidate[None]).emulator.predict(surrogate.inputs(references))[1]
        before = surrogate.emulator.predict(surrogate.inputs(references))[1]
        lost = (slope**2 * (before - after)).sum(1).numpy()
        expected = (np.log1p(now) - np.log1p(np.maximum(now - lost, 0.0))).sum()
        assert gain[i] == pytest.approx(expected, rel=0.05, abs=0.02)


def test_functions_drawn_of_the_log_joint_vary_as_its_mean_over_points_does(run: Run) -> None:
    surrogate, method = run.loop.method.surrogate, run.loop.method
    assert method.draws is not None
    points = method.draws.points[method.draws.resample(7, np.random.default_rng(5))]
    covariance, w = surrogate.joint_covariance(points), np.random.default_rng(6).random(7)
    assert w @ covariance @ w == pytest.approx(surrogate.mean_functional_variance(points, w), rel=1e-6)


def test_the_doubt_told_alone_is_the_one_that_trust_is_taken_back_for(run: Run) -> None:
    surrogate = run.loop.method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    points = np.random.default_rng(4).uniform(-3.0, 3.0, (200, surrogate.dimension))
    taken_back = 2.0 * (surrogate.mean(points) - surrogate.trusted(points))
    assert (taken_back > 0.0).sum() > 20
    np.testing.assert_allclose(np.maximum(surrogate.spread(points) - BELIEVED_SPREAD, 0.0), taken_back, rtol=1e-6, atol=1e-6)


def test_the_next_run_lies_in_the_region_searched_and_not_where_one_is_under_way(run: Run) -> None:
    method = run.loop.method
    surrogate = method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    assert method.draws is not None
    rng = np.random.default_rng(4)
    first = next_run(surrogate, np.empty((0, 3)), method.draws, method.hull, method._possible, "bulk", rng)
    second = next_run(surrogate, first[None], method.draws, method.hull, method._possible, "bulk", np.random.default_rng(4))
    assert method.hull.contains(np.stack([first, second])).all()
    assert not np.allclose(surrogate.inputs(first[None]).numpy(), surrogate.inputs(second[None]).numpy())


def test_a_run_for_what_is_not_known_is_chosen_by_the_draws_there_alone(run: Run) -> None:
    """More variance goes there than by the run that is best for the whole posterior."""
    method = run.loop.method
    assert isinstance(method.surrogate, EmulatedLogJoint)
    draws, emulator = method.draws, method.surrogate.emulator
    some = draws.points[draws.resample(1000, np.random.default_rng(9))]
    doubt = emulator.inflation * UNSURE_ABOVE / float(np.quantile(method.surrogate.spread(some), 0.95))
    surrogate = replace(method.surrogate, emulator=replace(emulator, inflation=doubt))
    there = some[surrogate.spread(some) > UNSURE_ABOVE]
    chosen = [next_run(surrogate, np.empty((0, 3)), draws, method.hull, method._possible, aim, np.random.default_rng(8))
              for aim in ("bulk", "unsure")]  # fmt: skip
    gain = variance_drop(surrogate, there, np.stack(chosen))
    assert gain[1] > gain[0]


def test_runs_for_the_tails_are_chosen_over_what_holds_the_covariance_whether_it_is_believed_or_not(run: Run) -> None:
    method = run.loop.method
    assert isinstance(method.surrogate, EmulatedLogJoint)
    draws, emulator = method.draws, method.surrogate.emulator
    mean, covariance = draws.moments()
    away = draws.points - mean
    held = draws.weights * (away * np.linalg.solve(covariance, away.T).T).sum(1) / len(mean)
    trusted = draws.weights > 0.0
    sure = replace(method.surrogate, emulator=replace(emulator, inflation=1e-6))
    np.testing.assert_allclose(shares_of_covariance(sure, draws), held, rtol=0.02, atol=1e-9)
    spread = method.surrogate.spread(draws.points)
    doubt = emulator.inflation * BELIEVED_SPREAD / float(np.quantile(spread[trusted], 0.9))
    doubted = replace(method.surrogate, emulator=replace(emulator, inflation=doubt))
    outside = trusted & (doubted.spread(draws.points) > BELIEVED_SPREAD)
    assert outside.any()
    assert shares_of_covariance(doubted, draws)[outside].sum() > held[outside].sum()


def test_an_emulated_maximum_above_all_runs_is_found_and_none_once_it_has_been_run(run: Run) -> None:
    method = run.loop.method
    surrogate = method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    found = promise(surrogate, method.draws, method.hull, method._possible, 1.0, np.random.default_rng(5))
    assert found is None  # all runs are known, the best among them
    low = np.flatnonzero(surrogate.y < -5.0)
    lesser = replace(surrogate, b=surrogate.b[low], y=surrogate.y[low] + 5.0, top=surrogate.top - 5.0)
    found = promise(lesser, method.draws, method.hull, method._possible, 1.0, np.random.default_rng(5))
    assert found is not None
    assert method.hull.contains(found[None]).all()
    value = float(lesser.expected(found[None])[0])
    assert value > PROMISED
    around = found + 0.02 * np.random.default_rng(6).standard_normal((50, 3))
    assert lesser.expected(around).max() < value + 0.01


@pytest.mark.parametrize("caution", [1.0, 4.0])
def test_the_slope_of_the_expected_log_joint_is_that_of_differences(run: Run, caution: float) -> None:
    method = run.loop.method
    surrogate = method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    b = method.draws.points[:20]
    expected = gradients(lambda x: surrogate.expected(x, caution), b)
    np.testing.assert_allclose(surrogate.expected_slope(b, caution), expected, rtol=1e-3, atol=1e-3)


def test_where_runs_fail_at_the_emulated_maximum_the_next_run_is_made_on_the_way_there(run: Run) -> None:
    """Asked again and again were places beside it, all of which failed."""
    method = run.loop.method
    surrogate, rng = method.surrogate, np.random.default_rng(7)
    assert isinstance(surrogate, EmulatedLogJoint)
    low = np.flatnonzero(surrogate.y < -5.0)
    lesser = replace(surrogate, b=surrogate.b[low], y=surrogate.y[low] + 5.0, top=surrogate.top - 5.0)
    there = promise(lesser, method.draws, method.hull, method._possible, 1.0, np.random.default_rng(5))
    assert there is not None
    low = low[np.linalg.norm(surrogate.b[low] - there, axis=1) > 0.5]  # runs that succeed lie apart from those that fail
    lesser = replace(surrogate, b=surrogate.b[low], y=surrogate.y[low] + 5.0, top=surrogate.top - 5.0)
    failed = there + 0.05 * rng.standard_normal((25, 3))
    possible = Feasibility.of(replace(method._evaluations(), points=lesser.b, y=lesser.y, failed=failed))
    assert possible.log_runs(there[None])[0] < FAILS_BELOW
    found = promise(lesser, method.draws, method.hull, possible, 1.0, np.random.default_rng(5))
    assert found is None or possible.log_runs(found[None])[0] > FAILS_BELOW
    drawn = replace(method.draws, points=there + 0.01 * rng.standard_normal(method.draws.points.shape))
    with_doubt = replace(lesser, emulator=replace(lesser.emulator, inflation=1e9))
    place = next_run(with_doubt, np.empty((0, 3)), drawn, method.hull, possible, "bulk", rng)
    assert possible.log_runs(place[None])[0] > FAILS_BELOW
    best = lesser.b[lesser.y.argmax()]
    assert 0.0 < np.linalg.norm(place - best) < np.linalg.norm(there - best)


def test_steps_to_other_modes_begin_apart_from_runs_that_led_astray_and_end_when_all_did(run: Run) -> None:
    method = run.loop.method
    surrogate, mixture = method.surrogate, method.memory.mixture
    assert isinstance(surrogate, EmulatedLogJoint)
    unsure = replace(surrogate, emulator=replace(surrogate.emulator, inflation=1e4))

    def step(given_up: list[np.ndarray]) -> np.ndarray | None:
        nothing_known = lambda places: np.full(len(places), -1e6)  # noqa: E731
        found = other_maximum(unsure, mixture, nothing_known, method.hull, method._possible, np.random.default_rng(2),
                              given_up=given_up)  # fmt: skip
        return None if found is None else found.origin

    first = step([])
    assert first is not None
    second = step([first])
    assert second is not None
    assert np.linalg.norm(second - first) > APART * np.sqrt(surrogate.dimension)
    assert step(list(surrogate.b)) is None


def test_an_image_is_run_only_where_the_emulator_leaves_room_for_a_mode_that_is_not_known(run: Run) -> None:
    method = run.loop.method
    surrogate, mixture = method.surrogate, method.memory.mixture
    assert isinstance(surrogate, EmulatedLogJoint)
    unsure = replace(surrogate, emulator=replace(surrogate.emulator, inflation=1e8))
    far, beside_a_run = np.full((1, 3), 1.9), surrogate.b[:1] + 1e-6
    places = np.concatenate([beside_a_run, far])

    def chosen(fitted: EmulatedLogJoint, level: float) -> np.ndarray | None:
        return image_not_excluded(fitted, places, mixture, lambda b: np.full(len(b), level), method.hull, method._possible)

    found = chosen(unsure, -1e6)
    assert found is not None
    np.testing.assert_array_equal(found, far[0])
    assert chosen(unsure, 0.0) is None, "it is known"
    sure = replace(surrogate, emulator=replace(surrogate.emulator, inflation=1e-9))
    assert chosen(sure, -1e6) is None, "it is no mode"


def test_what_some_of_the_draws_looked_at_are_said_is_what_they_are_said_alone(run: Run) -> None:
    surrogate = run.loop.method.surrogate
    assert isinstance(surrogate, EmulatedLogJoint)
    b = np.random.default_rng(8).uniform(-1.0, 1.0, (SCORED_AT_ONCE + 3, surrogate.dimension))
    rows = np.array([1, 40, SCORED_AT_ONCE])
    alone = surrogate.variance(b, rows), surrogate.spread(b[rows])
    variance = surrogate.predict(b)[1]
    np.testing.assert_allclose(surrogate.variance(b, rows), alone[0], rtol=1e-9)
    np.testing.assert_allclose(surrogate.spread(b, rows), alone[1], rtol=1e-9)
    np.testing.assert_allclose(surrogate.variance(b), variance, rtol=1e-9)
    waiting = surrogate.with_pending(b[:1])
    assert waiting.variance(b, np.array([0]))[0] < 1e-3 * variance[0], "known by then"
