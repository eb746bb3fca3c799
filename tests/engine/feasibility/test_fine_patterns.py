"""Failures without a region are chance to the share that is told, also where the program repeats itself; regions are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bayescope.engine.feasibility import classifier
from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.feasibility.outcomes import refitted
from bayescope.engine.feasibility.share import Share
from bayescope.engine.numerics.success_kernel import SuccessKernel, log_prior, prior
from bayescope.engine.surrogate.evaluations import Evaluations
from bayescope.engine.surrogate.frames import Whitening

Array = np.ndarray
Fails = Callable[[Array], Array]
SD = 0.5  # of the posterior in the box frame


def told(fails: Fails, d: int, runs: int, seed: int) -> tuple[Share, Feasibility]:
    """After a design, draws of a standard normal posterior (times SD), and runs near failed ones, as the loop makes them."""
    rng = np.random.default_rng(seed)
    draws = SD * rng.standard_normal((2000, d))
    x = np.concatenate([rng.uniform(-2.0, 2.0, (2 * d + 2, d)), draws[:6]])
    white, fits = Whitening.of_moments(np.zeros(d), SD**2 * np.eye(d)), {}
    looks = 0
    while True:
        failed = fails(x / SD)
        none = np.zeros(int((~failed).sum()))
        known = Evaluations(x[~failed], none, none, np.flatnonzero(~failed), np.empty((0, d)), x[failed], 0.0)
        if len(x) >= runs or looks < 3 * d:
            fits = refitted(known, fits)
        if len(x) >= runs:
            possible = Feasibility.of(known, white, fits)
            return possible.failing_share(draws, np.full(len(draws), 1.0 / len(draws))), possible
        further = draws[len(x)]
        if looks < 3 * d:
            possible = Feasibility.of(known, white, fits)
            if (near := possible.cause_in_question(draws[:300])) is not None:
                looks, further = looks + 1, possible.beside(near, rng)
        x = np.append(x, [further], axis=0)


def stripes(x: Array) -> Array:
    across = np.linspace(1.0, 0.4, x.shape[1])
    return np.mod(x @ across / np.linalg.norm(across) / 0.1, 1.0) < 1.0 / 6.0


def by_hash(x: Array) -> Array:
    return np.modf(np.abs(np.sin(x @ np.linspace(12.9898, 78.233, x.shape[1])) * 43758.5453))[0] < 0.17


def waves(x: Array) -> Array:
    rng = np.random.default_rng(5)
    steps, phases = 10.0 * np.pi * rng.standard_normal((12, x.shape[1])), rng.uniform(0.0, 2.0 * np.pi, 12)
    return np.cos(x @ steps.T + phases).sum(1) / np.sqrt(6.0) > 0.95


def circle(x: Array) -> Array:
    return np.linalg.norm(x[:, :2] - [1.1, -0.6], axis=1) < 0.9


def half_plane(x: Array) -> Array:
    return x @ np.linspace(1.0, -0.8, x.shape[1]) > np.linalg.norm(np.linspace(1.0, -0.8, x.shape[1]))


@pytest.mark.parametrize("d", [2, pytest.param(5, marks=pytest.mark.loops)])
@pytest.mark.parametrize("fails", [stripes, by_hash, waves])
def test_failures_in_a_pattern_too_fine_to_be_a_region_are_no_share_of_the_posterior(fails: Fails, d: int) -> None:
    share, possible = told(fails, d, 70, 1)
    assert 0.03 < fails(np.random.default_rng(0).standard_normal((2000, d))).mean() < 0.25
    assert share.mean < 0.05
    assert share.low == 0.0
    assert possible.by_chance.mean() > 0.8


@pytest.mark.parametrize("d", [2, pytest.param(5, marks=pytest.mark.loops)])
@pytest.mark.parametrize("fails", [circle, half_plane])
def test_a_region_is_told_with_its_share(fails: Fails, d: int) -> None:
    share, possible = told(fails, d, 70, 1)
    true = fails(np.random.default_rng(0).standard_normal((20000, d))).mean()
    assert share.low <= true <= share.high
    assert share.low > 0.0
    assert possible.by_chance.mean() < 0.3


def test_two_runs_near_a_failed_one_are_a_tenth_of_an_sd_of_the_posterior_away_on_either_side() -> None:
    x = np.random.default_rng(2).uniform(-1.0, 1.0, (30, 3))
    white = Whitening.of_moments(np.zeros(3), np.diag([0.04, 1.0, 0.25]))
    near, none = x[:1], np.empty((0, 3))
    for looks in range(3):
        possible = Feasibility(white, np.concatenate([x[1:], near[1:]]), none, x[:1])
        asked = possible.cause_in_question(x)
        if looks == 2:
            assert asked is None
            continue
        assert np.array_equal(asked, x[0])
        near = np.append(near, [possible.beside(x[0], np.random.default_rng(0))], axis=0)
    one, other = white.into(near[1:]) - white.into(x[:1])
    assert np.linalg.norm(one) == pytest.approx(0.1)
    assert other == pytest.approx(-one)


def test_no_failed_run_counts_as_one_near_itself_by_rounding() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, root = rng.uniform(-1.0, 1.0, (30, 3)), rng.standard_normal((3, 3))
        possible = Feasibility(Whitening.of_moments(rng.standard_normal(3), root @ root.T), x[5:], np.empty((0, 3)), x[:5])
        for failed in x[:5]:
            assert np.all(np.linalg.norm(possible._near(failed), axis=1) > 0.001)


def test_a_failed_run_with_one_side_asked_has_the_other_asked_however_sure_chance_seems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifier, "IN_QUESTION", (0.05, 0.5))
    x = np.random.default_rng(2).uniform(-1.0, 1.0, (60, 2))
    white, none = Whitening.of_moments(np.zeros(2), 0.25 * np.eye(2)), np.empty((0, 2))
    beside = x[:1] + np.array([[0.05, 0.0]])
    possible = Feasibility(white, np.concatenate([x[1:], beside]), none, x[:1])
    assert possible.runs_map is not None
    assert possible.runs_map.chance_at_all > 0.5
    asked = possible.cause_in_question(x)
    assert np.array_equal(asked, x[0])
    other = possible.beside(asked, np.random.default_rng(0))
    assert other - x[0] == pytest.approx([-0.05, 0.0])
    both = Feasibility(white, np.concatenate([x[1:], beside, other[None]]), none, x[:1])
    assert both.cause_in_question(x) is None


def test_a_border_is_looked_at_where_that_tells_most_and_mostly_where_runs_succeed() -> None:
    rng = np.random.default_rng(1)
    x, draws = rng.uniform(-2.0, 2.0, (60, 2)), SD * rng.standard_normal((2000, 2))
    white, lost = Whitening.of_moments(np.zeros(2), SD**2 * np.eye(2)), x[:, 0] > 0.4
    possible = Feasibility(white, x[~lost], np.empty((0, 2)), x[lost])
    even = np.full(len(draws), 1.0 / len(draws))
    looks = np.array([possible.place_in_question(draws, even, np.random.default_rng(k)) for k in range(20)])
    assert np.abs(looks[:, 0] - 0.4).mean() < 0.15
    assert (looks[:, 0] < 0.4).mean() > 0.5


def test_the_prior_of_hyperparameters_is_highest_at_its_mean_and_its_slope_is_that_of_differences() -> None:
    theta, step = prior(3)[0] + 0.4, 1e-5 * np.eye(5)
    numeric = [(log_prior(theta + e)[0] - log_prior(theta - e)[0]) / 2e-5 for e in step]
    assert log_prior(theta)[1] == pytest.approx(numeric)
    assert log_prior(prior(3)[0])[0] == 0.0
    assert SuccessKernel.of(theta).lengths == pytest.approx(np.exp(theta[:3]))
