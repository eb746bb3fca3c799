"""Runs that gave some of their cells: what those say, against the joint normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bayescope.engine.surrogate.outputs.components import MISSED, Components, Scale
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.incomplete import MOST_SIZE, Incomplete, factors

T = np.linspace(0.0, 3.0, 12)


def program(x: np.ndarray) -> np.ndarray:
    """(n, 12), from inputs (n, 2)."""
    a, k = x[:, :1], 0.5 + x[:, 1:] ** 2
    return (2.0 + a) * np.exp(-k * T) + 0.3 * np.sin(k * T)


def runs(x: np.ndarray, incomplete: Incomplete | None = None) -> Runs:
    measured = torch.as_tensor(program(np.array([[0.2, 0.6]]))[0])
    units = torch.full_like(measured, 0.05)
    return Runs(torch.as_tensor(x), torch.as_tensor(program(x)), measured, units, (torch.arange(12),), incomplete)


def components(sizes: bool) -> Components:
    known = runs(np.random.default_rng(0).uniform(-1.0, 1.0, (14, 2)))
    return Components.of(known.f, known.weights, known.scale(Form()), sizes)


@pytest.mark.parametrize("sizes", [False, True])
def test_slopes_of_cells_along_scores_are_those_of_finite_differences(sizes: bool) -> None:
    made = components(sizes)
    z = torch.as_tensor(np.random.default_rng(1).normal(size=(3, len(made.directions) + sizes)))
    at, slope = made.about(z)
    torch.testing.assert_close(made.scale.back(at), made.cells(z))
    for k in range(z.shape[1]):
        step = torch.zeros_like(z)
        step[:, k] = 1e-5
        expected = (made.about(z + step)[0] - made.about(z - step)[0]) / 2e-5
        torch.testing.assert_close(slope[:, k], expected, rtol=1e-6, atol=1e-6)


def test_a_prediction_with_the_factor_of_a_run_has_the_moments_of_the_joint_normal_distribution_given_its_cells() -> None:
    """Scores and cells as one normal vector, its covariance written out, conditioned by inverting the given block."""
    made, rng = components(False), np.random.default_rng(2)
    k = len(made.directions)
    mean, variance, sd = rng.normal(size=(1, k)), rng.uniform(0.2, 3.0, (1, k)), 0.3
    f = program(np.array([[0.4, 0.7]]))
    f[0, [1, 5, 6, 11]] = np.nan
    value, extra = factors(*(torch.as_tensor(a) for a in (f,)), made, *map(torch.as_tensor, (mean, variance, np.array([sd]))))
    w, centre, given = made.directions.numpy(), made.centre.numpy(), np.isfinite(f[0])
    across = np.diag(variance[0]) @ w[:, given]
    inner = w[:, given].T @ across + (sd**2 + MISSED**2) * np.eye(given.sum())
    off = f[0, given] / 0.05 - centre[given] - mean[0] @ w[:, given]
    expected = mean[0] + across @ np.linalg.solve(inner, off)
    left = variance[0] - np.einsum("kl,lk->k", across, np.linalg.solve(inner, across.T))
    precision = 1.0 / variance + 1.0 / extra.numpy()
    np.testing.assert_allclose((mean / variance + (value / extra).numpy()) / precision, expected[None], rtol=1e-7)
    np.testing.assert_allclose(1.0 / precision, left[None], rtol=1e-3)


def test_cells_that_say_nothing_of_a_score_leave_it_as_it_is_predicted() -> None:
    scale = Scale(torch.ones(4, dtype=torch.float64), torch.zeros(4, dtype=torch.bool))
    made = Components(scale, torch.zeros(4, dtype=torch.float64), torch.eye(4, dtype=torch.float64)[:2])
    f = torch.tensor([[3.0, torch.nan, 1.0, 1.0]], dtype=torch.float64)
    one = torch.ones(1, 2, dtype=torch.float64)
    value, extra = factors(f, made, 0.5 * one, one, torch.zeros(1, dtype=torch.float64))
    assert float(value[0, 0]) == pytest.approx(3.0, abs=1e-3)
    assert float(extra[0, 0]) == pytest.approx(MISSED**2, rel=1e-6)
    assert float(value[0, 1]) == pytest.approx(0.5)
    assert float(extra[0, 1]) >= 1e3


@pytest.mark.parametrize("off", [3.0, -3.0, 1e5])
def test_a_size_predicted_far_off_is_led_to_what_the_cells_say_and_no_farther(off: float) -> None:
    """Combined with its factor a prediction gives the cells of the run; made linear about e**3 of them it would not."""
    made = components(True)
    whole = program(np.array([[0.4, 0.7]]))
    scores = made.scores(torch.as_tensor(whole))
    f = whole.copy()
    f[0, 8:] = np.nan
    mean, variance = scores.clone(), torch.ones_like(scores) * made.typical**2
    mean[0, 0] += off * made.typical
    variance[0, 0] *= 1e12
    value, extra = factors(torch.as_tensor(f), made, mean, variance, torch.zeros(1, dtype=torch.float64))
    assert bool(torch.isfinite(value).all())
    assert bool(torch.isfinite(extra).all())
    combined = (mean / variance + value / extra) / (1.0 / variance + 1.0 / extra)
    if abs(off) < MOST_SIZE:
        np.testing.assert_allclose(made.cells(combined).numpy()[0, :8], whole[0, :8], atol=0.05)


def test_runs_without_a_third_of_their_cells_teach_the_emulator_nearly_what_they_would_whole() -> None:
    rng = np.random.default_rng(3)
    x, more, new = (rng.uniform(-1.0, 1.0, (n, 2)) for n in (7, 8, 40))
    f = program(more)
    f[:, 8:] = np.nan
    told = Incomplete(torch.as_tensor(more), torch.as_tensor(f))

    def error(known: Runs) -> float:
        emulator = Emulator.of(known, Form(), None, search=True)
        cells = emulator.components.cells(emulator.predict(torch.as_tensor(new))[0])
        return float(torch.sqrt(((cells - torch.as_tensor(program(new))) ** 2).mean()) / 0.05)

    without, incomplete, whole = error(runs(x)), error(runs(x, told)), error(runs(np.concatenate([x, more])))
    assert incomplete < 0.5 * without
    assert incomplete < 4.0 * whole


def test_incomplete_runs_are_not_among_the_runs_that_an_emulator_is_judged_by() -> None:
    x = np.random.default_rng(4).uniform(-1.0, 1.0, (9, 2))
    f = program(x[:2] + 0.1)
    f[:, 3] = np.nan
    emulator = Emulator.of(runs(x, Incomplete(torch.as_tensor(x[:2] + 0.1), torch.as_tensor(f))), Form(), None, search=True)
    assert emulator.incomplete
    assert len(emulator.kept) == len(emulator.scores) == len(emulator.leave_one_out()[0]) == 9
    assert not Emulator.of(runs(x), Form(), None, search=True).incomplete


def test_a_run_whose_few_cells_are_far_from_the_data_is_not_learnt_from() -> None:
    x = np.random.default_rng(5).uniform(-1.0, 1.0, (9, 2))
    f = np.full((1, 12), np.nan)
    f[0, 2] = 1e4
    assert not Emulator.of(runs(x, Incomplete(torch.as_tensor(x[:1]), torch.as_tensor(f))), Form(), None, search=True).incomplete


def test_some_of_the_runs_are_those_nearest_to_the_data_and_others_of_every_distance():
    f = torch.linspace(0.0, 99.0, 100).double()[:, None]
    runs = Runs(f, f, torch.zeros(1).double(), torch.ones(1).double(), (torch.arange(1),))
    assert runs.some(100) is runs
    taken = runs.some(20).f[:, 0].tolist()
    assert taken[:10] == list(range(10))
    assert taken[10:] == [10.0, 20.0, 30.0, 40.0, 50.0, 59.0, 69.0, 79.0, 89.0, 99.0]
