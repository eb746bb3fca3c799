"""The program that may be off: its likelihood against dense normal densities, its slopes, its draws, and what is refused."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
import torch
from scipy import integrate, special, stats
from scipy.special import logsumexp

from bayescope.engine.likelihood.batched_discrepancy import (
    GaussianAndDiscrepancy,
    LogNormalAndDiscrepancy,
    without_missed,
)
from bayescope.engine.likelihood.errors import LikelihoodError
from bayescope.engine.likelihood.evaluate import log_likelihood
from bayescope.engine.likelihood.left_out import kept
from bayescope.engine.likelihood.predicted import PredictedCells
from bayescope.engine.numerics.discrepancy import Discrepancy
from bayescope.engine.problem import definition as d
from bayescope.engine.problem.checks.validate import check
from bayescope.engine.problem.data.rows.discrepancies import with_discrepancy
from bayescope.engine.problem.transforms import ParameterSpace

replace = msgspec.structs.replace
T = (0.1, 0.4, 0.7, 1.0, 1.3, 1.3, 1.9, 2.2, 2.5, 3.0)
DATA = {
    "t": T,
    "u": (5.0, 3.9, 3.3, None, 2.2, 2.4, 1.8, 1.7, 1.5, 1.6),
    "sd": (0.1, 0.2, 0.3, 0.1, 0.2, 0.1, 0.2, 0.3, 0.2, 0.1),
}
KNOWN, INFERRED = d.GaussianKnown(sd=0.3), d.GaussianInferred(parameter="sigma")
SIZE = 0.4


def kernel(x: np.ndarray, a: float, length: float) -> np.ndarray:
    """An offset, and Matern's with nu = 5/2, by its general formula."""
    d = np.sqrt(5.0) * np.abs(x[:, None] - x) / length
    far = np.where(d > 0.0, d, 1.0)
    return a**2 * (1.0 + np.where(d > 0.0, 2.0**-1.5 / special.gamma(2.5) * far**2.5 * special.kv(2.5, far), 1.0))


def averaged(x: np.ndarray, r: np.ndarray, noise: np.ndarray, length: float | None = None, fine: int = 30) -> float:
    """By scipy's normal density on a fine grid of amplitudes and lengths, which costs what it costs."""
    span = float(np.ptp(x))
    lengths = np.geomspace(0.1 * span, span, 2 * fine + 1)[1::2] if length is None else [length]
    shares = np.linspace(0.0, 1.0, 8 * fine + 1)[1::2]
    tail = stats.expon.ppf(shares) * SIZE  # amplitudes of equal probability
    values = [stats.multivariate_normal(cov=kernel(x, a, k) + noise).logpdf(r) for a in tail for k in lengths]
    return float(logsumexp(values) - math.log(len(values)))


def problem(noise: d.NoiseModel = KNOWN, **declared: object) -> d.Problem:
    given: dict[str, object] = {"size": SIZE, **declared}
    match = d.Match(output="u", column="u", key_output="t", key_column="t", discrepancy=d.Discrepancy(**given))  # type: ignore[arg-type]
    return d.Problem(
        name="p",
        parameters=(
            d.Parameter(name="k", prior=d.Uniform(low=0.0, high=2.0)),
            d.Parameter(name="sigma", prior=d.HalfCauchy(scale=1.0)),
        ),
        simulator=d.Simulator(command=("x", "@k@")),
        outputs=tuple(d.Output(name=n, source="stdout", extractor=d.LastNumber()) for n in ("u", "t")),
        meaning=d.Predictions(matches=(match,), noise=noise),
        data=d.DataTable(columns=DATA),
    )


def outputs(k: float = 1.0) -> dict[str, np.ndarray]:
    t = np.unique(T)
    return {"t": t, "u": 5.0 * np.exp(-k * t)}


MEASURED = [i for i, v in enumerate(DATA["u"]) if v is not None]
_apart = np.subtract.outer(T, T)
CORRELATED = 0.03 * np.eye(len(T)) + 0.05 * np.exp(-np.abs(_apart) / 0.7) + 0.02  # a common offset and errors that remember
COVARIANCE = d.CovarianceNoise(matrix=tuple(tuple(row) for row in CORRELATED.tolist()))


