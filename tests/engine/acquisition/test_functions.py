from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.acquisition import functions as acq
from bayescope.engine.acquisition.maximize import candidate_cloud, maximize
from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model


@pytest.fixture
def surrogate() -> ExactSurrogate:
    x = torch.as_tensor(np.random.default_rng(0).standard_normal((15, 2)))
    model = Model(SquaredExponential.start(2, 1.0, 0.8), NegativeQuadratic.start(2, fitted=False))
    return ExactSurrogate.build(model, x, -(x**2).sum(1))


@pytest.fixture
def q() -> GaussianMixture:
    return GaussianMixture(np.array([0.7, 0.3]), np.array([[0.0, 0.0], [1.0, 0.5]]), np.array([np.eye(2), 0.3 * np.eye(2)]))


@pytest.fixture
def x() -> torch.Tensor:
    return torch.as_tensor(1.5 * np.random.default_rng(1).standard_normal((12, 2)))


def test_the_pointwise_functions_are_the_logarithms_of_the_printed_ones(surrogate, q, x):
    m, k = (t.numpy() for t in surrogate.predict(x))
    density = np.exp(q.log_density(x.numpy()))
    expected = {
        acq.uncertainty_sampling(surrogate, q): k * density**2,
        acq.prospective(surrogate, q): k * np.exp(m) * density**2,
        acq.prospective(surrogate, q, 1.0): k * np.exp(m) * density,
        acq.soft_prospective(surrogate, q): k * np.log1p(np.exp(m)) * density**2,
        acq.moment_matched(surrogate): np.exp(2 * m + k) * (np.exp(k) - 1),
        acq.prospective_moment_matched(surrogate, q): np.exp(2 * m + k) * (np.exp(k) - 1) * density**2,
        acq.tempered(surrogate): k * np.exp(0.6 * m),
        acq.tempered(surrogate, noise=4.0): k**2 / (k + 4.0) * np.exp(0.6 * m),
        acq.prospective(surrogate, q, 1.0, 0.5, 4.0): k**2 / (k + 4.0) * np.exp(0.5 * m) * density,
    }
    for function, value in expected.items():
        np.testing.assert_allclose(function(x).numpy(), np.log(value), rtol=1e-8, atol=1e-8)


def test_mmlt_survives_huge_variances():
    assert torch.isfinite(acq._log_expm1(torch.tensor([1e-9, 1.0, 900.0], dtype=torch.float64))).all()


def test_the_interquartile_range_is_that_of_the_surrogate_after_the_evaluation(surrogate, q, x):
    draws = torch.as_tensor(q.sample(200, np.random.default_rng(2)))
    where = acq.IntegrationPoints(draws, torch.full((200,), 1 / 200, dtype=torch.float64))
    values = acq.integrated_interquartile_range(surrogate, where, 4.0)(x)
    after = surrogate.condition(x[:1], None, torch.tensor([4.0], dtype=torch.float64))
    _, variance = after.predict(draws)
    expected = (2 * np.sinh(0.6744897501960817 * np.sqrt(variance.numpy()))).mean()
    np.testing.assert_allclose(float(values[0]), -np.log(expected), rtol=1e-6)
    reweighted = acq.integrated_interquartile_range(surrogate, where, 4.0, by_density=True)(x)
    assert torch.isfinite(reweighted).all()


def test_gradients_agree_with_finite_differences(surrogate, q, x):
    draws = torch.as_tensor(q.sample(50, np.random.default_rng(2)))
    where = acq.IntegrationPoints(draws, torch.full((50,), 0.02, dtype=torch.float64))
    for function in (
        acq.prospective(surrogate, q),
        acq.moment_matched(surrogate),
        acq.integrated_interquartile_range(surrogate, where, 1.0),
        acq.with_exclusions(acq.tempered(surrogate), x[:2] + 0.3, torch.eye(2, dtype=torch.float64), 0.2),
    ):
        assert torch.autograd.gradcheck(lambda t, f=function: f(t).sum(), (x[:4].clone().requires_grad_(True),), atol=1e-5)


def test_the_search_finds_the_maximum_of_a_dense_grid(surrogate, q):
    function = acq.prospective(surrogate, q)
    g = np.linspace(-4, 4, 161)
    grid = np.stack(np.meshgrid(g, g, indexing="ij"), -1).reshape(-1, 2)
    best = float(function(torch.as_tensor(grid)).max())
    rng = np.random.default_rng(4)
    found = maximize(function, candidate_cloud(q, surrogate.train_inputs.numpy(), rng, 200))
    assert found.value > best - 0.02


def test_a_pending_point_pushes_the_next_one_away(surrogate, q):
    rng = np.random.default_rng(5)
    cloud = candidate_cloud(q, surrogate.train_inputs.numpy(), rng)
    first = maximize(acq.prospective(surrogate, q), cloud)
    pending = surrogate.condition(torch.as_tensor(first.x[None, :]), None)
    second = maximize(acq.prospective(pending, q), cloud)
    assert np.linalg.norm(second.x - first.x) > 0.2


def test_a_failed_point_is_not_asked_for_again(surrogate, q):
    cloud = candidate_cloud(q, surrogate.train_inputs.numpy(), np.random.default_rng(6))
    function = acq.tempered(surrogate)
    asked: list[np.ndarray] = []
    for _ in range(4):
        failed = torch.as_tensor(np.array(asked).reshape(-1, 2))
        found = maximize(acq.with_exclusions(function, failed, torch.eye(2, dtype=torch.float64), 0.2), cloud)
        assert all(np.linalg.norm(found.x - a) > 0.05 for a in asked)
        asked.append(found.x)


def test_the_search_stays_in_its_box(surrogate):
    lower, upper = np.array([-0.5, -0.5]), np.array([0.5, 0.2])
    cloud = np.random.default_rng(7).uniform(-3, 3, (100, 2))
    found = maximize(acq.tempered(surrogate), cloud, box=(lower, upper))
    assert np.all(found.x >= lower)
    assert np.all(found.x <= upper)


def test_candidates_far_from_everything_do_not_break_the_search(surrogate, q):
    found = maximize(acq.prospective(surrogate, q), np.full((5, 2), 1e6))
    assert np.isfinite(found.x).all()
