"""Functions that fit the runs: their prior against the kernel, what they say at and between runs, and the draws behind them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bayescope.engine.sampling.hyperparameter_draws import hyperparameter_draws
from bayescope.engine.sensitivity import possible_functions as pf

Array = NDArray[np.float64]


def nothing() -> None:
    """No one waits."""


def test_draws_and_evidence_of_a_normal_are_exact() -> None:
    mean, root = np.array([1.0, -0.5]), np.array([[0.6, 0.0], [0.3, 0.4]])
    precision = np.linalg.inv(root @ root.T)

    def objective(theta: Array) -> tuple[Array, Array]:
        away = theta - mean
        return 0.5 * np.einsum("mi,ij,mj->m", away, precision, away) + 3.0, away @ precision

    limits = np.full(2, -9.0), np.full(2, 9.0)
    drawn, evidence = hyperparameter_draws(objective, [np.zeros(2), np.ones(2)], limits, 200, np.random.default_rng(1))
    assert evidence == pytest.approx(np.log(2.0 * np.pi * 0.24) - 3.0, abs=0.05)
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.1)
    np.testing.assert_allclose(np.cov(drawn.T), root @ root.T, atol=0.1)


def test_of_two_separate_maxima_both_are_drawn() -> None:
    def objective(theta: Array) -> tuple[Array, Array]:
        with torch.enable_grad():
            t = torch.as_tensor(theta).requires_grad_()
            parts = torch.stack([-0.5 * (((t - c) / 0.3) ** 2).sum(1) for c in (-2.0, 2.0)])
            value = -torch.logsumexp(parts, 0)
            return value.detach().numpy(), torch.autograd.grad(value.sum(), t)[0].numpy()

    limits = np.full(2, -5.0), np.full(2, 5.0)
    drawn, _ = hyperparameter_draws(objective, [np.full(2, -1.0), np.ones(2)], limits, 100, np.random.default_rng(1))
    assert 0.35 < float((drawn[:, 0] > 0.0).mean()) < 0.65


@pytest.mark.parametrize("kind", ["smooth", "rough"])
def test_functions_of_runs_that_say_nothing_have_the_covariance_of_the_kernel(kind: str) -> None:
    rng = np.random.default_rng(2)
    x = torch.as_tensor(rng.uniform(-1.5, 1.5, (4, 2)))
    score = pf.Score(x, torch.zeros(4, dtype=torch.float64), torch.full((4,), 1e8, dtype=torch.float64), -4.0)
    theta = np.array([0.2, -0.3, 0.7, -0.7, 0.1, -1.0, -1.2, -4.0])
    places = rng.uniform(-1.5, 1.5, (5, 2))
    drawn = pf._functions(score, kind, theta, places, 4000, rng)  # type: ignore[arg-type]
    t = torch.as_tensor(places)
    exact = pf.covariance(t, t, torch.as_tensor(theta[None]), kind)[0].numpy()  # type: ignore[arg-type]
    np.testing.assert_allclose(drawn.T @ drawn / 4000, exact, atol=0.13)


def test_they_meet_the_runs_and_differ_between_them() -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform(0.0, 4.0, (14, 2))
    values = 50.0 + np.sin(2.0 * points[:, 0]) + points[:, 1] ** 2
    functions = pf.PossibleFunctions.of_values(points, values, np.zeros(14), rng, nothing)
    drawn = functions.at(np.vstack([points, [[9.0, 9.0]]]), 20, rng)[:, :, 0]
    assert np.abs(drawn[:, :14] - values).max() < 0.1
    assert drawn[:, 14].std() > 1.0


def test_limits_are_kept_and_runs_of_a_kinked_function_ask_for_the_rough_kernel() -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(-1.7, 1.7, (40, 1))
    kinked = torch.as_tensor(np.abs(x[:, 0]) + 0.8 * np.abs(x[:, 0] - 1.0) - 1.4)
    score = pf.Score(torch.as_tensor(x), kinked, torch.zeros(40, dtype=torch.float64), -6.0)
    drawn = pf._drawn(score, rng)
    low, high = score.prior()[2]
    assert {kind for kind, _ in drawn} == {"rough"}
    assert all(((low <= theta) & (theta <= high)).all() for _, theta in drawn)
