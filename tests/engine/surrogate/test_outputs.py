"""Surrogates of outputs: each formula against an independent computation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import integrate, optimize, spatial, stats

from bayescope.engine.likelihood import batched, batched_noise
from bayescope.engine.surrogate.outputs.components import MISSED, Components, Pull, Scale
from bayescope.engine.surrogate.outputs.emulator import Emulator, Form, Runs
from bayescope.engine.surrogate.outputs.gaussian_processes import GaussianProcesses, Objective, Standardized, fit
from bayescope.engine.surrogate.outputs.marginal import BORDERS, DEGREES, marginal, marginal_of_t


def standardized(n: int = 12, d: int = 2, k: int = 3) -> Standardized:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(n, d))
    z = np.stack([np.sin(x[:, 0]), x[:, 0] * x[:, -1], np.cos(2 * x[:, -1]) + 0.1 * x[:, 0]], 1)[:, :k]
    extra = np.zeros((k, n))
    extra[:, -2:] = 0.05
    return Standardized(*(torch.as_tensor(a) for a in (x, z, extra, np.full(k, -3.0))))


THETA = torch.as_tensor(np.random.default_rng(1).normal(-0.3, 0.4, (3, 6)))


@pytest.mark.parametrize("kind", ["smooth", "rough"])
def test_the_gradient_of_the_fit_is_that_of_finite_differences(kind: str) -> None:
    objective = Objective(standardized(), kind)  # type: ignore[arg-type]
    _, gradient = objective(THETA)

    def total(flat: np.ndarray) -> float:
        return float(objective(torch.as_tensor(flat.reshape(3, 6)))[0].sum())

    expected = optimize.approx_fprime(THETA.numpy().ravel(), total, 1e-6)
    np.testing.assert_allclose(gradient.numpy().ravel(), expected, rtol=2e-4, atol=2e-4)


def test_the_objective_is_the_log_density_of_the_scores_and_the_prior() -> None:
    data = standardized()
    objective = Objective(data, "smooth")
    processes = GaussianProcesses(data, THETA, "smooth")
    for k in range(3):
        covariance = processes.prior(data.x, data.x)[k].numpy() + np.diag(processes.noise[k].numpy())
        density = stats.multivariate_normal(np.zeros(12), covariance).logpdf(data.z[:, k].numpy()) + 6 * math.log(2 * math.pi)
        off = ((THETA - objective.mean) / objective.sd)[k].numpy()
        assert float(objective(THETA)[0][k]) == pytest.approx(-density + 0.5 * off @ off, rel=1e-9)


@pytest.mark.parametrize("kind", ["smooth", "rough"])
def test_scores_are_predicted_as_the_plain_formulas_have_it(kind: str) -> None:
    data = standardized()
    processes = GaussianProcesses(data, THETA, kind)  # type: ignore[arg-type]
    known, x = data.x.numpy(), np.random.default_rng(6).normal(size=(5, 2))
    mean, variance = processes.predict(torch.as_tensor(x))

    def prior(k: int, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        length, (a, b, c) = np.exp(THETA[k, :2].numpy()), np.exp(THETA[k, 2:5].numpy())
        r, inner = spatial.distance.cdist(one / length, other / length), one @ other.T
        t = np.sqrt(5.0) * r
        near = np.exp(-0.5 * r**2) if kind == "smooth" else (1.0 + t + t**2 / 3.0) * np.exp(-t)
        return np.asarray(a**2 * near + b**2 * (1.0 + inner) + c**2 * inner**2)

    for k in range(3):
        cross = prior(k, known, x)
        weights = np.linalg.solve(prior(k, known, known) + np.diag(processes.noise[k].numpy()), cross)
        np.testing.assert_allclose(mean[:, k].numpy(), weights.T @ data.z[:, k].numpy(), rtol=1e-9, atol=1e-10)
        left = np.diag(prior(k, x, x)) - (cross * weights).sum(0)
        np.testing.assert_allclose(variance[:, k].numpy(), left, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("kind", ["smooth", "rough"])
def test_the_gradient_of_what_is_predicted_is_that_of_finite_differences(kind: str) -> None:
    processes = GaussianProcesses(standardized(), THETA, kind)  # type: ignore[arg-type]
    rng = np.random.default_rng(3)
    x, by_mean, by_variance = (torch.as_tensor(rng.normal(size=s)) for s in ((4, 2), (4, 3), (4, 3)))

    def total(flat: np.ndarray) -> float:
        mean, variance = processes.predict(torch.as_tensor(flat.reshape(4, 2)))
        return float((by_mean * mean + by_variance * variance).sum())

    expected = optimize.approx_fprime(x.numpy().ravel(), total, 1e-6).reshape(4, 2)
    np.testing.assert_allclose(processes.slope(x, by_mean, by_variance).numpy(), expected, rtol=1e-4, atol=1e-5)


def test_the_variance_of_a_sum_is_that_of_the_full_covariance() -> None:
    processes = GaussianProcesses(standardized(), THETA, "rough")
    rng = np.random.default_rng(5)
    x, weights = torch.as_tensor(rng.normal(size=(70, 2))), torch.as_tensor(rng.normal(size=(70, 3)))
    expected = torch.einsum("mk,kmn,nk->k", weights, processes.covariance(x, x), weights)
    np.testing.assert_allclose(processes.variance_of_sum(x, weights).numpy(), expected.numpy(), rtol=1e-8)


def test_predictions_are_those_of_the_joint_normal_distribution() -> None:
    data = standardized()
    processes = GaussianProcesses(data, THETA, "rough")
    new = torch.as_tensor(np.random.default_rng(2).normal(size=(5, 2)))
    mean, variance = processes.predict(new)
    covariance = processes.covariance(new, new)
    both = torch.cat([data.x, new])
    for k in range(3):
        full = processes.prior(both, both)[k].numpy()
        inside = full[:12, :12] + np.diag(processes.noise[k].numpy())
        gain = full[12:, :12] @ np.linalg.inv(inside)
        np.testing.assert_allclose(mean[:, k].numpy(), gain @ data.z[:, k].numpy(), rtol=1e-8)
        np.testing.assert_allclose(covariance[k].numpy(), full[12:, 12:] - gain @ full[:12, 12:], atol=1e-9)
        np.testing.assert_allclose(variance[:, k].numpy(), np.diag(covariance[k].numpy()), atol=1e-9)


def test_leaving_one_out_is_predicting_it_from_the_others() -> None:
    data = standardized()
    mean, variance = GaussianProcesses(data, THETA, "smooth").leave_one_out()
    for i in (0, 5, 11):
        others = torch.as_tensor([j for j in range(12) if j != i])
        without = Standardized(data.x[others], data.z[others], data.extra[:, others], data.nugget)
        left = GaussianProcesses(without, THETA, "smooth")
        expected, spread = left.predict(data.x[i : i + 1])
        noise = GaussianProcesses(data, THETA, "smooth").noise[:, i]
        np.testing.assert_allclose(mean[i].numpy(), expected[0].numpy(), rtol=1e-7)
        np.testing.assert_allclose(variance[i].numpy(), (spread[0] + noise).numpy(), rtol=1e-7)


def test_a_fit_finds_what_made_the_scores() -> None:
    data = standardized(30)
    theta, value = fit(Objective(data, "smooth"), None)
    again, better = fit(Objective(data, "smooth"), theta)
    assert float(better.sum()) <= float(value.sum()) + 1e-6
    new = torch.as_tensor(0.5 * np.random.default_rng(9).normal(size=(20, 2)))
    mean, _ = GaussianProcesses(data, again, "smooth").predict(new)
    np.testing.assert_allclose(mean[:, 0].numpy(), np.sin(new[:, 0].numpy()), atol=0.05)


def test_a_search_on_from_hyperparameters_of_fewer_runs_ends_no_higher_than_one_from_the_prior() -> None:
    """What told of a score may be another thing now."""

    def objective(n: int) -> Objective:
        x = torch.as_tensor(np.random.default_rng(1).uniform(-1.5, 1.5, (n, 4)))
        along = x @ torch.as_tensor(0.8 * np.random.default_rng(99).standard_normal((4, 8)))
        z = torch.sin(along) * torch.exp(0.4 * x[:, :1]) + 0.1 * along**2
        return Objective(Standardized(x, z, torch.zeros(8, n), torch.full((8,), -5.0)), "smooth")

    theta = None
    for n in (12, 15, 18):
        theta, value = fit(objective(n), theta)
        assert bool((value <= fit(objective(n), None)[1] + 1e-6).all())


def test_sizes_and_shapes_together_are_the_runs_they_are_made_from() -> None:
    """Also of runs of hardly any size."""
    t = torch.linspace(0, 1, 40).double()
    times = torch.tensor([1e-6, 0.5, 3.0, 40.0, 2e4]).double()
    f = times[:, None] * torch.exp(-torch.linspace(0.5, 2.0, 5).double()[:, None] * t)
    scale = Scale.of(torch.exp(-t), torch.full_like(t, 0.1), torch.zeros(40, dtype=torch.bool))
    components = Components.of(f, torch.ones(5).double(), scale, sizes=True)
    z = components.scores(f)
    np.testing.assert_allclose(components.cells(z), f, rtol=1e-3, atol=0.1 * MISSED)
    further = components.scores(100.0 * f[3:4])
    assert float(further[0, 0] - z[3, 0]) / components.typical == pytest.approx(math.log(100.0), rel=1e-3)
    np.testing.assert_allclose(further[0, 1:], z[3, 1:], atol=1e-3 * components.typical)


def test_outputs_that_scale_with_an_input_are_predicted_best_by_size_and_shape() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(16, 2))
    t = np.linspace(0.0, 2.0, 30)
    f = np.exp(1.5 * x[:, :1]) * (np.cos((1.0 + 0.2 * x[:, 1:]) * t) - 0.5)
    units = torch.full((30,), 0.05).double()
    known = Runs(torch.as_tensor(x), torch.as_tensor(f), torch.as_tensor(np.cos(t) - 0.5), units, (torch.arange(30),))
    missed = [Emulator.of(known, form, None, search=True).missed(known) for form in (Form(), Form(sizes=True))]
    assert missed[1] < 0.3 * missed[0]


@pytest.mark.parametrize("log", [False, True])
def test_components_miss_little_of_the_runs_they_are_made_from(log: bool) -> None:
    rng = np.random.default_rng(3)
    t = np.linspace(0, 1, 40)
    f = np.array([np.exp(a - b * t) for a, b in rng.normal(1.0, 0.3, (15, 2))])
    measured, units = torch.as_tensor(np.exp(1.0 - t)), torch.full((40,), 0.1, dtype=torch.float64)
    scale = Scale.of(measured, units, torch.full((40,), log))
    components = Components.of(torch.as_tensor(f), torch.ones(15, dtype=torch.float64), scale)
    assert len(components.directions) == (2 if log else 3)
    back = components.cells(components.scores(torch.as_tensor(f)))
    assert float(torch.sqrt((((back - torch.as_tensor(f)) / units) ** 2).mean())) < 2 * MISSED
    w = components.directions
    np.testing.assert_allclose((w @ w.T).numpy(), np.eye(len(w)), atol=1e-9)


NOISES = {
    "gaussian": batched_noise.Gaussian(torch.tensor([0.3, -0.2, 1.0, 0.5, 0.1, 0.0]).double(), 0.5),
    "student": batched_noise.StudentT(torch.tensor([0.3, -0.2, 1.0, 0.5, 0.1, 0.0]).double(), 0.5, 5.0),
    "poisson": batched_noise.Poisson(torch.tensor([3.0, 4.0, 2.0, 6.0, 5.0, 4.0]).double()),
    "log-normal": batched_noise.LogNormal(torch.tensor([1.3, 0.8, 1.1, 1.9, 0.7, 1.2]).double(), 0.4),
}


@pytest.mark.parametrize("sizes", [False, True], ids=["together", "sizes and shapes"])
@pytest.mark.parametrize("name", NOISES)
def test_the_likelihood_under_an_uncertain_emulator_is_the_mean_likelihood(name: str, sizes: bool) -> None:
    """Against Monte Carlo over the scores."""
    rng = np.random.default_rng(5)
    log = torch.full((6,), name in ("log-normal", "poisson") and not sizes)
    measured = torch.ones(6).double() * (4.0 if name == "poisson" else 1.0)
    unit = torch.full((6,), 2.0 if name == "poisson" else 0.4).double()
    directions = torch.as_tensor(np.linalg.qr(rng.normal(size=(6, 2)))[0].T)
    level = {"poisson": 2.0, "log-normal": 2.5}.get(name, 0.5) if sizes else math.log(4.0) / 0.5 if name == "poisson" else 0.1
    centre = torch.full((6,), level).double()
    components = Components(Scale.of(measured, unit, log), centre, directions, 2.0 if sizes else 0.0)
    of_cells = batched.BatchedLikelihood((batched.Block(torch.arange(6), NOISES[name]),))
    count = 3 if sizes else 2
    mean, variance = torch.as_tensor(rng.normal(0, 0.5, (3, count))), torch.as_tensor(rng.uniform(0.05, 0.3, (3, count)))
    p = torch.zeros(3, 0).double()
    likelihood = components.likelihood(of_cells)
    found = marginal(likelihood, mean, variance, p)
    assert likelihood.quadratic is (name in ("gaussian", "log-normal") and not sizes)
    for i in range(3):
        z = mean[i] + torch.sqrt(variance[i]) * torch.as_tensor(rng.normal(size=(400_000, count)))
        value = of_cells.log_density(components.cells(z), torch.zeros(len(z), 0).double())
        expected = float(torch.logsumexp(value, 0)) - math.log(len(z))
        assert float(found.value[i]) == pytest.approx(expected, abs=0.01 if likelihood.quadratic else 0.05)
        spread = float(value.var())
        exact = name == "gaussian" and not sizes
        assert float(found.variance[i]) == pytest.approx(spread, rel=0.03 if exact else 0.35)
        there = float(of_cells.log_density(components.cells(mean[i : i + 1]), p[:1])[0])
        near = 0.02 if likelihood.quadratic else 0.2
        assert there - 0.5 * float(found.spread[i]) == pytest.approx(float(value.mean()), abs=near)


@pytest.mark.parametrize("off", [0.0, 2.0, 10.0])
@pytest.mark.parametrize("scale", [0.3, 30.0])
def test_the_likelihood_under_errors_with_long_tails_is_that_of_multivariate_t(scale: float, off: float) -> None:
    """Against an integral over what their variances are multiplied by, of the density of normal errors and noise together."""
    count, noise = 6, 0.5
    directions, measured = torch.eye(count).double(), torch.zeros(count).double()
    components = Components(Scale.of(measured, torch.ones(count).double(), measured > 1), measured, directions, 0.0)
    block = batched.Block(torch.arange(count), batched_noise.Gaussian(measured, noise))
    mean, variance = np.zeros(count), np.linspace(0.5, 2.0, count) * scale**2
    mean[0] = off * np.sqrt(variance[0])
    given = torch.as_tensor(mean[None]), torch.as_tensor(variance[None]), torch.zeros(1, 0).double()
    likelihood = components.likelihood(batched.BatchedLikelihood((block,)))
    found = marginal_of_t(likelihood, *given)

    def integrand(log_times: float) -> float:
        times = np.exp(log_times)
        of_times = stats.invgamma.pdf(times, 0.5 * DEGREES, scale=0.5 * DEGREES) * times
        return float(stats.norm.pdf(mean, 0.0, np.sqrt(times * variance + noise**2)).prod() * of_times) * 1e15

    expected = np.log(integrate.quad(integrand, -6.0, 12.0, limit=400)[0]) - 15 * np.log(10.0)
    assert float(found[0]) == pytest.approx(expected, abs=0.4)
    best = float(stats.norm.logpdf(np.zeros(count), 0.0, noise).sum())  # of scores that are the data
    told = [float(marginal_of_t(likelihood, *given, torch.tensor([best - drop]).double())[0]) for drop in (-1.0, 0.0, 7.0)]
    assert told[:2] == pytest.approx([float(found[0])] * 2, abs=1e-6)
    assert told[2] >= float(found[0]) - 7.0 - 1e-6
    if off == 0.0:  # scores are the data in all parts
        assert told[2] == pytest.approx(float(found[0]) - 7.0, abs=1e-6)


@pytest.mark.parametrize("scale", [0.3, 3.0, 30.0])
@pytest.mark.parametrize("sizes", [False, True], ids=["together", "sizes and shapes"])
def test_every_part_of_the_long_tails_has_the_mode_that_a_search_of_its_own_finds(scale: float, sizes: bool) -> None:
    """Where the noise is not normal: Laplace's method part by part, modes by BFGS from the mean."""
    rng = np.random.default_rng(12)
    count, cells = 3, 12
    y = torch.as_tensor(rng.normal(2.0, 1.0, cells))
    directions = torch.as_tensor(np.linalg.qr(rng.normal(size=(cells, count)))[0].T)
    scales = Scale.of(y, torch.full((cells,), 0.5).double(), y > np.inf)
    components = Components(scales, y / 0.5, directions[sizes:], 10.0 if sizes else 0.0)
    block = batched.Block(torch.arange(cells), batched_noise.StudentT(y, 0.5, 4.0))
    likelihood = components.likelihood(batched.BatchedLikelihood((block,)))
    mean, p = torch.as_tensor(rng.normal(0.0, min(scale, 3.0), (5, count))), torch.zeros(5, 0).double()
    variance = torch.as_tensor(rng.uniform(0.5, 2.0, (5, count)) * scale**2)
    found = marginal_of_t(likelihood, mean, variance, p)
    ends = np.concatenate([[np.inf], DEGREES / BORDERS, [0.0]])
    shares, inverse = (-np.diff(stats.chi2.cdf(ends, k)) for k in (DEGREES, DEGREES + 2.0))
    for i in range(5):
        parts = []
        for share, pull in zip(shares, inverse, strict=True):
            sd = torch.sqrt(variance[i : i + 1] * float(share / pull))

            def below(away: np.ndarray, i: int = i, sd: torch.Tensor = sd) -> tuple[float, np.ndarray]:
                z = mean[i : i + 1] + sd * torch.as_tensor(away)
                slope = away - (sd * likelihood.slope(z, p[:1]))[0].numpy()
                return 0.5 * away @ away - float(likelihood.log_density(z, p[:1])[0]), slope

            mode = optimize.minimize(below, np.zeros(count), jac=True, options={"gtol": 1e-8}).x
            z = mean[i : i + 1] + sd * torch.as_tensor(mode)
            curvature = (likelihood.curvature(z, p[:1]) * sd[:, :, None] * sd[:, None])[0].numpy()
            log_det = np.linalg.slogdet(curvature + np.eye(count))[1]
            parts.append(np.log(share) - below(mode)[0] - 0.5 * log_det)
        assert float(found[i]) == pytest.approx(float(np.logaddexp.reduce(parts)), abs=0.01)


