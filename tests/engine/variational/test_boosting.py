from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.variational.boosting import (
    BoostingOptions,
    boost,
    f_step,
    relbo_and_gradient,
    stabilized_log_density,
    w_step,
)
from bayescope.engine.variational.expectation import GaussianSum
from bayescope.engine.variational.families import FULL


@pytest.fixture
def two_wells() -> GaussianSum:
    centers = np.array([[-2.0, 0.0], [2.0, 0.0]])
    return GaussianSum(-2.0, np.zeros(2), -0.15 * np.eye(2), np.array([6.0, 6.0]), centers, 0.8 * np.eye(2))


def mean_of(f: GaussianSum):
    def mean(x):
        return f(x, np.repeat(1e-10 * np.eye(x.shape[1])[None], x.shape[0], 0))[0]

    return mean


def test_the_stabilizer_bounds_the_density_from_below(random_mixture):
    q = random_mixture(3, 2)
    x = np.array([[0.0, 0.0], [100.0, 100.0]])
    value, gradient = stabilized_log_density(q, x, -20.0)
    np.testing.assert_allclose(value[0], np.log(np.exp(q.log_density(x[:1])[0]) + np.exp(-20.0)))
    np.testing.assert_allclose(value[1], -20.0)
    np.testing.assert_allclose(gradient[1], 0.0, atol=1e-10)


def test_gradient_of_the_relbo_agrees_with_finite_differences(two_wells, random_mixture):
    q, c = random_mixture(3, 2), random_mixture(1, 2, seed=8)
    base = np.random.default_rng(0).standard_normal((16, 2))
    vector = FULL.pack(c)

    def value(v):
        return relbo_and_gradient(two_wells, q, FULL.unpack(v, 1, 2), base, -6.0, 0.7)

    _, d_mean, d_factor = value(vector)
    state = FULL.unpack(vector, 1, 2)
    gradient = FULL.pull_back(vector, state, np.zeros(1), d_mean[None], d_factor[None])
    numeric = [(value(vector + e)[0] - value(vector - e)[0]) / 2e-6 for e in 1e-6 * np.eye(vector.size)]
    np.testing.assert_allclose(gradient, numeric, atol=1e-6)


def test_the_weight_maximizes_the_elbo_along_the_segment(two_wells):
    q = GaussianMixture.single(np.array([-2.0, 0.0]), 0.4 * np.eye(2))
    f = GaussianMixture.single(np.array([1.8, 0.1]), 0.4 * np.eye(2))
    x = np.random.default_rng(0).standard_normal((100_000, 2)) * np.sqrt(0.4)
    gq, gf = two_wells(q.means, q.covariances)[0][0], two_wells(f.means, f.covariances)[0][0]

    def negative_elbo(w):
        both = q.with_component(w, f.means[0], f.covariances[0])
        h = -(1 - w) * both.log_density(x + q.means[0]).mean() - w * both.log_density(x + f.means[0]).mean()
        return -((1 - w) * gq + w * gf + h)

    best = minimize_scalar(negative_elbo, bounds=(0.0, 1.0), method="bounded").x
    assert abs(w_step(two_wells, q, f, np.random.default_rng(1), 2048) - best) < 0.02


def test_a_useless_component_gets_no_weight(two_wells):
    q = GaussianMixture.single(np.array([-2.0, 0.0]), 0.4 * np.eye(2))
    far = GaussianMixture.single(np.array([30.0, 30.0]), 0.1 * np.eye(2))
    assert w_step(two_wells, q, far, np.random.default_rng(0)) == 0.0


def test_boosting_finds_the_missing_peak(two_wells):
    q = GaussianMixture.single(np.array([-2.0, 0.0]), 0.4 * np.eye(2))
    candidates = 3.0 * np.random.default_rng(0).standard_normal((200, 2))
    q, weight = boost(two_wells, mean_of(two_wells), q, candidates, np.random.default_rng(1), options=BoostingOptions())
    assert 0.3 < weight < 0.7
    np.testing.assert_allclose(q.means[1], [2.0, 0.0], atol=0.5)


def test_diagonal_boosting_gives_diagonal_components(two_wells):
    q = GaussianMixture.single(np.array([-2.0, 0.0]), 0.4 * np.eye(2))
    start = GaussianMixture.single(np.array([1.5, 0.3]), 0.2 * np.eye(2))
    c = f_step(two_wells, q, [start], np.random.default_rng(0), options=BoostingOptions(), diagonal=True)
    assert c.covariances[0, 0, 1] == 0.0
