"""Predictive bands and checks of learnt outputs, and their light form, against exact answers and the emulator itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import stats

from bayescope.engine.answer.posterior import StoredPosterior
from bayescope.engine.answer.predictions.emulated import LightEmulator, OutputBands
from bayescope.engine.answer.predictions.mode_predictions import by_learnt_outputs
from bayescope.engine.answer.predictions.predictive import Predicted
from bayescope.engine.answer.predictions.residuals import Residuals
from bayescope.engine.answer.predictions.what_if import WhatIf
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.protocol import Blob
from bayescope.engine.session.stored_arrays import NotEmulated
from bayescope.engine.surrogate.frames import BoxFrame
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.log_joint import EmulatedLogJoint
from bayescope.engine.surrogate.outputs.shown import bands, light, predicted, shown

Array = np.ndarray
T = np.linspace(0.0, 3.0, 24)
SD = 0.1
CPU = torch.device("cpu")


def line(theta: Array) -> Array:
    """(n, 2) -> (n, 24)"""
    return theta[:, :1] + theta[:, 1:2] * T


def decay(theta: Array) -> Array:
    return np.exp(0.3 * theta[:, :1] - 0.5 * (1.5 + 0.3 * theta[:, 1:2]) * T)


def learnt(
    program: Callable[[Array], Array], data: Array, noise: d.NoiseModel, form: Form | None = None,
    device: torch.device = CPU,
) -> EmulatedLogJoint:
    """Of two parameters with standard normal priors, and the sd of the noise if it is inferred, from 40 runs."""
    free = tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in "ab")
    sd = d.Parameter(name="s", prior=d.HalfNormal(scale=0.3))
    declared = d.Problem(
        name="p",
        parameters=(*free, sd) if isinstance(noise, d.GaussianInferred) else free,
        simulator=d.Simulator(command=("x", "@a@", "@b@")),
        outputs=(d.Output(name="y", source="stdout", extractor=d.LastNumber()),),
        meaning=d.Predictions(matches=(d.Match(output="y", column="y"),), noise=noise),
        data=d.DataTable(columns={"y": tuple(data)}),
    )
    space = ParameterSpace(declared.parameters)
    cells = PredictedCells.of(declared, space)
    assert cells is not None
    dimension = space.dimension
    u = np.random.default_rng(3).normal(0.0, 1.0, (40, dimension))
    tensors = [torch.as_tensor(a, device=device) for a in (cells.into_inputs(u), program(u[:, :2]), cells.measured, cells.units)]
    groups = tuple(block.cells.to(device) for block in cells.likelihood.blocks)
    emulator = Emulator.of(Runs(tensors[0], tensors[1], tensors[2], tensors[3], groups), form or Form(), None, search=True)
    box = BoxFrame(np.zeros(dimension), np.ones(dimension))
    likelihood = emulator.components.likelihood(cells.likelihood.on(device))
    return EmulatedLogJoint(emulator, cells, box, u, np.zeros(40), emulator.kept.cpu().numpy(), 0.0, likelihood)


@pytest.mark.parametrize("form", [Form(), Form("rough"), Form("smooth", True), Form("smooth", False, True)])
def test_the_light_form_predicts_as_the_emulator_does(form: Form) -> None:
    surrogate = learnt(decay, decay(np.zeros((1, 2)))[0], d.GaussianKnown(sd=0.02), form)
    surrogate = replace(surrogate, emulator=replace(surrogate.emulator, inflation=2.5))
    found = LightEmulator.of(light(surrogate.emulator).arrays(), 2, len(T))
    x = np.random.default_rng(4).normal(0.0, 1.5, (9, 2))
    mean, variance = surrogate.emulator.predict(torch.as_tensor(x))
    for got, expected in zip(found.scores(x), (mean, variance), strict=True):
        np.testing.assert_allclose(got, expected.numpy(), rtol=1e-6, atol=1e-9)
    expected = surrogate.emulator.components.cells(mean).numpy()
    np.testing.assert_allclose(found.band(x)[1], expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.cells(mean.numpy()[None], np.array([3, 1])), expected[None][..., [3, 1]], atol=1e-12)


@pytest.mark.parametrize("form", [Form("smooth", True), Form("smooth", False, True)], ids=["logarithms", "sizes and shapes"])
def test_the_band_at_a_point_holds_what_the_emulator_draws_there(form: Form) -> None:
    surrogate = learnt(decay, decay(np.zeros((1, 2)))[0], d.GaussianKnown(sd=0.02), form)
    surrogate = replace(surrogate, emulator=replace(surrogate.emulator, inflation=400.0))
    place = np.array([[0.7, -1.1]])
    draws = predicted(surrogate, place.repeat(20_000, 0), np.random.default_rng(1)).numpy()
    low, middle, high = light(surrogate.emulator).band(surrogate.inputs(place).numpy())
    size = high - low
    for got, at in ((low, 0.05), (middle, 0.5), (high, 0.95)):
        np.testing.assert_allclose(got[0] / size[0], np.quantile(draws, at, axis=0) / size[0], atol=0.04)


def posterior(data: Array) -> tuple[Array, Array]:
    """Mean and covariance of the two parameters of the line."""
    design = np.stack([np.ones_like(T), T], 1)
    covariance = np.linalg.inv(np.eye(2) + design.T @ design / SD**2)
    return covariance @ design.T @ data / SD**2, covariance


def draws_of(data: Array, count: int) -> Array:
    mean, covariance = posterior(data)
    return np.random.default_rng(11).multivariate_normal(mean, covariance, count)


def test_bands_are_those_of_the_exact_posterior_of_a_linear_program(device: torch.device) -> None:
    data = line(np.array([[0.4, -0.8]]))[0] + SD * np.random.default_rng(5).normal(size=len(T))
    surrogate = learnt(line, data, d.GaussianKnown(sd=SD), device=device)
    found = bands(surrogate, draws_of(data, 3000), np.random.default_rng(1))
    mean, covariance = posterior(data)
    design = np.stack([np.ones_like(T), T], 1)
    sd = np.sqrt(np.einsum("ij,jk,ik->i", design, covariance, design))
    both = np.hypot(sd, SD)
    reach = stats.norm.ppf(0.95)
    ends = ((found.low, found.middle, found.high, sd), (found.measured_low, found.middle, found.measured_high, both))
    for low, middle, high, size in ends:
        for got, sds in ((low, -reach), (middle, 0.0), (high, reach)):
            np.testing.assert_allclose((got - design @ mean) / size, sds, atol=0.17)
    np.testing.assert_allclose(found.noise, SD, rtol=0.08)


def test_the_check_of_scatter_is_the_exact_probability_for_a_linear_program() -> None:
    """Given the parameters, squares of new residuals are chi squared; averaged over the posterior by Monte Carlo."""
    for more in (0.6, 1.0, 1.35):
        data = line(np.array([[0.4, -0.8]]))[0] + more * SD * np.random.default_rng(5).normal(size=len(T))
        draws = draws_of(data, 3000)
        squares = (((data - line(draws[:, :2])) / SD) ** 2).sum(1)
        expected = float(stats.chi2(len(T)).sf(squares).mean())
        found = bands(learnt(line, data, d.GaussianKnown(sd=SD)), draws, np.random.default_rng(1))
        assert found.checks[0, 0] == pytest.approx(expected, abs=4.5 * np.sqrt(0.25 / found.replicates[0]) + 0.01)


def test_a_curve_of_the_wrong_shape_shows_in_neighbours_that_are_alike() -> None:
    data = line(np.array([[0.4, -0.8]]))[0] + SD * np.random.default_rng(5).normal(size=len(T))
    for bend, alike in ((0.0, False), (0.25, True)):
        bent = data + bend * np.cos(2.0 * np.pi * T / 3.0)
        sd = np.log(np.std(bent - line(posterior(bent)[0][None])[0]))  # which takes all of it up
        draws = np.column_stack([draws_of(bent, 400), np.full(400, sd)])
        found = bands(learnt(line, bent, d.GaussianInferred(parameter="s")), draws, np.random.default_rng(1))
        assert 0.02 < found.checks[0, 0] < 0.98
        assert bool(found.checks[0, 1] < 0.01) is alike


def test_what_is_sent_or_stored_is_read_again_and_what_is_damaged_is_refused() -> None:
    data = line(np.array([[0.4, -0.8]]))[0]
    surrogate = learnt(line, data, d.StudentTNoise(dof=2.0, scale=SD))
    arrays = shown(surrogate, draws_of(data, 100), np.random.default_rng(1))
    sent = {name: Blob.of(array).array() for name, array in arrays.items()}
    again = OutputBands.of(sent, len(T), 1).arrays() | LightEmulator.of(sent, 2, len(T)).arrays()
    again |= Residuals.of(sent, len(T), 1).arrays()
    assert set(again) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(again[name], array)
        assert not np.isnan(array).any()
    undefined = {n: a * np.nan for n, a in arrays.items()}
    short = {n: a[..., :-1] if a.ndim else a for n, a in arrays.items()}
    readers = [lambda a, kind=kind: kind.of(a, len(T), 1) for kind in (OutputBands, Residuals)]
    for reader in (*readers, lambda a: LightEmulator.of(a, 2, len(T))):
        for broken in ({}, undefined, short):
            with pytest.raises(NotEmulated):
                reader(broken)
    with pytest.raises(NotEmulated):
        LightEmulator.of(arrays, 3, len(T))


def words_of(bands: OutputBands) -> str:
    """What is said of them as predictions of a column."""
    return Predicted(bands.middle, bands.middle, np.empty((0, len(bands.middle))), np.empty(0), "t", "a", bands=bands).words


def test_each_misfit_is_said_in_its_own_words_and_nothing_where_nothing_was_checked() -> None:
    data = line(np.array([[0.4, -0.8]]))[0] + SD * np.random.default_rng(5).normal(size=len(T))
    found = bands(learnt(line, data, d.GaussianKnown(sd=SD)), draws_of(data, 100), np.random.default_rng(1))
    rare, rarer = "1 in 100 (up to 1 in 25 for any of 4 tests)", "1 in 200 (up to 1 in 50 for any of 4 tests)"
    said = {
        (0.5, 0.5): "The data are as expected.",
        (0.005, 0.5): f"The data are more scattered about the predictions than the model allows: {rarer}.",
        (0.99, np.nan): f"The data are closer to the predictions than their noise allows: {rare}.",
        (0.5, 0.01): f"Neighbouring points miss the predictions to the same side more often than chance does: {rare}. "
        "The predicted curve may have the wrong shape.",
        (np.nan, np.nan): "",
    }
    for shares, words in said.items():
        assert words_of(replace(found, checks=np.array([shares]), replicates=np.array([1600.0]))) == words


def test_draws_of_something_wider_than_the_posterior_check_nothing() -> None:
    data = line(np.array([[0.4, -0.8]]))[0]
    surrogate = learnt(line, data, d.GaussianKnown(sd=SD))
    arrays = shown(surrogate, draws_of(data, 100), np.random.default_rng(1), checked=False)
    assert words_of(OutputBands.of(arrays, len(T), 1)) == ""


def test_what_a_mode_predicts_is_the_median_of_the_emulator_over_its_draws() -> None:
    data = line(np.zeros((1, 2)))[0]
    surrogate = learnt(line, data, d.GaussianKnown(sd=SD))
    space = ParameterSpace(tuple(d.Parameter(name=n, prior=d.Normal(mean=0.0, sd=1.0)) for n in "ab"))
    means = np.array([[-1.0, 0.5], [1.0, -0.5]])
    answer = StoredPosterior(space, [0.5, 0.5], means, np.tile(0.01 * np.eye(2), (2, 1, 1)))
    emulator = LightEmulator.of(light(surrogate.emulator).arrays(), 2, len(T))
    nothing = np.empty((0, len(T)))
    what_if = WhatIf(space, (0, 1), [Predicted(T, data, nothing, np.empty(0), "t", "y")], emulator)
    found = by_learnt_outputs(answer, what_if)
    assert found is not None
    np.testing.assert_allclose(found.lines[0], line(means), atol=0.08)
    assert by_learnt_outputs(StoredPosterior(space, [1.0], means[:1], 0.01 * np.eye(2)[None]), what_if) is None
