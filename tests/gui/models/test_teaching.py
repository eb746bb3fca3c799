"""The light mathematics of the live help pages against the engine's own, against integration and against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.model import Model
from bayescope.gui.models import teaching

Array = NDArray[np.float64]
X = np.array([-2.0, -0.7, 0.1, 1.4, 2.5])
AT = np.linspace(-4, 4, 23)
SMOOTHNESS = {"matern52": 2.5, "matern12": 0.5}


@pytest.mark.parametrize("kernel", teaching.KERNELS)
def test_the_lessons_process_is_the_engines(kernel: str) -> None:
    process = teaching.Process(kernel, length=0.8, scale=1.3, noise=0.2)
    if kernel == "se":
        same = SquaredExponential.start(1, scale=1.3, lengthscale=0.8)
    else:
        same = ProductMatern.start(1, SMOOTHNESS[kernel], scale=1.3, lengthscale=0.8)
    y = teaching.truth(X)
    engine = ExactSurrogate.build(Model(same), torch.as_tensor(X[:, None]), torch.as_tensor(y), torch.full((5,), 0.04))
    mean, variance = (v.detach().numpy() for v in engine.predict(torch.as_tensor(AT[:, None])))
    ours, sd = process.posterior(X, y, AT)
    assert np.allclose(ours, mean, atol=1e-6)
    assert np.allclose(sd, np.sqrt(variance), atol=1e-6)
    assert process.log_marginal(X, y) == pytest.approx(float(engine.log_marginal_likelihood()), abs=1e-6)


def test_without_runs_the_process_is_its_prior_and_without_noise_it_passes_through_its_runs() -> None:
    process = teaching.Process(scale=1.5)
    mean, sd = process.posterior(np.empty(0), np.empty(0), AT)
    assert np.all(mean == 0.0)
    assert np.all(sd == 1.5)
    mean, sd = process.posterior(X, teaching.truth(X), X)
    assert np.allclose(mean, teaching.truth(X), atol=1e-5)
    assert sd.max() < 1e-3
    twice = np.concatenate([X, X])
    assert np.isfinite(process.posterior(twice, teaching.truth(twice), AT)[0]).all()


def test_the_fitted_length_is_the_best_of_all_that_were_tried() -> None:
    lengths = np.geomspace(0.2, 4, 30)
    process, y = teaching.Process(), teaching.truth(X)
    best = process.fitted(X, y, lengths).length
    every = [teaching.Process(length=float(v)).log_marginal(X, y) for v in lengths]
    assert best == pytest.approx(float(lengths[int(np.argmax(every))]))


def grid() -> tuple[Array, float]:
    side = np.linspace(-6, 9, 451)
    return np.stack(np.meshgrid(side, side), -1).reshape(-1, 2), float((side[1] - side[0]) ** 2)


@pytest.mark.parametrize("name", teaching.DENSITIES)
def test_each_density_is_normalized_and_its_slopes_are_its_differences(name: str) -> None:
    points, area = grid()
    assert np.exp(teaching.log_density(name, points)[0]).sum() * area == pytest.approx(1.0, abs=2e-3)
    some = np.random.default_rng(1).normal(size=(20, 2))
    slopes = teaching.log_density(name, some)[1]
    for k in range(2):
        move = 1e-5 * np.eye(2)[k]
        change = (teaching.log_density(name, some + move)[0] - teaching.log_density(name, some - move)[0]) / 2e-5
        assert np.allclose(slopes[:, k], change, atol=1e-4)


def test_the_mixtures_density_is_normalized_and_its_slopes_are_its_differences() -> None:
    factors = np.array([[[0.5, 0.0], [0.3, 0.4]], [[1.0, 0.0], [0.0, 0.7]]])
    mix = teaching.Mix(np.array([0.3, -0.5]), np.array([[0.0, 1.0], [1.0, -1.0]]), factors)
    points, area = grid()
    assert np.exp(mix.log_q(points)[0]).sum() * area == pytest.approx(1.0, abs=1e-3)
    some = np.random.default_rng(1).normal(size=(20, 2))
    for k in range(2):
        move = 1e-5 * np.eye(2)[k]
        change = (mix.log_q(some + move)[0] - mix.log_q(some - move)[0]) / 2e-5
        assert np.allclose(mix.log_q(some)[1][:, k], change, atol=1e-4)


def test_the_elbo_is_below_the_evidence_by_the_divergence_that_a_grid_gives() -> None:
    mix, (points, area) = teaching.Mix.begin(2), grid()
    q = mix.log_q(points)[0]
    divergence = float((np.exp(q) * (q - teaching.log_density("banana", points)[0])).sum() * area)
    elbo = mix.elbo("banana", teaching.base_draws(np.random.default_rng(0), 100_000))
    assert divergence > 0.1
    assert elbo == pytest.approx(-divergence, abs=0.02)


@pytest.mark.parametrize(
    ("name", "count", "gap"),
    [
        ("slanted", 1, 1e-3),
        ("hills", 2, 0.03),
        pytest.param("banana", 4, 0.12, marks=pytest.mark.long),
    ],
)
def test_steps_lead_uphill_until_as_many_gaussians_as_it_takes_fit_the_density(name: str, count: int, gap: float) -> None:
    rng, mix = np.random.default_rng(3), teaching.Mix.begin(count)
    judge = teaching.base_draws(np.random.default_rng(0), 20_000)
    begun = mix.elbo(name, judge)
    for _ in range(400):
        mix = mix.step(name, teaching.base_draws(rng))
    assert begun < mix.elbo(name, judge) <= 0.01
    assert mix.elbo(name, judge) > -gap
    assert np.isfinite(mix.factors).all()


def test_one_gaussian_cannot_fit_two_hills_and_keeps_to_one_of_them() -> None:
    rng, mix = np.random.default_rng(3), teaching.Mix.begin(1)
    for _ in range(400):
        mix = mix.step("hills", teaching.base_draws(rng))
    elbo = mix.elbo("hills", teaching.base_draws(np.random.default_rng(0), 20_000))
    assert -1.2 < elbo < -0.2


def test_the_next_run_is_where_doubt_and_promise_are_high() -> None:
    mean, sd = np.array([0.0, 3.0, 0.0]), np.array([0.5, 0.5, 0.1])
    assert teaching.next_run(mean, sd) == 1
    assert teaching.next_run(np.zeros(3), np.array([0.1, 0.2, 0.7])) == 2