def runs(n: int = 20) -> Runs:
    rng = np.random.default_rng(8)
    x = rng.normal(size=(n, 2))
    t = np.linspace(0, 2, 30)
    f = np.exp(0.3 * x[:, :1]) * np.exp(-np.exp(0.4 * x[:, 1:]) * t)
    everything = torch.arange(30)
    measured, units = torch.as_tensor(np.exp(-t)), torch.full((30,), 0.05).double()
    return Runs(torch.as_tensor(x), torch.as_tensor(f), measured, units, (everything,))


@pytest.mark.parametrize("form", [Form(), Form("rough", True), Form("smooth", False, True)])
def test_an_emulator_predicts_runs_that_it_has_not_seen(form: Form) -> None:
    known = runs(30)
    emulator = Emulator.of(known, form, None, search=True)
    x = torch.as_tensor(0.7 * np.random.default_rng(1).normal(size=(10, 2)))
    mean, variance = emulator.predict(x)
    t = torch.linspace(0, 2, 30).double()
    truth = torch.exp(0.3 * x[:, :1]) * torch.exp(-torch.exp(0.4 * x[:, 1:]) * t)
    error = (emulator.components.cells(mean) - truth) / 0.05
    assert float(torch.sqrt((error**2).mean())) < 0.5
    assert bool((variance > 0).all())