def residuals(k: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    there = [i for i, v in enumerate(DATA["u"]) if v is not None]
    x = np.array(T)[there]
    return x, np.array([DATA["u"][i] for i in there], float) - 5.0 * np.exp(-k * x)


def among_measured(matrix: np.ndarray) -> np.ndarray:
    return matrix[np.ix_(MEASURED, MEASURED)]


PLUS = d.GaussianKnown(sd=0.2, percent=5.0)
CASES = [(KNOWN, 0.6), (INFERRED, 1.7), (d.GaussianKnown(sd_column="sd"), 1.1), (PLUS, 1.1)]


@pytest.mark.parametrize(("noise", "k"), CASES, ids=["known", "inferred", "column", "plus percent"])
def test_amplitude_and_length_are_averaged_over_as_dense_normal_densities_say(noise: d.NoiseModel, k: float) -> None:
    x, r = residuals(k)
    there = [i for i, v in enumerate(DATA["u"]) if v is not None]
    sd = np.array([DATA["sd"][i] for i in there]) if noise == d.GaussianKnown(sd_column="sd") else np.full(len(x), 0.3)
    if noise == PLUS:
        sd = 0.2 + 0.05 * np.abs([DATA["u"][i] for i in there])
    found, level = log_likelihood(problem(noise), outputs(k), {"k": k, "sigma": 0.3})
    assert level == 0.0
    assert found == pytest.approx(averaged(x, r, np.diag(sd**2)), abs=0.02)


def test_beside_correlated_errors_both_covariances_add_up() -> None:
    x, r = residuals(0.8)
    expected = averaged(x, r, among_measured(CORRELATED), fine=12)
    assert log_likelihood(problem(COVARIANCE), outputs(0.8), {})[0] == pytest.approx(expected, abs=0.03)
    alone = d.CovarianceNoise(matrix=tuple(tuple(row) for row in among_measured(CORRELATED).tolist()))
    assert log_likelihood(problem(alone), outputs(0.8), {})[0] == pytest.approx(expected, abs=0.03)
    assert words(problem(COVARIANCE)) == ""
    singular = d.CovarianceNoise(matrix=tuple((1.0,) * len(T) for _ in T))
    with pytest.raises(LikelihoodError, match="positive definite"):
        log_likelihood(problem(singular), outputs(0.8), {})


def test_beside_correlated_errors_it_is_drawn_and_leaves_values_out_as_dense_normal_densities_say() -> None:
    x, r = residuals(0.8)
    process = Discrepancy.of(x, np.linalg.cholesky(among_measured(CORRELATED)), SIZE, length=0.8)
    noise, none = GaussianAndDiscrepancy.of(torch.as_tensor(r), process, 1.0), torch.zeros(1, 0, dtype=torch.float64)
    drawn = noise.drawn(torch.zeros(20_000, len(x), dtype=torch.float64), none, np.random.default_rng(4)).numpy()
    joint = process.log_densities(r)[0]
    shares, whole = np.exp(joint - logsumexp(joint)), [kernel(x, a, 0.8) for a in process.amplitudes]
    means = [k @ np.linalg.solve(k + among_measured(CORRELATED), r) for k in whole]
    assert drawn.mean(0) == pytest.approx(shares @ np.array(means), abs=0.02)
    keep = np.arange(len(x)) % 3 != 1
    some = np.ix_(keep, keep)
    left = [stats.multivariate_normal(cov=(k + among_measured(CORRELATED))[some]).logpdf(r[keep]) for k in whole]
    found = kept(noise, torch.as_tensor(keep)).log_density(torch.zeros(1, int(keep.sum()), dtype=torch.float64), none)
    assert float(found) == pytest.approx(logsumexp(np.array(left) + process.log_prior), abs=1e-6)
    bare = without_missed(noise, 1.0)
    expected = stats.multivariate_normal(cov=among_measured(CORRELATED)).logpdf(r)
    assert float(bare.log_density(torch.zeros(1, len(x), dtype=torch.float64), none)) == pytest.approx(expected)


def test_of_many_values_with_sharp_noise_too() -> None:
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(0.0, 4.0, 40))
    r = 0.3 * np.sin(2.5 * x) + 0.05 * rng.standard_normal(40)
    process = Discrepancy.of(x, np.full(40, 0.05), SIZE)
    assert process.log_density(r) == pytest.approx(averaged(x, r, 0.05**2 * np.eye(40), fine=16), abs=0.05)


