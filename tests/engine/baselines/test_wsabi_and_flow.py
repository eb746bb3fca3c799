"""WSABI and Gaussian particle flow on densities whose evidence and best Gaussian are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bayescope.engine.baselines.particle_flow import gradient, particle_flow
from bayescope.engine.baselines.wsabi import Rule, wsabi

MEAN, COVARIANCE = np.array([1.0, -2.0]), np.array([[0.5, 0.3], [0.3, 0.4]])
LOG_Z = -321.5


@pytest.mark.parametrize("rule", ["linear", "moments"])
def test_wsabi_finds_the_evidence_and_the_moments_of_a_bent_density(rule: Rule) -> None:
    # x ~ N(0, 1), y | x ~ N(x^2 / 2, 0.5^2), times exp(LOG_Z): mean (0, 1/2), variance of y 1/4 + 1/2
    def log_density(p: np.ndarray) -> np.ndarray:
        return LOG_Z + stats.norm.logpdf(p[:, 0]) + stats.norm.logpdf(p[:, 1], 0.5 * p[:, 0] ** 2, 0.5)

    rng = np.random.default_rng(1)
    mean, covariance = np.array([0.0, 0.5]), np.diag([1.0, 0.75])
    points = stats.qmc.MultivariateNormalQMC(mean, 2.5 * covariance, seed=4).random(64)
    found = wsabi(points, log_density(points), np.zeros(64), mean, covariance, rule, rng, 8000)
    assert abs(found.log_evidence - LOG_Z) < max(3.0 * found.sd, 0.02) + found.added
    assert found.sd < 0.1
    assert np.allclose(found.weights @ found.draws, mean, atol=0.15)
    assert found.weights @ found.draws[:, 0] ** 2 == pytest.approx(1.0, rel=0.2)


def test_runs_far_from_the_answer_tell_wsabi_nothing() -> None:
    rng = np.random.default_rng(2)
    far = rng.normal(100.0, 1.0, (30, 2))
    with pytest.raises(ValueError, match="only 0 runs lie where the posterior is"):
        wsabi(far, np.zeros(30), np.zeros(30), MEAN, COVARIANCE, "linear", rng, 100)


def test_the_flow_of_a_gaussian_ends_at_it() -> None:
    target = stats.multivariate_normal(MEAN, COVARIANCE)
    found = particle_flow(lambda x: target.logpdf(x) + LOG_Z, np.zeros(2), 4.0 * np.eye(2), np.random.default_rng(3))
    assert found.settled
    assert np.allclose(found.mean, MEAN, atol=0.01)
    assert np.allclose(found.covariance, COVARIANCE, atol=0.01)


def test_the_gradient_is_that_of_the_density_and_nothing_where_there_is_none() -> None:
    target = stats.multivariate_normal(MEAN, COVARIANCE)
    x = np.array([[0.3, 0.1], [5.0, 5.0]])

    def cut(p: np.ndarray) -> np.ndarray:
        return np.where(p[:, 0] > 4.0, -np.inf, target.logpdf(p))

    exact = -np.linalg.solve(COVARIANCE, x[0] - MEAN)
    assert np.allclose(gradient(cut, x, np.full(2, 1e-4))[0], exact, rtol=1e-5)
    assert np.array_equal(gradient(cut, x, np.full(2, 1e-4))[1], [0.0, 0.0])
