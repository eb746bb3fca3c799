"""Cells that give a limit only: their probability by scipy, slopes and curvatures by finite differences, and far in the tails."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
import torch
from scipy import integrate, stats

from bayescope.engine.likelihood import limits
from bayescope.engine.likelihood.batched import BatchedLikelihood, Block, joined
from bayescope.engine.likelihood.batched_limits import Limited
from bayescope.engine.likelihood.batched_noise import (
    Gaussian,
    LogNormal,
    NegativeBinomial,
    Parameter,
    Poisson,
    StudentT,
)
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.likelihood.left_out import alone, kept
from bayescope.engine.likelihood.of_scores import Linear, ScoreLikelihood
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.numerics import log_tails
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.transforms import ParameterSpace
from bayescope.engine.surrogate.outputs.marginal import marginal

DATA = d.DataTable(
    columns={
        "u": (1.0, None, 3.0, None, 2.0), "n": (2.0, 0.0, None, 7.0, None), "sd": (0.1, None, 0.3, 0.4, 0.2),
        "t": (0.0, 1.0, 2.0, 3.0, 4.0),
    },
    limits={"u": (None, "<2.5", None, ">1.5", None), "n": (None, None, "<4", None, ">=3")},
)  # fmt: skip
U, N = d.Match(output="u", column="u"), d.Match(output="n", column="n")
CASES: dict[str, tuple[tuple[d.Match, ...], d.NoiseModel]] = {
    "known sd": ((U, N), d.GaussianKnown(sd=0.6)),
    "sd column": ((U,), d.GaussianKnown(sd_column="sd")),
    "sd plus percent": ((U,), d.GaussianKnown(sd=0.3, percent=10.0)),
    "inferred sd": ((U, N), d.GaussianInferred(parameter="sigma")),
    "each its own variance": ((U,), d.GaussianIntegrated(shape=2.5, scale=0.4)),
    "log-normal": ((U,), d.LogNormalNoise(log_sd=0.3)),
    "log-normal inferred": ((U,), d.LogNormalNoise(parameter="sigma")),
    "student": ((U, N), d.StudentTNoise(dof=4.0, scale=0.5)),
    "student column": ((U,), d.StudentTNoise(dof=3.0, scale_column="sd")),
    "student inferred": ((U,), d.StudentTNoise(dof=3.0, parameter="sigma")),
    "poisson": ((N,), d.PoissonNoise()),
    "negative binomial": ((N,), d.NegativeBinomialNoise(parameter="sigma")),
    "two noises": ((U, d.Match(output="n", column="n", noise=d.PoissonNoise())), d.GaussianInferred(parameter="sigma")),
}
NORMAL = ("known sd", "sd column", "sd plus percent", "inferred sd")


def problem(matches: tuple[d.Match, ...], noise: d.NoiseModel, data: d.DataTable = DATA) -> d.Problem:
    return d.Problem(
        name="p",
        parameters=(
            d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),
            d.Parameter(name="sigma", prior=d.HalfCauchy(scale=1.0)),
        ),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("u", "n")),
        meaning=d.Predictions(matches=matches, noise=noise),
        data=data,
    )  # fmt: skip


def known(case: str) -> tuple[d.Problem, ParameterSpace, PredictedCells]:
    declared = problem(*CASES[case])
    space = ParameterSpace(declared.parameters)
    found = PredictedCells.of(declared, space)
    assert found is not None
    return declared, space, found


def drawn(space: ParameterSpace, count: int = 6) -> tuple[list[dict[str, np.ndarray]], np.ndarray]:
    rng = np.random.default_rng(1)
    outputs = [{n: np.exp(0.3 * rng.standard_normal(5) + 0.8) for n in ("u", "n")} for _ in range(count)]
    return outputs, rng.normal(0.0, 0.5, (count, space.dimension))


def expected_u(f: np.ndarray, of: list[stats.rv_continuous]) -> float:
    """Rows 1, 3 and 5 were measured, row 2 lies below 2.5 and row 4 above 1.5."""
    ends = integrate.quad(of[1].pdf, -np.inf, 2.5)[0], 1.0 - integrate.quad(of[3].pdf, -np.inf, 1.5)[0]
    return sum(float(of[i].logpdf(y)) for i, y in ((0, 1.0), (2, 3.0), (4, 2.0))) + math.log(ends[0]) + math.log(ends[1])


def test_the_likelihood_of_a_limit_is_the_integral_of_the_density_on_its_side() -> None:
    f = np.array([1.2, 2.2, 2.7, 1.9, 2.4])
    sizes = np.array([0.1, 0.3, 0.3, 0.4, 0.2])  # row 2 has that of row 3, whose value is nearest to its limit
    ways = {
        d.GaussianKnown(sd=0.6): [stats.norm(m, 0.6) for m in f],
        d.GaussianKnown(sd_column="sd"): [stats.norm(m, s) for m, s in zip(f, sizes, strict=True)],
        d.GaussianKnown(percent=10.0): [stats.norm(m, 0.1 * y) for m, y in zip(f, (1.0, 2.5, 3.0, 1.5, 2.0), strict=True)],
        d.StudentTNoise(dof=4.0, scale=0.5): [stats.t(4.0, m, 0.5) for m in f],
        d.GaussianIntegrated(shape=2.5, scale=0.4): [stats.t(5.0, m, 0.4) for m in f],
    }
    for noise, of in ways.items():
        found, sd = log_likelihood(problem((U,), noise), {"u": f, "n": f}, {"k": 1.0, "sigma": 1.0})
        assert sd == 0.0
        assert found == pytest.approx(expected_u(f, of), abs=1e-6)
    log_normal = [stats.lognorm(0.3, scale=m) for m in f]
    found, _ = log_likelihood(problem((U,), d.LogNormalNoise(log_sd=0.3)), {"u": f, "n": f}, {"k": 1.0, "sigma": 1.0})
    assert found == pytest.approx(expected_u(f, log_normal), abs=1e-6)


def test_counts_below_and_above_a_limit_are_summed() -> None:
    """Row 3 is below 4, so at most 3; row 5 is 3 or more."""
    f = np.array([1.2, 0.4, 2.7, 5.9, 3.4])
    ways = {
        d.PoissonNoise(): [stats.poisson(m) for m in f],
        d.NegativeBinomialNoise(size=2.0): [stats.nbinom(2.0, 2.0 / (2.0 + m)) for m in f],
    }
    for noise, of in ways.items():
        found, _ = log_likelihood(problem((N,), noise), {"u": f, "n": f}, {"k": 1.0, "sigma": 1.0})
        exact = sum(of[i].logpmf(y) for i, y in ((0, 2), (1, 0), (3, 7)))
        exact += math.log(sum(of[2].pmf(k) for k in range(4))) + math.log(1.0 - sum(of[4].pmf(k) for k in range(3)))
        assert found == pytest.approx(exact, abs=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_many_at_once_are_as_likely_as_one_by_one(case: str) -> None:
    declared, space, found = known(case)
    outputs, u = drawn(space)
    f = torch.as_tensor(np.array([found.cells(o) for o in outputs]))
    assert f.shape[1] == len(found.measured) == len(found.units) == len(found.sides)
    value = found.likelihood.log_density(f, torch.as_tensor(found.noise_values(u)))
    expected = [log_likelihood(declared, o, space.values(point))[0] for o, point in zip(outputs, u, strict=True)]
    np.testing.assert_allclose(value.numpy(), expected, rtol=1e-10)


@pytest.mark.parametrize("case", CASES)
def test_slope_and_curvature_are_those_of_finite_differences(case: str) -> None:
    _, space, found = known(case)
    outputs, u = drawn(space, 3)
    f, p = torch.as_tensor(np.array([found.cells(o) for o in outputs])), torch.as_tensor(found.noise_values(u))
    slope, step, cells = found.likelihood.slope(f, p), 1e-5, f.shape[1]
    w = torch.eye(cells, dtype=torch.float64)
    bend = torch.diagonal(found.likelihood.curvature(f, p, w), dim1=1, dim2=2)
    for i in range(cells):
        up, down = f.clone(), f.clone()
        up[:, i] += step
        down[:, i] -= step
        expected = (found.likelihood.log_density(up, p) - found.likelihood.log_density(down, p)) / (2 * step)
        np.testing.assert_allclose(slope[:, i].numpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
        if found.sides[i] and not case.startswith("log-normal"):
            exact = -(found.likelihood.slope(up, p) - found.likelihood.slope(down, p))[:, i] / (2 * step)
            np.testing.assert_allclose(bend[:, i].numpy(), exact.clamp_min(0.0).numpy(), rtol=1e-5, atol=1e-6)
    assert float(bend.min()) >= 0.0


@pytest.mark.parametrize("case", CASES)
def test_automatic_derivatives_agree_also_of_the_noise_parameters(case: str) -> None:
    """Where acquisitions are climbed, they go through the value and the curvature."""
    _, space, found = known(case)
    outputs, u = drawn(space, 2)
    f = torch.as_tensor(np.array([found.cells(o) for o in outputs])).requires_grad_()
    p = torch.as_tensor(found.noise_values(u)).requires_grad_()
    w = torch.as_tensor(np.random.default_rng(0).normal(size=(2, f.shape[1])))

    def total(f: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
        bend = torch.diagonal(found.likelihood.curvature(f, p, w), dim1=1, dim2=2).sum()
        return found.likelihood.log_density(f, p).sum() - 0.5 * bend

    pulls = torch.autograd.grad(total(f, p), (f, p), allow_unused=True, materialize_grads=True)
    for x, pull in zip((f, p), pulls, strict=True):
        for i in range(x.shape[1]):
            step = torch.zeros_like(x)
            step[:, i] = 1e-5
            ends = [total(*((v + s * step) if v is x else v for v in (f, p))) for s in (1.0, -1.0)]
            assert pull[:, i].sum().item() == pytest.approx((ends[0] - ends[1]).item() / 2e-5, rel=1e-4, abs=1e-4)


def noises() -> list[Limited]:
    y, sides = torch.tensor([3.0, 3.0]).double(), torch.tensor([-1.0, 1.0]).double()
    kinds = (Gaussian(y, 0.5), StudentT(y, 0.5, 3.0), LogNormal(y, 0.2), Poisson(y), NegativeBinomial(y, 2.0))
    return [Limited(kind, sides) for kind in kinds]


@pytest.mark.parametrize("noise", noises(), ids=lambda n: type(n.noise).__name__)
def test_far_from_a_limit_on_either_side_everything_is_finite_and_pulls_towards_it(noise: Limited) -> None:
    f = torch.tensor([[1e-8, 1e-8], [1e4, 1e4], [1e7, 1e7]]).double().requires_grad_()
    p, w = torch.zeros(3, 0).double(), torch.eye(2).double()
    value, slope, bend = noise.log_density(f, p), noise.slope(f, p), noise.curvature(f, p, w)
    for tensor in (value, slope, bend):
        assert bool(torch.isfinite(tensor).all())
    assert bool((slope[:, 0] <= 0.0).all())
    assert bool((slope[:, 1] >= 0.0).all())
    assert bool(torch.isfinite(torch.autograd.grad(value.sum() + bend.sum(), f)[0]).all())


def test_tails_are_right_where_probabilities_are_no_number() -> None:
    assert log_tails.log_stdtr(-1e30, 50.0) == pytest.approx(-3358.957014058, rel=1e-10)  # by mpmath with 50 digits, as are all
    assert log_tails.log_poisson_below(4.0, 2000.0) == pytest.approx(-1972.772442992514, rel=1e-12)
    assert log_tails.log_poisson_above(1000.0, 4.0) == pytest.approx(-4529.829813374983, rel=1e-12)
    assert log_tails.log_negative_binomial_below(4.0, 1e9, 50.0) == pytest.approx(-827.8978527909175, rel=1e-12)
    assert log_tails.log_negative_binomial_above(2000.0, 20.0, 300.0) == pytest.approx(-4679.614102063686, rel=1e-12)
    assert log_tails.log_poisson_above(0.0, 2.0) == 0.0
    assert log_tails.log_poisson_below(-1.0, 2.0) == -math.inf


def test_an_uncertain_emulator_widens_the_noise_of_a_limit() -> None:
    """Of one output with a normal error of its own: log Phi((limit - mean) / sqrt(sd^2 + variance)), for a program that is far
    above, near, and far below the limit."""
    limit, sd = 3.0, 0.5
    of_cells = BatchedLikelihood((Block(torch.tensor([0]), Limited(Gaussian(torch.tensor([limit]).double(), sd),
                                                                   torch.tensor([-1.0]).double())),))  # fmt: skip
    likelihood = ScoreLikelihood.of(of_cells, Linear(torch.zeros(1).double(), torch.ones(1, 1).double()))
    mean = torch.linspace(1.0, 8.0, 29)[:, None].double()
    for own in (0.01, 0.1, 0.25):
        found = marginal(likelihood, mean, torch.full_like(mean, own**2), torch.zeros(len(mean), 0).double())
        exact = stats.norm.logcdf((limit - mean[:, 0].numpy()) / math.hypot(sd, own))
        np.testing.assert_allclose(found.value.numpy(), exact, atol=0.02 * own / sd + 1e-3)


def test_values_left_out_and_measured_anew() -> None:
    noise = noises()[0]
    fewer = kept(noise, torch.tensor([False, True]))
    assert isinstance(fewer, Limited)
    assert fewer.sides.tolist() == [1.0]
    assert isinstance(alone(noise, 0), Gaussian)  # measured once more, it is a value
    blocks = joined(tuple(Block(torch.tensor([2 * k, 2 * k + 1]), noise) for k in range(3)))
    assert len(blocks) == 1
    assert len(blocks[0].cells) == 6


@pytest.mark.parametrize(
    "noise", [d.Ar1Noise(sd=1.0, rho=0.5), d.GaussianIntegrated(shape=2.0, scale=1.0, per_point=False),
              d.CovarianceNoise(matrix=tuple(tuple(float(i == j) for j in range(5)) for i in range(5)))],
    ids=lambda n: type(n).__name__,
)  # fmt: skip
def test_noise_that_joins_the_errors_says_that_it_has_no_use_for_limits(noise: d.NoiseModel) -> None:
    declared = problem((U,), noise)
    said = [f for f in check(declared) if f.level == "error"]
    assert any("give a limit only" in f.message and "(rows 2, 4)" in f.message and "Leave these rows out" in f.suggestion
               for f in said)  # fmt: skip
    with pytest.raises(LikelihoodError, match="give a limit only"):
        log_likelihood(declared, {"u": np.ones(5), "n": np.ones(5)}, {"k": 1.0, "sigma": 1.0})
    left = d.Match(output="u", column="u", left_out=(2, 4))
    if not isinstance(noise, d.CovarianceNoise):
        assert not any("limit" in f.message for f in check(problem((left,), noise)))


def test_a_program_that_may_be_off_and_summaries_say_it_too() -> None:
    off = d.Match(output="u", column="u", key_output="n", key_column="t", discrepancy=d.Discrepancy(size=1.0))
    said = [f.message for f in check(problem((off,), d.GaussianKnown(sd=1.0))) if f.level == "error"]
    assert any("beside a program that may be off" in words for words in said)
    declared = problem((U,), d.GaussianKnown(sd=1.0))
    summary = d.SyntheticLikelihood(summaries=(d.Summary(output="u", column="u", statistic="mean"),))
    said = [f.message for f in check(msgspec.structs.replace(declared, meaning=summary)) if f.level == "error"]
    assert any("no part of a summary" in words for words in said)


@pytest.mark.parametrize(
    ("cells", "words"),
    [((None, "0.5", None, ">1", None), "has the limit “0.5”"), (("<1", None, None, None, None), "has a value and a limit"),
     ((None, "<1"), "has 5 rows, its limits have 2")],
)  # fmt: skip
def test_limits_that_make_no_sense_are_said(cells: tuple[str | None, ...], words: str) -> None:
    table = d.DataTable(columns=DATA.columns, limits={"u": cells})
    said = [f.message for f in check(problem((U,), d.GaussianKnown(sd=1.0), table)) if f.level == "error"]
    assert any(words in one for one in said)


def test_a_limit_of_a_log_normal_value_or_a_count_must_be_possible() -> None:
    table = d.DataTable(columns=DATA.columns, limits={"u": (None, "<0", None, None, None)})
    for noise, words in ((d.LogNormalNoise(log_sd=0.2), "needs values greater than zero"), (d.PoissonNoise(), "as no count is")):
        said = [f.message for f in check(problem((U,), noise, table)) if f.level == "error"]
        assert any(words in one for one in said)


def test_counts_know_their_last_possible_number() -> None:
    limit, sides = np.array([5.0, 5.0, 5.0, 5.0, 4.5, 4.5]), np.array([-1, -1, 1, 1, -1, 1], dtype=np.int8)
    closed = np.array([False, True, False, True, False, False])
    np.testing.assert_array_equal(limits.count_at(limit, sides, closed), [4.0, 5.0, 6.0, 5.0, 4.0, 5.0])


def test_a_noise_parameter_of_limits_is_found_by_its_column() -> None:
    noise = Limited(NegativeBinomial(torch.tensor([3.0]).double(), Parameter(0)), torch.tensor([-1.0]).double())
    f, p = torch.full((2, 1), 2.0).double(), torch.tensor([[1.0], [4.0]]).double()
    exact = [stats.nbinom.logcdf(3, k, k / (k + 2.0)) for k in (1.0, 4.0)]
    np.testing.assert_allclose(noise.log_density(f, p).numpy(), exact, rtol=1e-10)