def test_on_the_data_of_bayarri_et_al_the_truth_is_inside_90_percent_where_the_program_may_be_off_and_outside_where_not() -> None:
    t = np.repeat([0.110, 0.432, 0.754, 1.077, 1.399, 1.721, 2.043, 2.366, 2.688, 3.010], 3)
    y = """4.730 4.720 4.234 3.177 2.966 3.653 1.970 2.267 2.084 2.079 2.409 2.371 1.908 1.665 1.685 1.773 1.603 1.922 1.370 1.661
        1.757 1.868 1.505 1.638 1.390 1.275 1.679 1.461 1.157 1.530"""
    table = d.DataTable(columns={"t": tuple(t.tolist()), "u": tuple(float(v) for v in y.split())})
    off = with_discrepancy(replace(problem(), data=table), [0], on=False)
    rates = np.linspace(0.0, 3.0, 121)[1:-1]
    for declared, inside in ((with_discrepancy(off, [0]), True), (off, False)):
        curves = [{"t": np.unique(t), "u": 5.0 * np.exp(-k * np.unique(t))} for k in rates]
        values = np.array([log_likelihood(declared, curve, {})[0] for curve in curves])
        share = np.cumsum(np.exp(values - logsumexp(values)))
        low, high = np.interp([0.05, 0.95], share, rates)
        assert bool(low < 1.7 < high) == inside


def test_with_a_given_length_only_the_amplitude_is_averaged_over() -> None:
    x, r = residuals(1.2)

    def density(a: float) -> float:
        cov = kernel(x, a, 0.8) + 0.09 * np.eye(len(x))
        return float(stats.multivariate_normal(cov=cov).pdf(r) * stats.expon(scale=SIZE).pdf(a))

    expected = math.log(integrate.quad(density, 0.0, 8.0, limit=200)[0])
    assert log_likelihood(problem(length=0.8), outputs(1.2), {})[0] == pytest.approx(expected, abs=0.005)


def test_a_process_known_by_fewer_places_than_there_are_values_is_the_same() -> None:
    x = np.sort(np.random.default_rng(3).uniform(0.0, 1.0, 280))
    process = Discrepancy.of(x, np.full(280, 0.1), SIZE, length=0.15)
    q, values = process.vectors[0], process.values[0]
    assert q.shape[1] < 120
    assert 0.01 * (q * values) @ q.T == pytest.approx(kernel(x, 1.0, 0.15), abs=1e-6)


def test_of_log_normal_errors_it_is_a_factor_as_dense_normal_densities_of_logarithms_say() -> None:
    x, _ = residuals()
    logs = np.log([v for v in DATA["u"] if v is not None])
    r = logs - np.log(5.0 * np.exp(-0.6 * x))
    for noise in (d.LogNormalNoise(log_sd=0.2), d.LogNormalNoise(parameter="sigma")):
        found = log_likelihood(problem(noise), outputs(0.6), {"k": 0.6, "sigma": 0.2})[0]
        assert found == pytest.approx(averaged(x, r, 0.04 * np.eye(len(x))) - logs.sum(), abs=0.02)
    assert words(problem(noise)) == ""
    with pytest.raises(LikelihoodError, match="greater than zero"):
        log_likelihood(problem(noise), {**outputs(), "u": outputs()["u"] - 1.0}, {"k": 0.6, "sigma": 0.2})


def test_what_is_missed_by_a_factor_is_drawn_in_the_unit_of_the_data_and_leaves_with_its_value() -> None:
    cells = PredictedCells.of(problem(d.LogNormalNoise(log_sd=0.05)), ParameterSpace(problem().parameters))
    assert cells is not None
    noise, none = cells.likelihood.blocks[0].noise, torch.zeros(400, 0, dtype=torch.float64)
    assert isinstance(noise, LogNormalAndDiscrepancy)
    y = noise.y
    f = (0.5 * y).repeat(400, 1)  # everywhere half of what is measured
    missed = noise.drawn(f, none, np.random.default_rng(1))
    assert ((f + missed).mean(0) / y).numpy() == pytest.approx(np.ones(len(y)), abs=0.04)
    keep = torch.arange(len(y)) < 5
    less = kept(noise, keep)
    same = kept(noise.logarithms, keep).log_density(torch.log(f[:1, keep]), none[:1]) - torch.log(y[keep]).sum()
    assert less.log_density(f[:1, keep], none[:1]).numpy() == pytest.approx(same.numpy())


