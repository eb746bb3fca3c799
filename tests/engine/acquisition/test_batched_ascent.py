"""Ascents from several starts at once against scipy's, one start at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize

from bayescope.engine.acquisition.batched_ascent import gradients, maxima

Array = NDArray[np.float64]
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
