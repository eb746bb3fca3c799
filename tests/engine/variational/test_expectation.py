from __future__ import annotations

import numpy as np
import torch

from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.variational.expectation import (
    BySurrogate,
    Confinement,
    GaussianSum,
    closed_form,
    expected_log_joint,
)


def test_the_closed_form_agrees_with_the_surrogates_own_integral(quadratic_surrogate, random_mixture):
    q = random_mixture(4, 3)
    fast, slow = closed_form(quadratic_surrogate), BySurrogate(quadratic_surrogate)
    assert fast is not None
    for a, b in zip(fast(q.means, q.covariances), slow(q.means, q.covariances), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_gradients_agree_with_finite_differences(random_mixture):
    rng = np.random.default_rng(0)
    amplitudes, centers = rng.standard_normal(20), rng.standard_normal((20, 3))
    f = GaussianSum(0.3, rng.standard_normal(3), -np.eye(3), amplitudes, centers, 1.3 * np.eye(3))
    q = random_mixture(2, 3)
    _, d_means, d_cov = f(q.means, q.covariances)
    for i in range(3):
        e = np.zeros(3)
        e[i] = 1e-6
        numeric = (f(q.means + e, q.covariances)[0] - f(q.means - e, q.covariances)[0]) / 2e-6
        np.testing.assert_allclose(d_means[:, i], numeric, atol=1e-7)
        for j in range(3):
            s = np.zeros((3, 3))
            s[i, j] += 5e-7
            s[j, i] += 5e-7
            numeric = (f(q.means, q.covariances + s)[0] - f(q.means, q.covariances - s)[0]) / 2e-6
            np.testing.assert_allclose(d_cov[:, i, j], numeric, atol=1e-7)


def test_a_tensor_product_kernel_goes_through_its_own_integral(random_mixture):
    x = torch.as_tensor(np.random.default_rng(1).standard_normal((25, 2)))
    model = Model(ProductMatern.start(2, nu=2.5), NegativeQuadratic.start(2, fitted=False))
    surrogate = ExactSurrogate.build(model, x, -(x**2).sum(1))
    f = expected_log_joint(surrogate, diagonal=True)
    assert isinstance(f, BySurrogate)
    q = random_mixture(3, 2, diagonal=True)
    values, _, d_cov = f(q.means, q.covariances)
    draws = q.means[0] + np.random.default_rng(2).standard_normal((100_000, 2)) @ np.sqrt(q.covariances[0])
    sampled = surrogate.predict_mean(torch.as_tensor(draws)).numpy()
    assert abs(values[0] - sampled.mean()) < 4 * sampled.std() / np.sqrt(sampled.size)
    assert np.all(d_cov[:, 0, 1] == 0.0)


def test_the_wall_is_an_eighth_power_with_exact_gradients(random_mixture):
    wall = Confinement(np.array([0.2, -0.1]), np.array([2.0, 3.0]), 0.7)
    q = random_mixture(2, 2)
    values, d_means, d_cov = wall(q.means, q.covariances)
    x = q.means[0] + np.random.default_rng(0).standard_normal((400_000, 2)) @ np.linalg.cholesky(q.covariances[0]).T
    sampled = -0.7 * (((x - wall.center) / wall.half_width) ** 8).sum(1)
    assert abs(values[0] - sampled.mean()) < 5 * sampled.std() / np.sqrt(sampled.size)
    for i in range(2):
        e = 1e-6 * np.eye(2)[i]
        numeric = (wall(q.means + e, q.covariances)[0] - wall(q.means - e, q.covariances)[0]) / 2e-6
        np.testing.assert_allclose(d_means[:, i], numeric, rtol=1e-5, atol=1e-8)
        s = np.diag(e)
        numeric = (wall(q.means, q.covariances + s)[0] - wall(q.means, q.covariances - s)[0]) / 2e-6
        np.testing.assert_allclose(d_cov[:, i, i], numeric, rtol=1e-5, atol=1e-8)
