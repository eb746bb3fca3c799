"""Ascents from several starts at once against scipy's, one start at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from bayescope.engine.acquisition.batched_ascent import gradients, maxima

Array = NDArray[np.float64]
Box = tuple[Array, Array]
LOWER, UPPER = np.full(2, -2.0), np.full(2, 2.0)


def waves(x: Array) -> Array:
    return np.asarray(np.cos(2.0 * x[:, 0]) + np.cos(3.0 * x[:, 1]) - 0.1 * np.square(x).sum(1) + 0.2 * x[:, 0] * x[:, 1])


def valley(x: Array) -> Array:
    return np.asarray(-np.square(1.0 - x[:, 0]) - 10.0 * np.square(x[:, 1] - np.square(x[:, 0])))


def test_gradients_are_the_analytic_ones() -> None:
    x = np.random.default_rng(0).uniform(-1.5, 1.5, (7, 2))
    first = -2.0 * np.sin(2.0 * x[:, 0]) - 0.2 * x[:, 0] + 0.2 * x[:, 1]
    second = -3.0 * np.sin(3.0 * x[:, 1]) - 0.2 * x[:, 1] + 0.2 * x[:, 0]
    assert np.allclose(gradients(waves, x), np.stack([first, second], 1), atol=1e-6)


def test_every_start_ends_at_a_local_maximum_and_never_lower_than_it_began() -> None:
    starts = np.random.default_rng(1).uniform(-2.0, 2.0, (12, 2))
    ends, values = maxima(waves, starts, LOWER, UPPER)
    assert np.all(values >= waves(starts))
    for end, value in zip(ends, values, strict=True):
        found = optimize.minimize(lambda x: -waves(x[None])[0], end, bounds=[(-2.0, 2.0)] * 2)
        assert -found.fun == pytest.approx(value, abs=0.02)


def test_a_curved_valley_is_followed_nearly_to_its_end() -> None:
    _, values = maxima(valley, np.array([[-1.2, 1.0], [0.0, -1.0], [1.8, 1.8]]), LOWER, UPPER, steps=80)
    assert np.all(values > -0.2)  # of -24, -11 and -21: it ends where a step brings a hundredth


def test_ends_stay_within_the_limits_and_starts_without_a_value_stay_where_they_are() -> None:
    def slope(x: Array) -> Array:
        return np.where(x[:, 0] < -1.0, -np.inf, x.sum(1))

    ends, values = maxima(slope, np.array([[-1.5, 0.0], [0.3, -0.7]]), LOWER, UPPER)
    assert np.allclose(ends, [[-1.5, 0.0], [2.0, 2.0]])
    assert values[0] == -np.inf


def test_starts_that_are_all_without_a_value_end_at_once() -> None:
    ends, _ = maxima(lambda x: np.full(len(x), -np.inf), np.zeros((2, 2)), LOWER, UPPER)
    assert np.allclose(ends, 0.0)


def test_a_narrow_ridge_is_climbed_in_few_steps_in_the_metric_of_its_curvature_alone() -> None:
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((4, 4)))[0]
    metric = turn @ np.diag(np.square([1.0, 0.1, 0.003, 0.0005])) @ turn.T
    curvature = np.linalg.inv(metric)
    start = (turn @ np.array([1.5, 0.0, 0.0, 0.0]))[None]

    def ridge(x: Array) -> Array:
        bent = x - 0.002 * np.square(x @ turn[:, :1]) * turn[:, 2]
        return np.asarray(-0.5 * np.einsum("mi,ij,mj->m", bent, curvature, bent))

    box = np.full(4, -3.0), np.full(4, 3.0)
    plain, informed = (maxima(ridge, start, *box, steps=6, metric=m)[1][0] for m in (None, metric))
    assert informed > -0.05
    assert plain < -0.5


def quadratic(d: int, optimum: str, seed: int) -> tuple[Array, Array, Box]:
    """Root (d, d) of the curvature, centre (d,) and box of -|root (x - centre)|^2 / 2, whose maximum within the box lies inside,
    or whose centre lies on a limit, or outside."""
    rng = np.random.default_rng([seed, d])
    turn = np.linalg.qr(rng.standard_normal((d, d)))[0]
    root = (turn / 10.0 ** rng.uniform(-0.5, 0.3, d)).T
    centre, side = rng.uniform(-1.8, 1.8, d), rng.choice([-1.0, 1.0], d)
    some = rng.random(d) < 0.5
    some[rng.integers(d)] = True
    if optimum == "outside":
        centre = np.where(some, rng.uniform(2.0, 5.0, d) * side, centre)
    elif optimum == "on a limit":
        centre = np.where(some, 2.0 * side, centre)
    return root, centre, (np.full(d, -2.0), np.full(d, 2.0))


@pytest.mark.parametrize("known", [False, True], ids=["without a metric", "in a metric"])
@pytest.mark.parametrize("optimum", ["inside", "on a limit", "outside"])
def test_ascents_of_quadratics_end_at_the_highest_place_within_the_limits(optimum: str, known: bool) -> None:
    """Against scipy's bounded least squares: clipped, the steps of most ascents led nowhere where the centre lies outside."""
    short = []
    for d in range(1, 9):
        for seed in range(4):
            root, centre, box = quadratic(d, optimum, seed)
            rng = np.random.default_rng(seed)
            highest = -optimize.lsq_linear(root, root @ centre, box, method="bvls", tol=1e-12).cost
            metric = np.cov(np.linalg.solve(root, rng.standard_normal((d, 30)))).reshape(d, d) if known else None
            ends, values = maxima(
                lambda x, r=root, c=centre: -0.5 * np.square((x - c) @ r.T).sum(1), rng.uniform(-2.0, 2.0, (8, d)), *box,
                slope_of=lambda x, r=root, c=centre: -(x - c) @ r.T @ r, metric=metric,
            )  # fmt: skip
            assert np.all((ends >= box[0]) & (ends <= box[1]))
            short.append(highest - values > 0.05)
    assert np.mean(short) <= 0.03


