"""Noise models for many predictions at once against those for one run, their slopes and curvatures against finite differences."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import stats

from bayescope.engine.likelihood import batched_noise
from bayescope.engine.likelihood.batched_noise import Gaussian, SharedVariance, StudentT
from bayescope.engine.likelihood.batched_replicates import measured_again, settled, standardized
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.transforms import ParameterSpace

DATA = {
    "t": (0.0, 0.5, 1.0, 2.0, 3.0),
    "u": (1.0, None, 3.0, 4.5, 2.0),
    "n": (2.0, 0.0, None, 7.0, 1.0),
    "sd": (0.1, 0.2, 0.3, 0.4, 0.2),
}
SERIES = (d.Match(output="u", column="u"),)
BOTH = (*SERIES, d.Match(output="n", column="n"))
COUNTS = (d.Match(output="n", column="n"),)
MATRIX = tuple(tuple(0.5 * 0.6 ** abs(i - j) for j in range(5)) for i in range(5))
LARGE = tuple(tuple(0.5 * 0.6 ** abs(i - j) for j in range(10)) for i in range(10))
SMALL = tuple(tuple(0.5 * 0.6 ** abs(i - j) for j in range(8)) for i in range(8))
CASES = {
    "known sd": (SERIES, d.GaussianKnown(sd=0.3)),
    "sd column": (SERIES, d.GaussianKnown(sd_column="sd")),
    "sd plus percent": (BOTH, d.GaussianKnown(sd=0.3, percent=4.0)),
    "percent alone": (SERIES, d.GaussianKnown(percent=4.0)),
    "student plus percent": (BOTH, d.StudentTNoise(dof=4.0, scale=0.3, percent=4.0)),
    "inferred sd": (BOTH, d.GaussianInferred(parameter="sigma")),
    "each its own variance": (BOTH, d.GaussianIntegrated(shape=2.5, scale=0.4)),
    "one variance for all": (BOTH, d.GaussianIntegrated(shape=2.5, scale=0.4, per_point=False)),
    "log-normal": (SERIES, d.LogNormalNoise(log_sd=0.2)),
    "log-normal inferred": (SERIES, d.LogNormalNoise(parameter="sigma")),
    "poisson": (COUNTS, d.PoissonNoise()),
    "negative binomial": (COUNTS, d.NegativeBinomialNoise(parameter="sigma")),
    "student": (BOTH, d.StudentTNoise(dof=4.0, scale=0.3)),
    "student column": (SERIES, d.StudentTNoise(dof=3.0, scale_column="sd")),
    "student inferred": (SERIES, d.StudentTNoise(dof=3.0, parameter="sigma")),
    "autoregressive": (BOTH, d.Ar1Noise(sd="sigma", rho="rho")),
    "autoregressive known": (SERIES, d.Ar1Noise(sd=0.4, rho=-0.3)),
    "covariance": (SERIES, d.CovarianceNoise(matrix=MATRIX)),
    "covariance of two": (BOTH, d.CovarianceNoise(matrix=LARGE)),
    "covariance of the measured": (BOTH, d.CovarianceNoise(matrix=SMALL)),
    "two noises": ((*SERIES, d.Match(output="n", column="n", noise=d.PoissonNoise())), d.GaussianInferred(parameter="sigma")),
}


def problem(matches: tuple[d.Match, ...], noise: d.NoiseModel) -> d.Problem:
    return d.Problem(
        name="p",
        parameters=(
            d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),
            d.Parameter(name="sigma", prior=d.HalfCauchy(scale=1.0)),
            d.Parameter(name="rho", prior=d.Uniform(low=-0.9, high=0.9)),
        ),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("u", "n", "t")),
        meaning=d.Predictions(matches=matches, noise=noise),
        data=d.DataTable(columns=DATA),
    )


def known(case: str) -> tuple[d.Problem, ParameterSpace, PredictedCells]:
    declared = problem(*CASES[case])
    space = ParameterSpace(declared.parameters)
    found = PredictedCells.of(declared, space)
    assert found is not None
    return declared, space, found


def drawn(space: ParameterSpace, count: int = 7) -> tuple[list[dict[str, np.ndarray]], np.ndarray]:
    """Outputs of runs, and places in inference space."""
    rng = np.random.default_rng(1)
    outputs = [{n: np.exp(0.3 * rng.standard_normal(5) + 0.8) for n in ("u", "n", "t")} for _ in range(count)]
    return outputs, rng.normal(0.0, 0.5, (count, space.dimension))


@pytest.mark.parametrize("case", CASES)
def test_many_at_once_are_as_likely_as_one_by_one(case: str) -> None:
    declared, space, found = known(case)
    outputs, u = drawn(space)
    f = torch.as_tensor(np.array([found.cells(o) for o in outputs]))
    assert f.shape[1] == len(found.measured) == len(found.units)
    value = found.likelihood.log_density(f, torch.as_tensor(found.noise_values(u)))
    expected = [log_likelihood(declared, o, space.values(point))[0] for o, point in zip(outputs, u, strict=True)]
    np.testing.assert_allclose(value.numpy(), expected, rtol=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_the_slope_is_that_of_finite_differences(case: str) -> None:
    _, space, found = known(case)
    outputs, u = drawn(space, 3)
    f, p = torch.as_tensor(np.array([found.cells(o) for o in outputs])), torch.as_tensor(found.noise_values(u))
    slope, step = found.likelihood.slope(f, p), 1e-6
    for i in range(f.shape[1]):
        up, down = f.clone(), f.clone()
        up[:, i] += step
        down[:, i] -= step
        expected = (found.likelihood.log_density(up, p) - found.likelihood.log_density(down, p)) / (2 * step)
        np.testing.assert_allclose(slope[:, i].numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "case", ["known sd", "sd column", "inferred sd", "autoregressive", "autoregressive known", "covariance", "covariance of two"]
)
def test_the_curvature_of_normal_noise_is_minus_the_second_derivative(case: str) -> None:
    _, space, found = known(case)
    outputs, u = drawn(space, 3)
    f, p = torch.as_tensor(np.array([found.cells(o) for o in outputs])), torch.as_tensor(found.noise_values(u))
    cells, step = f.shape[1], 1e-4
    hessian = torch.empty(3, cells, cells, dtype=torch.float64)
    for i in range(cells):
        up, down = f.clone(), f.clone()
        up[:, i] += step
        down[:, i] -= step
        hessian[:, i] = -(found.likelihood.slope(up, p) - found.likelihood.slope(down, p)) / (2 * step)
    w = torch.as_tensor(np.random.default_rng(0).normal(size=(2, cells)))
    expected = w @ hessian @ w.T
    np.testing.assert_allclose(found.likelihood.curvature(f, p, w).numpy(), expected.numpy(), rtol=1e-6, atol=1e-6)
    each = w.expand(3, 2, cells)
    np.testing.assert_allclose(found.likelihood.curvature(f, p, each).numpy(), expected.numpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_no_curvature_is_negative(case: str) -> None:
    _, space, found = known(case)
    outputs, u = drawn(space, 5)
    f, p = torch.as_tensor(np.array([found.cells(o) for o in outputs])), torch.as_tensor(found.noise_values(u))
    w = torch.as_tensor(np.random.default_rng(0).normal(size=(3, f.shape[1])))
    assert float(torch.linalg.eigvalsh(found.likelihood.curvature(f, p, w)).min()) > -1e-9


def test_parameters_of_the_noise_alone_are_no_inputs_of_the_program() -> None:
    _, space, found = known("autoregressive")
    assert space.names == ("k", "sigma", "rho")
    assert found.inputs == (0,)
    assert found.noise_names == ("rho", "sigma")
    u = np.random.default_rng(0).normal(size=(4, 3))
    np.testing.assert_allclose(found.into_inputs(u)[:, 0], space.to_user(u)[:, 0])  # bounded on both sides: as it is
    np.testing.assert_allclose(found.noise_values(u), space.to_user(u)[:, [2, 1]])


def test_a_problem_that_compares_nothing_with_data_has_no_cells() -> None:
    declared = problem(*CASES["known sd"])
    score = d.Problem(
        name="p", parameters=declared.parameters, simulator=declared.simulator, outputs=declared.outputs,
        meaning=d.LogLikelihoodOutput(output="u"),
    )  # fmt: skip
    assert PredictedCells.of(score, ParameterSpace(score.parameters)) is None


def test_an_impossible_prediction_of_counts_has_no_likelihood() -> None:
    _, space, found = known("poisson")
    f = torch.full((2, len(found.measured)), 2.0, dtype=torch.float64)
    f[0, 1] = -0.5
    value = found.likelihood.log_density(f, torch.as_tensor(found.noise_values(np.zeros((2, space.dimension)))))
    assert value[0] == -math.inf
    assert math.isfinite(float(value[1]))


def blocks(case: str, count: int) -> list[tuple[batched_noise.Noise, torch.Tensor, torch.Tensor]]:
    """Each noise model with the same predictions and parameters many times; what is integrated over is drawn."""
    _, space, found = known(case)
    outputs, u = drawn(space, 1)
    f = torch.as_tensor(found.cells(outputs[0])).expand(count, -1)
    p = torch.as_tensor(found.noise_values(u)).expand(count, -1)
    rng = np.random.default_rng(6)
    parts = [(b.noise, f[:, b.cells].contiguous()) for b in found.likelihood.blocks]
    return [(settled(noise, at, rng), at, p) for noise, at in parts]


@pytest.mark.parametrize("case", CASES)
def test_what_is_measured_again_has_the_density_of_the_noise(case: str) -> None:
    """The mean of the ratio to another density, over draws of the one, is 1."""
    for noise, f, p in blocks(case, 3000):
        y = measured_again(noise, f, p, np.random.default_rng(7))
        assert y.shape == f.shape
        ratio = []
        for i in range(len(f)):
            made = replace(noise, y=y[i])  # type: ignore[type-var]
            if isinstance(noise, Gaussian) and isinstance(noise.sd, torch.Tensor) and noise.sd.dim() == 2:
                made = Gaussian(y[i], noise.sd[i])
            one, other = made.log_density(torch.stack([f[i], 1.03 * f[i] + 0.02]), p[[i, i]]).tolist()
            ratio.append(math.exp(other - one))
        assert np.mean(ratio) == pytest.approx(1.0, abs=4.5 * float(np.std(ratio)) / math.sqrt(len(ratio)) + 1e-3)


@pytest.mark.parametrize("case", CASES)
def test_standardized_residuals_are_independent_and_of_unit_size(case: str) -> None:
    for noise, f, p in blocks(case, 20_000):
        y = measured_again(noise, f, p, np.random.default_rng(8))
        e = standardized(noise, y, f, p).numpy()
        heavy = isinstance(noise, StudentT)  # roots of a deviance: of another size, and signed evenly
        size = (e**2).mean(0)
        np.testing.assert_allclose(size, size.mean() if heavy else 1.0, rtol=0.15)
        np.testing.assert_allclose(e.mean(0), 0.0, atol=0.05)
        correlation = np.corrcoef(e.T) - np.eye(e.shape[1])
        assert np.abs(correlation).max() < 0.05


def test_the_one_variance_of_all_values_is_drawn_given_them() -> None:
    noise = SharedVariance(torch.tensor([0.3, -0.2, 1.0, 0.5]).double(), 2.5, 0.4)
    f = torch.zeros(40_000, 4).double()
    found = settled(noise, f, np.random.default_rng(2))
    assert isinstance(found, Gaussian)
    assert isinstance(found.sd, torch.Tensor)
    expected = stats.invgamma(2.5 + 2.0, scale=0.4 + 0.5 * float((noise.y**2).sum()))
    assert stats.kstest(found.sd.numpy()[:, 0] ** 2, expected.cdf).pvalue > 1e-3


def test_of_no_rows_there_are_no_curvatures_whatever_is_alike_in_them() -> None:
    w = torch.ones(3, 5, dtype=torch.float64)
    for weights in (torch.ones(1, 5).expand(0, 5), torch.ones(0, 1).expand(0, 5), torch.ones(0, 5)):
        assert batched_noise.weighted(weights.to(torch.float64), w).shape == (0, 3, 3)