@pytest.mark.parametrize(
    "noise", [KNOWN, INFERRED, COVARIANCE, d.LogNormalNoise(log_sd=0.2), d.LogNormalNoise(parameter="sigma")],
    ids=["known", "inferred", "covariance", "log-normal", "log-normal inferred"],
)
def test_many_predictions_at_once_are_as_one_by_one_with_their_slopes_and_curvatures(noise: d.NoiseModel) -> None:
    declared = problem(noise)
    space = ParameterSpace(declared.parameters)
    cells = PredictedCells.of(declared, space)
    assert cells is not None
    places = space.to_inference(np.array([[0.5, 0.2], [1.1, 0.5], [1.9, 0.9]]))
    f = torch.as_tensor(np.stack([cells.cells(outputs(k)) for k in (0.5, 1.1, 1.9)]))
    p = torch.as_tensor(cells.noise_values(places))
    likelihood = cells.likelihood
    expected = [log_likelihood(declared, outputs(k), {"k": k, "sigma": s})[0] for k, s in ((0.5, 0.2), (1.1, 0.5), (1.9, 0.9))]
    assert likelihood.log_density(f, p).numpy() == pytest.approx(expected, rel=1e-9)
    logs = likelihood.of_logarithms(torch.full((f.shape[1],), isinstance(noise, d.LogNormalNoise)))
    g = torch.log(f) if isinstance(noise, d.LogNormalNoise) else f
    assert logs.log_density(g, p).numpy() == pytest.approx(expected, rel=1e-9)
    leaf = f.clone().requires_grad_()
    slope = torch.autograd.grad(likelihood.log_density(leaf, p).sum(), leaf)[0]
    assert likelihood.slope(f, p).numpy() == pytest.approx(slope.numpy(), rel=1e-7, abs=1e-7)
    w = torch.as_tensor(np.random.default_rng(2).standard_normal((3, f.shape[1])))
    whole = likelihood.curvature(f, p, torch.eye(f.shape[1], dtype=torch.float64))
    assert float(torch.linalg.eigvalsh(whole).min()) > 0.0
    assert likelihood.curvature(f, p, w).numpy() == pytest.approx((w @ whole @ w.T).numpy(), rel=1e-8)
    each = w.expand(3, *w.shape)
    assert likelihood.curvature(f, p, each).numpy() == pytest.approx((w @ whole @ w.T).numpy(), rel=1e-8)
    assert not likelihood.quadratic


def test_the_curvature_is_the_average_precision_of_the_nodes() -> None:
    x, r = residuals(0.8)
    process = Discrepancy.of(x, np.full(len(x), 0.3), SIZE)
    noise = GaussianAndDiscrepancy.of(torch.as_tensor(r), process, 1.0)
    joint = process.log_densities(r)
    shares = np.exp(joint - logsumexp(joint))
    expected = sum(
        shares[b, a] * np.linalg.inv(kernel(x, process.amplitudes[a], process.lengths[b]) + 0.09 * np.eye(len(x)))
        for b in range(len(process.lengths)) for a in range(len(process.amplitudes))
    )  # fmt: skip
    none = torch.zeros(1, 0, dtype=torch.float64)
    found = noise.curvature(torch.zeros(1, len(x), dtype=torch.float64), none, torch.eye(len(x), dtype=torch.float64))
    assert found[0].numpy() == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_what_the_program_misses_is_drawn_from_its_posterior() -> None:
    x, r = residuals(0.8)
    process = Discrepancy.of(x, np.full(len(x), 0.3), SIZE, length=0.8)
    noise = GaussianAndDiscrepancy.of(torch.as_tensor(r), process, 1.0)
    f = torch.zeros(20_000, len(x), dtype=torch.float64)
    drawn = noise.drawn(f, torch.zeros(20_000, 0), np.random.default_rng(4)).numpy()
    joint = process.log_densities(r)[0]
    shares = np.exp(joint - logsumexp(joint))
    means, seconds = np.zeros(len(x)), np.zeros((len(x), len(x)))
    for share, a in zip(shares, process.amplitudes, strict=True):
        k = kernel(x, a, 0.8)
        gain = k @ np.linalg.inv(k + 0.09 * np.eye(len(x)))
        means += share * gain @ r
        seconds += share * (k - gain @ k + np.outer(gain @ r, gain @ r))
    assert drawn.mean(0) == pytest.approx(means, abs=0.02)
    assert np.cov(drawn.T) == pytest.approx(seconds - np.outer(means, means), abs=0.02)


def test_apart_from_the_tangent_the_process_has_no_part_in_it() -> None:
    x, _ = residuals(1.0)
    units = np.linspace(0.2, 0.4, len(x))
    tangent = np.stack([-5.0 * x * np.exp(-x), np.ones(len(x))])
    process = Discrepancy.of(x, units, SIZE, apart_from=tangent)
    for q in process.vectors:
        assert pytest.approx(0.0, abs=1e-6) == q.T @ (tangent / units).T
    k = kernel(x, 1.0, process.lengths[-1])
    g = (tangent / units**2).T  # integrals as sums of weight 1 / units^2
    expected = k - k @ g @ np.linalg.inv(g.T @ k @ g) @ g.T @ k
    q, values = process.vectors[-1], process.values[-1]
    assert units[:, None] * ((q * values) @ q.T) * units == pytest.approx(expected, abs=1e-6)


