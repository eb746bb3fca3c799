"""Outputs that scatter about a smooth surface, by a size that depends on the place."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.surrogate.noisy.heteroscedastic import NoiseLevel, precision_factors
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.scatter import Level, Scatter

QUIET, LOUD = 0.05, 0.5


def scattered(rng: np.random.Generator, right: float, n: int = 60) -> Runs:
    x = rng.uniform(-1.0, 1.0, (n, 2))
    f = np.stack([x[:, 0] + x[:, 1], x[:, 0] ** 2, np.sin(2.0 * x[:, 1]), x[:, 1]], axis=1)
    f += np.where(x[:, :1] > 0.0, right, QUIET) * rng.standard_normal(f.shape)
    tensors = [torch.as_tensor(a) for a in (x, f, np.zeros(4), np.ones(4))]
    return Runs(tensors[0], tensors[1], tensors[2], tensors[3], (torch.arange(4),))


def level_of(runs: Runs, size: float) -> Level | None:
    from bayescope.engine.methods.default.scattering import level_of

    even = Emulator.of(runs, Form(), None, True, (), Scatter(size))
    return level_of(even, even, runs)


def test_a_scatter_that_is_larger_on_one_side_is_found_there() -> None:
    found = level_of(scattered(np.random.default_rng(0), LOUD), 0.3)
    assert found is not None
    left, right = found.at(torch.tensor([[-0.6, 0.0], [0.6, 0.0]], dtype=torch.float64)).tolist()
    assert 5.0 < right / left < 400.0  # the true ratio of the variances is 100


def test_a_scatter_that_is_the_same_everywhere_has_no_map() -> None:
    assert level_of(scattered(np.random.default_rng(1), QUIET), QUIET) is None


def test_quiet_runs_count_more_than_loud_ones() -> None:
    runs = scattered(np.random.default_rng(2), LOUD)
    level = level_of(runs, 0.3)
    at = torch.tensor([[-0.5, 0.3], [0.5, 0.3]], dtype=torch.float64)
    emulator = Emulator.of(runs, Form(), None, True, (), Scatter(0.3, level))
    spread = emulator.predict(at)[1].sum(1)
    assert float(spread[0]) < 0.8 * float(spread[1])
    assert float(emulator.nugget(at)[0].sum()) < 0.2 * float(emulator.nugget(at)[1].sum())


def test_hyperparameters_with_a_changing_nugget_have_the_gradient_of_their_objective() -> None:
    from bayescope.engine.surrogate.outputs.gaussian_processes import Objective, Standardized

    rng = np.random.default_rng(3)
    x, z, level = rng.standard_normal((12, 2)), rng.standard_normal((12, 2)), rng.uniform(0.2, 4.0, 12)
    arrays = (torch.as_tensor(a) for a in (x, z, np.zeros((2, 12)), np.full(2, -1.0), level))
    objective = Objective(Standardized(*arrays), "smooth")
    theta = objective.mean + 0.1
    gradient, step = objective(theta)[1], 1e-5
    for j in range(theta.shape[1]):
        moved = [theta.clone(), theta.clone()]
        moved[0][:, j] += step
        moved[1][:, j] -= step
        by_difference = (objective(moved[0])[0] - objective(moved[1])[0]) / (2.0 * step)
        assert gradient[:, j].tolist() == pytest.approx(by_difference.tolist(), rel=1e-4, abs=1e-5)


def test_the_level_between_the_points_is_that_of_the_points_around() -> None:
    z = np.random.default_rng(4).standard_normal((150, 2))
    sd = np.where(z[:, 0] > 0.0, 3.0, 0.3)
    delta = np.square(sd * np.random.default_rng(5).standard_normal(150))
    process = NoiseLevel.of(delta, z, 1.0)
    by_points = 1.0 / precision_factors(delta, z)
    ratio = process.variance(z) / by_points
    assert np.std(np.log(ratio)) < 0.5  # the mean of g stands for g there
    left, right = process.variance(np.array([[-1.0, 0.0], [1.0, 0.0]]))
    assert right > 5.0 * left


def test_a_level_is_the_same_after_it_was_saved() -> None:
    level = level_of(scattered(np.random.default_rng(0), LOUD), 0.3)
    assert level is not None
    x = torch.tensor([[0.1, 0.2], [-0.9, 0.4]], dtype=torch.float64)
    assert Level.of_state(level.to_state()).at(x).tolist() == level.at(x).tolist()


def test_the_light_emulator_that_is_stored_predicts_the_same_where_the_scatter_changes() -> None:
    from bayescope.engine.surrogate.outputs.shown import light

    runs = scattered(np.random.default_rng(2), LOUD, 30)
    places = Level(np.zeros(2), np.ones(2), NoiseLevel(np.array([[0.5, 0.0], [-0.5, 0.0]]), np.array([-0.3, 0.3])), 2.0)
    emulator = Emulator.of(runs, Form(), None, True, (), Scatter(0.3, places))
    at = np.array([[-0.5, 0.3], [0.5, 0.3]])
    mean, variance = light(emulator).scores(at)
    expected = emulator.predict(torch.as_tensor(at))
    np.testing.assert_allclose(mean, expected[0].numpy(), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(variance, expected[1].numpy(), rtol=1e-4, atol=1e-9)