def bent_ridge(x: Array) -> Array:
    """(n,) at x (n, D): highest at x0 = 2, along a parabola of width .1."""
    fall = np.square(x[:, 0] - 2.0) + np.square((x[:, 1] - 0.5 * np.square(x[:, 0])) / 0.1)
    return np.asarray(-0.5 * fall - 0.5 * np.square((x[:, 2:] - 0.3 * (x[:, 0] * x[:, 1])[:, None]) / 0.3).sum(1))


@pytest.mark.parametrize("limits", [(0.8, 3.0, 3.0, 3.0), (3.0, 0.5, 3.0, 3.0)], ids=["along it", "across it"])
def test_a_thin_bent_ridge_is_followed_to_the_limit_that_cuts_it_off(limits: tuple[float, ...]) -> None:
    lower, upper = np.full(4, -3.0), np.array(limits)
    rng = np.random.default_rng(3)
    starts = rng.uniform(-2.0, 1.0, (30, 4))
    starts[:, 1] = 0.5 * np.square(starts[:, 0]) + 0.1 * rng.standard_normal(30)
    starts = np.clip(starts, lower, upper)
    found = optimize.minimize(
        lambda x: -bent_ridge(x[None])[0], [0.7, 0.3, 0.0, 0.0], bounds=optimize.Bounds(lower, upper), method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )  # fmt: skip
    _, values = maxima(bent_ridge, starts, lower, upper, steps=80)
    assert np.mean(-found.fun - values > 0.1) <= 0.03


def test_limits_that_no_step_meets_change_nothing() -> None:
    starts = np.random.default_rng(1).uniform(-1.0, 1.0, (6, 2))
    counts, ends = [0, 0], []
    for k, far in enumerate((50.0, np.inf)):

        def counted(x: Array, k: int = k) -> Array:
            counts[k] += 1
            return valley(x)

        ends.append(maxima(counted, starts, np.full(2, -far), np.full(2, far), steps=80)[0])
    np.testing.assert_array_equal(*ends)
    assert counts[0] == counts[1]


def test_a_slope_that_leads_out_of_a_corner_leaves_a_start_there_in_few_calls() -> None:
    calls = []

    def tilted(x: Array) -> Array:
        calls.append(len(x))
        return np.asarray(3.0 * x[:, 0] + x[:, 1])

    metric = np.array([[1.0, -0.9], [-0.9, 1.0]])  # whose own step would leave one limit for the other
    ends, _ = maxima(tilted, np.array([[2.0, 2.0]]), LOWER, UPPER, metric=metric)
    assert np.array_equal(ends, [[2.0, 2.0]])
    assert len(calls) <= 4  # the start, its slope, and two steps that gain nothing