def test_the_whitened_residuals_are_independent_of_size_one() -> None:
    x, _ = residuals()
    process = Discrepancy.of(x, np.full(len(x), 0.3), SIZE, length=0.8)
    rng = np.random.default_rng(5)
    cov = kernel(x, 0.5, 0.8) + 0.09 * np.eye(len(x))
    drawn = rng.multivariate_normal(np.zeros(len(x)), cov, 4000)
    whole = np.array([process.whitened(r) for r in drawn])
    assert np.cov(whole.T) == pytest.approx(np.eye(len(x)), abs=0.35)  # the amplitude is fitted


def words(declared: d.Problem) -> str:
    return " ".join(f.message for f in check(declared) if f.where.startswith("meaning"))


def test_what_does_not_go_with_it_is_refused_in_words() -> None:
    assert words(problem()) == ""
    assert "normal" in words(problem(d.StudentTNoise(dof=4.0, scale=1.0)))
    assert "normal" in words(problem(d.Ar1Noise(sd=1.0, rho=0.2)))
    with pytest.raises(LikelihoodError, match="normal"):
        log_likelihood(problem(d.StudentTNoise(dof=4.0, scale=1.0)), outputs(), {})
    assert "greater than zero" in words(problem(size=0.0))
    assert "greater than zero" in words(problem(length=-1.0))
    assert "noise" in words(problem(length=0.01))
    assert "other data" in words(problem(apart_from=((1.0, 2.0),)))
    few = replace(problem(), data=d.DataTable(columns={**DATA, "u": (1.0, 2.0, 3.0, 4.0, *(None,) * 6)}))
    assert "4 different places" in words(few)
    texts = replace(problem(), data=d.DataTable(columns={"u": DATA["u"]}, texts={"t": tuple(f"probe {i}" for i in range(10))}))
    assert "labels" in words(texts)


def test_rows_without_a_key_lie_along_the_column_that_increases_or_in_order() -> None:
    bare = d.Match(output="u", column="u", discrepancy=d.Discrepancy(size=SIZE, length=0.7))
    base = problem()
    steps = {"when": tuple(0.3 * i for i in range(9)), "u": tuple(v for v in DATA["u"] if v is not None)}
    assert isinstance(base.meaning, d.Predictions)
    declared = replace(base, meaning=replace(base.meaning, matches=(bare,)), data=d.DataTable(columns=steps))
    r = np.array(steps["u"]) - 2.0
    process = Discrepancy.of(np.array(steps["when"]), np.full(9, 0.3), SIZE, 0.7)
    assert log_likelihood(declared, {"u": np.full(9, 2.0)}, {})[0] == pytest.approx(process.log_density(r), rel=1e-12)


def test_the_likelihood_of_some_of_the_data_is_the_marginal_of_the_whole() -> None:
    """Against scipy's normal densities at every node."""
    rng = np.random.default_rng(4)
    count = 6
    vectors = [np.linalg.qr(rng.normal(size=(count, 4)))[0] for _ in range(2)]
    values = [rng.uniform(0.2, 3.0, 4) for _ in vectors]
    units, y, amplitudes = rng.uniform(0.5, 2.0, count), rng.normal(size=count), np.array([0.3, 1.4])
    log_prior = np.log([0.7, 0.3])
    tensors = [torch.as_tensor(a) for a in (y, units, amplitudes**2, log_prior)]
    whole = GaussianAndDiscrepancy(
        tensors[0], tensors[1], 0.4, tensors[2], tensors[3], *(tuple(torch.as_tensor(a) for a in p) for p in (vectors, values))
    )
    keep = np.array([True, False, True, True, False, False])
    f = rng.normal(size=(3, count))
    found = kept(whole, torch.as_tensor(keep)).log_density(torch.as_tensor(f[:, keep]), torch.zeros(3, 0).double())
    scale = np.outer(units, units)
    parts = [
        stats.multivariate_normal(cov=(scale * (0.16 * np.eye(count) + a**2 * (q * v) @ q.T))[np.ix_(keep, keep)]).logpdf(
            (y - f)[:, keep]
        )
        + w
        - math.log(len(vectors))
        for q, v in zip(vectors, values, strict=True)
        for a, w in zip(amplitudes, log_prior, strict=True)
    ]
    np.testing.assert_allclose(found.numpy(), logsumexp(parts, axis=0), rtol=1e-9)
