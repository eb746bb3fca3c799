from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal, multivariate_t

from bayescope.engine.sampling.mixture import GaussianMixture, base_draws
from bayescope.engine.sampling.proposal import GAUSSIAN_SHARE, T_DOF, T_INFLATION, Proposal, base_points, em_step


def test_the_density_is_the_weighted_sum_of_normal_densities(random_mixture):
    q = random_mixture(4, 3)
    x = np.random.default_rng(1).standard_normal((50, 3))
    parts = [w * multivariate_normal(m, c).pdf(x) for w, m, c in zip(q.weights, q.means, q.covariances, strict=True)]
    np.testing.assert_allclose(q.log_density(x), np.log(np.sum(parts, axis=0)), rtol=1e-10)
    np.testing.assert_allclose(q.log_density_tensor(torch.as_tensor(x)).numpy(), q.log_density(x), rtol=1e-10)


def test_draws_have_the_stated_moments(random_mixture):
    q = random_mixture(3, 2)
    x = q.sample(200_000, np.random.default_rng(0))
    np.testing.assert_allclose(x.mean(0), q.mean(), atol=0.02)
    np.testing.assert_allclose(np.cov(x.T), q.covariance(), atol=0.06)


def test_an_affine_map_of_the_mixture_is_the_mixture_of_mapped_draws(random_mixture):
    q = random_mixture(3, 2)
    matrix, shift = np.array([[1.0, 0.5], [0.0, 2.0]]), np.array([3.0, -1.0])
    x = np.random.default_rng(2).standard_normal((20, 2))
    moved = q.affine(matrix, shift).log_density(x @ matrix.T + shift)
    np.testing.assert_allclose(moved, q.log_density(x) - np.log(2.0), rtol=1e-10)


def test_pruning_never_empties_a_mixture(random_mixture):
    q = random_mixture(5, 2)
    assert q.pruned(0.99).components == 1
    kept = q.pruned(float(np.sort(q.weights)[1]))
    assert kept.components == 4
    np.testing.assert_allclose(kept.weights.sum(), 1.0)


def test_a_boosted_component_rescales_the_other_weights():
    q = GaussianMixture.single(np.zeros(2), np.eye(2)).with_component(0.25, np.ones(2), np.eye(2))
    np.testing.assert_allclose(q.weights, [0.75, 0.25])


def test_base_draws_are_antithetic_and_standardized():
    base = base_draws(3, 16, 4, np.random.default_rng(0))
    assert base.shape == (3, 16, 4)
    np.testing.assert_allclose(base.mean(axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose((base**2).mean(axis=1), 1.0, rtol=1e-12)


def test_draws_from_evenly_spread_uniforms_have_the_stated_moments(random_mixture):
    q = random_mixture(3, 2)
    x = q.from_uniforms(base_points(2, 2**14, 1))
    np.testing.assert_allclose(x.mean(0), q.mean(), atol=0.005)
    np.testing.assert_allclose(np.cov(x.T), q.covariance(), atol=0.02)


def test_a_proposal_draws_from_the_gaussians_and_their_wide_tail_with_the_density_it_states(random_mixture):
    q = random_mixture(3, 2)
    proposal = Proposal(q.weights, q.means, q.covariances)
    points, log_q, parts = proposal.draw(base_points(2, 2**14, 1))
    np.testing.assert_allclose(parts, q.log_parts(points) + np.log(GAUSSIAN_SHARE), rtol=1e-6)
    tail = multivariate_t(q.mean(), T_INFLATION * q.covariance(), df=T_DOF).pdf(points)
    expected = GAUSSIAN_SHARE * np.exp(q.log_density(points)) + (1 - GAUSSIAN_SHARE) * tail
    np.testing.assert_allclose(np.exp(log_q), expected, rtol=1e-6)
    assert np.mean(np.exp(q.log_density(points) - log_q)) == pytest.approx(1.0, abs=0.01)


def test_em_on_draws_of_a_mixture_keeps_it(random_mixture):
    q = random_mixture(3, 2)
    x = q.from_uniforms(base_points(2, 2**14, 1))
    moved = em_step(q, x, np.full(len(x), 1 / len(x)))
    assert isinstance(moved, GaussianMixture)
    np.testing.assert_allclose(moved.weights, q.weights, atol=0.02)
    np.testing.assert_allclose(moved.means, q.means, atol=0.03)
    np.testing.assert_allclose(moved.covariances, q.covariances, atol=0.08)