def test_a_pending_run_takes_away_the_doubt_where_it_is_and_changes_no_prediction() -> None:
    emulator = Emulator.of(runs(), Form(), None, search=True)
    x = torch.tensor([[1.5, -1.0]]).double()
    after = emulator.with_pending(x)
    np.testing.assert_allclose(after.predict(x)[0].numpy(), emulator.predict(x)[0].numpy(), rtol=1e-6, atol=1e-6)
    assert bool((after.predict(x)[1] < emulator.predict(x)[1]).all())


def test_runs_far_from_the_data_are_left_out_once_there_are_enough() -> None:
    known = runs(60)
    far = known.x.clone()
    far[:20, 0] += 12.0  # thirty times the data
    f = torch.exp(0.3 * far[:, :1]) * torch.exp(-torch.exp(0.4 * far[:, 1:]) * torch.linspace(0, 2, 30).double())
    shifted = Runs(far, f, known.measured, known.units, known.groups)
    assert int((shifted.near() < 20).sum()) == 0


def test_what_components_leave_out_towards_the_data_is_a_score_of_its_own() -> None:
    """The log-likelihood of the runs is that of their scores, though each direction left out is far below the noise."""
    rng = np.random.default_rng(5)
    t = np.linspace(0.0, 1.0, 60)
    x = rng.normal(size=(24, 2))
    wiggle = np.sin(40.0 * t)
    f = torch.as_tensor(x[:, :1] * np.cos(3.0 * t) + 0.01 * (1.0 + x[:, 1:]) * wiggle)
    measured = torch.as_tensor(np.cos(3.0 * t) + 0.3 * wiggle + rng.normal(size=60))
    noise = batched_noise.Gaussian(measured, 1.0)
    scale = Scale.of(measured, torch.ones(60).double(), torch.zeros(60, dtype=torch.bool))
    best = f[int(noise.log_density(f, torch.zeros(24, 0)).argmax())]
    pull = Pull(best, noise.slope(best[None], torch.zeros(1, 0))[0])
    likelihood = batched.BatchedLikelihood((batched.Block(torch.arange(60), noise),))
    error = []
    for known in (None, pull):
        components = Components.of(f, torch.ones(24).double(), scale, pull=known)
        scored = components.likelihood(likelihood).log_density(components.scores(f), torch.zeros(24, 0))
        error.append(float((scored - noise.log_density(f, torch.zeros(24, 0))).abs().max()))
        w = components.directions
        np.testing.assert_allclose((w @ w.T).numpy(), np.eye(len(w)), atol=1e-9)
    assert error[0] > 0.1
    assert error[1] < 0.02
