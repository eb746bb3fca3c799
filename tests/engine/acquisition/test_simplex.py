"""The first runs where outputs are learnt: corners of a simplex, which tell every slope with one run more than slopes."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.acquisition.initial_design import simplex_point

LOW, HIGH = np.array([-1.0, 10.0, 0.0]), np.array([3.0, 30.0, 0.5])


def _corners(start: np.ndarray | None = None, seed: int = 3) -> np.ndarray:
    return np.array([(simplex_point(i, LOW, HIGH, start, seed) - 0.5 * (LOW + HIGH)) / (0.5 * (HIGH - LOW)) for i in range(4)])


def test_the_corners_are_equally_far_from_each_other_and_spread_as_even_points_are() -> None:
    points = _corners(seed=1)
    assert np.abs(points).max() < 1.0, "none of them was drawn in to the ranges"
    assert np.abs(points.mean(axis=0)).max() < 1e-12
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)[np.triu_indices(4, 1)]
    assert apart == pytest.approx(apart[0])
    assert np.sqrt(np.mean(points**2)) == pytest.approx(1.0 / np.sqrt(3.0))
    assert not np.allclose(points, _corners(seed=4)), "turned at random"


def test_values_that_work_come_first_and_the_corners_nearest_to_them_are_left_out() -> None:
    free = _corners()
    start = 0.5 * (LOW + HIGH) + 0.5 * (HIGH - LOW) * 0.9 * free[[2, 0]]
    points = _corners(start)
    assert points[:2] == pytest.approx(0.9 * free[[2, 0]])
    assert points[2:] == pytest.approx(free[[1, 3]])


def test_beyond_the_corners_points_are_spread_evenly() -> None:
    one = [simplex_point(i, np.zeros(1), np.ones(1), None, 0) for i in range(3)]
    assert len({float(p[0]) for p in one}) == 3
    assert all(0.0 <= float(p[0]) <= 1.0 for p in one)
