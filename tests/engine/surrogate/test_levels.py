"""The level of a noisy evaluation: its value with the noise smoothed out by its neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from bayescope.engine.surrogate.levels import levels


def smooth(u):
    return -0.5 * np.square(u - np.array([1.0, -0.5])).sum(1) + 0.3 * np.sin(u[:, 0])


def noisy(n=2_000, sd=5.0, seed=0):
    rng = np.random.default_rng(seed)
    u = rng.normal(0.0, 1.0, (n, 2))
    return u, smooth(u), smooth(u) + sd * rng.standard_normal(n)


def test_values_whose_noise_is_negligible_are_their_own_levels_to_the_last_bit():
    u, y, _ = noisy(50)
    found = levels(u, y, np.full(50, 0.29**2))
    assert np.array_equal(found.value, y)
    assert not found.sd.any()
    assert found.top == y.max()


def test_a_level_is_as_near_the_truth_as_it_says():
    u, true, y = noisy()
    found = levels(u, y, np.full(len(y), 25.0))
    z = (found.value - true) / found.sd
    assert np.sqrt(np.mean(z**2)) == pytest.approx(1.0, abs=0.2)
    assert abs(z.mean()) < 0.2
    assert np.median(found.sd) == pytest.approx(1.0, abs=0.3)


def test_the_best_of_many_noisy_values_is_far_too_high_and_their_top_is_not():
    u, true, y = noisy()
    assert y.max() - true.max() > 10.0
    assert levels(u, y, np.full(len(y), 25.0)).top == pytest.approx(true.max(), abs=1.5)


def test_only_the_noisy_values_of_a_mixed_archive_are_smoothed_and_exact_neighbours_lead():
    u, true, y = noisy(400)
    exact = np.arange(400) % 2 == 0
    found = levels(u, np.where(exact, true, y), np.where(exact, 0.0, 25.0))
    assert np.array_equal(found.value[exact], true[exact])
    assert np.median(np.abs(found.value - true)[~exact]) < 0.2


def test_later_evaluations_get_the_levels_they_have_among_all():
    u, _, y = noisy(300)
    noise = np.full(300, 25.0)
    whole, last = levels(u, y, noise), levels(u, y, noise, start=290)
    assert np.allclose(last.value, whole.value[290:])
    assert np.allclose(last.sd, whole.sd[290:])


@pytest.mark.parametrize("n", [1, 2, 5])
def test_a_handful_of_points_and_points_on_a_line_have_finite_levels(n):
    u = np.outer(np.arange(n, dtype=float), np.array([1.0, 2.0]))
    found = levels(u, 1e6 + np.arange(n, dtype=float), np.full(n, 4.0))
    assert np.isfinite(found.value).all()
    assert np.abs(found.value - 1e6).max() < 10.0
    assert (found.sd > 0.0).all()
