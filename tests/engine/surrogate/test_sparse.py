from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from bayescope.engine.surrogate import inducing
from bayescope.engine.surrogate import sparse as sparse_module
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import NegativeQuadratic
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling
from bayescope.engine.surrogate.shaping import PUBLISHED
from bayescope.engine.surrogate.sparse import SparseSurrogate
from bayescope.engine.surrogate.sparse_fit import bound, fit_sparse
from bayescope.engine.surrogate.trimming import keep

Data = Callable[..., tuple[Tensor, Tensor, Tensor]]


def _model(d: int, y: Tensor, noise_scale: bool = False) -> Model:
    mean = NegativeQuadratic(torch.tensor(0.2).double(), torch.full((d,), 0.1).double(), torch.zeros(d).double())
    return Model(SquaredExponential.start(d, 1.5), mean, OutputScaling.of(y, "zeromax"), fit_noise_scale=noise_scale)


@pytest.mark.parametrize("variant", ["vfe", "dtc", "fitc"])
def test_inducing_points_at_every_training_point_reproduce_the_exact_surrogate(
    variant: str, data: Data, device: torch.device
) -> None:
    x, y, noise = (t.to(device) for t in data(60, 3))
    model = _model(3, y).to(device)
    exact = ExactSurrogate.build(model, x, y, noise)
    sparse = SparseSurrogate.build(model, x, x, y, noise, variant)  # type: ignore[arg-type]
    new = data(20, 3, seed=1)[0].to(device)
    torch.testing.assert_close(sparse.predict(new), exact.predict(new), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(sparse.covariance(new, new), exact.covariance(new, new), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(sparse.predict_mean(new), exact.predict_mean(new), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(
        sparse.log_marginal_likelihood(), exact.log_marginal_likelihood(), rtol=1e-6, atol=1e-5
    )
    gaussians = new[:3], torch.full((3, 3), 0.4).double().to(device)
    torch.testing.assert_close(sparse.integrate(*gaussians), exact.integrate(*gaussians), rtol=1e-6, atol=1e-6)


def test_the_bound_never_exceeds_the_exact_log_marginal_likelihood_and_grows_with_more_points(data: Data) -> None:
    x, y, noise = data(80, 2)
    for scale in (0.5, 1.0, 2.0):
        model = Model(SquaredExponential.start(2, 1.5, scale), scaling=OutputScaling.of(y, "normalize"))
        exact = float(ExactSurrogate.build(model, x, y, noise).log_marginal_likelihood())
        values = [
            float(SparseSurrogate.build(model, x[:m], x, y, noise).log_marginal_likelihood()) for m in (5, 20, 50, 80)
        ]
        assert values == sorted(values)
        assert all(value <= exact + 1e-6 for value in values)


def test_dtc_and_fitc_are_the_dense_formulas(data: Data) -> None:
    x, y, noise = data(30, 2)
    z, new = x[:8], data(5, 2, seed=2)[0]
    model = _model(2, y)
    k = model.kernel.matrix
    inverse = torch.linalg.inv(k(z, z))
    q = k(x, z) @ inverse @ k(z, x)
    qs = k(new, z) @ inverse @ k(z, x)
    residual = model.scaling.scaled(y) - model.mean.value(x)
    for variant, extra in (("dtc", torch.zeros(30).double()), ("fitc", (k(x, x) - q).diagonal())):
        c = q + torch.diag(noise + extra)
        sparse = SparseSurrogate.build(model, z, x, y, noise, variant)  # type: ignore[arg-type]
        mean = model.scaling.value(model.mean.value(new) + qs @ torch.linalg.solve(c, residual))
        covariance = k(new, new) - qs @ torch.linalg.solve(c, qs.T)
        torch.testing.assert_close(sparse.predict(new)[0], mean, rtol=1e-6, atol=1e-6)
        torch.testing.assert_close(sparse.covariance(new, new), covariance, rtol=1e-6, atol=1e-6)
        log_density = torch.distributions.MultivariateNormal(torch.zeros(30).double(), c).log_prob(residual)
        torch.testing.assert_close(sparse.log_marginal_likelihood(), log_density, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("variant", ["vfe", "dtc"])
def test_the_gradient_of_the_bound_is_that_of_finite_differences(variant: str, data: Data) -> None:
    x, y, noise = data(40, 2)
    model = _model(2, y, noise_scale=True)
    objective = bound(model, x[:10], x, y, noise, variant)  # type: ignore[arg-type]
    theta = model.hyperparameters().numpy() + 0.1
    value, gradient = objective(theta)
    moved = model.with_hyperparameters(torch.as_tensor(theta))
    built = SparseSurrogate.build(moved, x[:10], x, y, noise, variant)  # type: ignore[arg-type]
    assert value == pytest.approx(float(built.log_marginal_likelihood()), rel=1e-9)
    differences = [(objective(theta + s)[0] - objective(theta - s)[0]) / 2e-5 for s in 1e-5 * np.eye(len(theta))]
    np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-5 * abs(gradient).max())


def test_the_gradient_holds_where_inducing_points_are_nearly_dependent_and_noise_is_small(data: Data) -> None:
    """As for the archives of SVBMC: prior sds of hundreds, lengths of many sds, noise of .003. Central differences of a value
    with a scatter of 1e-6 are right to 1e-3 there; products with an explicit inverse of the factor were off by 1,000 times."""
    x, _, _ = data(400, 2)
    y = -0.5 * (x**2).sum(1) - 0.3 * torch.sin(3.0 * x[:, 0])
    noise = torch.full((400,), 1e-5, dtype=torch.float64)
    model = _model(2, y)
    objective = bound(model, x[:60], x, y, noise)
    theta = model.hyperparameters().numpy().copy()
    theta[0], theta[1:3] = math.log(300.0), math.log(4.0)
    factor = torch.linalg.eigvalsh(model.with_hyperparameters(torch.as_tensor(theta)).kernel.matrix(x[:60], x[:60]))
    assert float(factor[0]) < 1e-10 * float(factor[-1])
    gradient = objective(theta)[1]
    differences = [(objective(theta + s)[0] - objective(theta - s)[0]) / 2e-3 for s in 1e-3 * np.eye(len(theta))]
    np.testing.assert_allclose(gradient, differences, rtol=0.02, atol=0.002 * np.abs(differences).max())


@pytest.mark.parametrize("new_inducing", [True, False, None])
@pytest.mark.parametrize("variant", ["vfe", "dtc", "fitc"])
def test_rank_one_updates_equal_building_anew(variant: str, new_inducing: bool | None, data: Data) -> None:
    x, y, noise = data(50, 3)
    model = _model(3, y)
    old = SparseSurrogate.build(model, x[:12], x[:45], y[:45], noise[:45], variant)  # type: ignore[arg-type]
    updated = old.condition(x[45:], y[45:], noise[45:], new_inducing)
    assert updated.inducing.shape[0] == (12 if new_inducing is False else 17)
    whole = SparseSurrogate.build(model, updated.inducing, x, y, noise, variant)  # type: ignore[arg-type]
    new = data(9, 3, seed=3)[0]
    torch.testing.assert_close(updated.predict(new), whole.predict(new), rtol=1e-8, atol=1e-8)
    torch.testing.assert_close(updated.log_marginal_likelihood(), whole.log_marginal_likelihood())


def test_a_pending_point_lowers_the_variance_around_it(data: Data) -> None:
    x, y, noise = data(60, 2)
    sparse = SparseSurrogate.build(_model(2, y), x[:20], x, y, noise)
    new = torch.tensor([[2.5, 2.5]], dtype=torch.float64)
    before, after = sparse.predict(new), sparse.condition(new, None, torch.tensor([1e-3])).predict(new)
    assert float(after[1]) < 2e-3 < float(before[1])
    torch.testing.assert_close(after[0], before[0], rtol=0.05, atol=0.05)


def test_sparse_integrals_agree_with_monte_carlo(data: Data, real_device: torch.device) -> None:
    x, y, noise = (t.to(real_device) for t in data(40, 2))
    sparse = SparseSurrogate.build(_model(2, y).to(real_device), x[:8], x, y, noise)
    means = torch.tensor([[0.3, -0.2], [1.5, 1.0]], dtype=torch.float64, device=real_device)
    covariances = torch.tensor([[[0.5, 0.2], [0.2, 0.4]], [[1.0, -0.3], [-0.3, 0.6]]], dtype=torch.float64, device=real_device)
    mean, covariance = sparse.integrate(means, covariances)
    torch.testing.assert_close(sparse.integrate_mean(means, covariances), mean)
    count = 100_000
    base = torch.randn(4, count, 2, generator=torch.Generator().manual_seed(8), dtype=torch.float64).to(real_device)
    root = torch.linalg.cholesky(covariances)
    draws, others = means.unsqueeze(1) + base[:2] @ root.mT, means.unsqueeze(1) + base[2:] @ root.mT
    for k in range(2):
        values = sparse.predict_mean(draws[k])
        assert abs(float(mean[k] - values.mean())) < 3 * float(values.std()) / math.sqrt(count)
        for j in range(2):
            pairs = torch.vmap(lambda a, b: sparse.covariance(a.unsqueeze(0), b.unsqueeze(0)).sum())(draws[k], others[j])
            assert abs(float(covariance[k, j] - pairs.mean())) < 3 * float(pairs.std()) / math.sqrt(count)


def test_sparse_predictions_and_integrals_are_differentiable(data: Data) -> None:
    x, y, noise = data(20, 2)
    sparse = SparseSurrogate.build(_model(2, y), x[:6], x, y, noise)
    new = data(3, 2, seed=4)[0].requires_grad_()
    assert torch.autograd.gradcheck(sparse.predict, (new,))
    assert torch.autograd.gradcheck(sparse.integrate, (new, torch.full((3, 2), 0.5).double().requires_grad_()))


def test_greedy_selection_is_the_pivoted_choice_of_the_dense_error(data: Data) -> None:
    x, _, noise = data(40, 2)
    kernel = SquaredExponential.start(2, 1.5)
    chosen = inducing.select(kernel, x, noise, most=6, fewest=6).indices.tolist()
    k = kernel.matrix(x, x)
    taken: list[int] = []
    for expected in chosen:
        q = k[:, taken] @ torch.linalg.solve(k[taken][:, taken], k[taken]) if taken else torch.zeros_like(k)
        assert int(((k - q).diagonal() / noise).argmax()) == expected
        taken.append(expected)


def test_selection_stops_at_the_trace_error_and_skips_copies(data: Data) -> None:
    x, _, noise = data(100, 1)
    smooth = SquaredExponential.start(1, 1.0, 2.0)
    selection = inducing.select(smooth, x, noise, most=60, fewest=3)
    assert selection.trace_error < inducing.TRACE_ERROR
    assert len(selection.indices) < 30
    copies = inducing.select(smooth, x[:4].repeat(10, 1), noise[:40], most=20, fewest=20)
    assert len(copies.indices) <= 4


def test_selection_goes_on_past_copies_of_what_is_chosen_where_another_place_is_unknown() -> None:
    near, far = torch.linspace(0.0, 1e-4, 20).double(), torch.tensor([5.0]).double()
    x = torch.cat([near, far]).unsqueeze(1)
    noise = torch.cat([torch.full((20,), 1e-12), torch.full((1,), 1e3)]).double()  # the far one is worth least, but no copy
    chosen = inducing.select(SquaredExponential.start(1, 1.0), x, noise, most=5, fewest=5).indices.tolist()
    assert 20 in chosen


def test_the_stratified_subset_covers_space_and_values(data: Data) -> None:
    x, y, _ = data(3000, 2)
    subset = inducing.stratified_subset(x, y, np.random.default_rng(0))
    assert 240 <= len(subset) <= 301
    assert int(y.argmax()) in subset.tolist()
    quantiles = torch.quantile(y, torch.tensor([0.2, 0.4, 0.6, 0.8]).double())
    counts = torch.bincount(torch.bucketize(y[subset], quantiles), minlength=5)
    assert int(counts.min()) >= 40
    assert len(inducing.stratified_subset(x[:1].repeat(900, 1), y[:900], np.random.default_rng(0))) >= 1


def test_noise_shaping_follows_its_formula_and_grows_with_depth() -> None:
    variance = PUBLISHED.variance(np.array([0.0, 5.0, 10.0, 20.0, 120.0]), dimension=2)
    expected = [1e-3, 1e-3**0.75, 1e-3**0.5, 1.0, 1.0 + (0.05 * 100.0) ** 2]
    np.testing.assert_allclose(variance, expected, rtol=1e-12)


def test_trimming_drops_only_points_surely_far_below_the_best() -> None:
    y = torch.tensor([0.0, -30.0, -41.0, -45.0], dtype=torch.float64)
    assert keep(y, None, 2).tolist() == [True, True, False, False]
    assert keep(y, torch.tensor([0.0, 0.0, 1.0, 1.0]).double(), 2).tolist() == [True, True, True, False]


def test_an_archive_is_fitted_well_where_it_matters() -> None:
    g = torch.Generator().manual_seed(6)
    x = 1.5 * torch.randn(600, 2, generator=g, dtype=torch.float64)

    def target(p: Tensor) -> Tensor:
        return -((p[:, 0] ** 2 - p[:, 1]) ** 2) - 0.1 * (p[:, 0] - 1) ** 2

    y = target(x)
    model = Model(SquaredExponential.start(2), NegativeQuadratic.start(2), OutputScaling.of(y, "zeromax"))
    noise = 1e-5 + torch.as_tensor(PUBLISHED.variance((y.max() - y).numpy(), 2))
    result = fit_sparse(model, x, y, noise, np.random.default_rng(0), most_inducing=60, max_iterations=15, seed_points=100)
    new = torch.randn(400, 2, generator=g, dtype=torch.float64)
    top = target(new) > -8.0
    mean, _ = result.surrogate.predict(new)
    assert float((mean - target(new))[top].abs().max()) < 0.15
    assert "600" in result.reason
    again = fit_sparse(
        result.surrogate.model, x, y, noise, most_inducing=60, max_iterations=5, warm=True, seed_points=60
    )
    first = float(result.surrogate.log_marginal_likelihood())
    assert float(again.surrogate.log_marginal_likelihood()) > first - 0.05 * abs(first)


def test_the_first_inducing_points_alone_are_the_surrogate_built_with_them(data: Data) -> None:
    x, y, noise = data(200, 2)
    model, new = _model(2, y), data(20, 2, seed=1)[0]
    whole = SparseSurrogate.build(model, x[:60], x, y, noise)
    for m in (10, 25, 60, 99):
        few, anew = whole.leading(m), SparseSurrogate.build(model, x[: min(m, 60)], x, y, noise)
        torch.testing.assert_close(few.predict(new), anew.predict(new), rtol=1e-6, atol=1e-6)
        torch.testing.assert_close(few.log_marginal_likelihood(), anew.log_marginal_likelihood(), rtol=1e-6, atol=1e-6)


def test_a_batch_taken_in_at_once_is_the_surrogate_built_anew_with_its_inducing_points(data: Data) -> None:
    x, y, noise = data(300, 2)
    model, new = _model(2, y), data(20, 2, seed=1)[0]
    old = SparseSurrogate.build(model, x[:15], x[:200], y[:200], noise[:200])
    grown = old.absorbed(x[200:], y[200:], noise[200:], most_new=6)
    assert 15 < len(grown.inducing) <= 21
    anew = SparseSurrogate.build(model, grown.inducing, x, y, noise)
    torch.testing.assert_close(grown.predict(new), anew.predict(new), rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(grown.log_marginal_likelihood(), anew.log_marginal_likelihood(), rtol=1e-6, atol=1e-5)


def test_of_old_data_only_the_nearest_are_looked_at_again_and_the_answer_hardly_changes(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y, noise = data(1500, 2)
    model, new = _model(2, y), data(50, 2, seed=1)[0]
    monkeypatch.setattr(sparse_module, "NEIGHBOURS", 300)
    z = x[inducing.select(model.kernel, x[:1000], noise[:1000], most=80, fewest=80).indices]
    grown = SparseSurrogate.build(model, z, x[:1000], y[:1000], noise[:1000])
    for at in range(1000, 1500, 100):
        grown = grown.absorbed(x[at : at + 100], y[at : at + 100], noise[at : at + 100])
    assert len(grown.train_inputs) == 1500
    anew = SparseSurrogate.build(model, grown.inducing, x, y, noise)
    torch.testing.assert_close(grown.predict_mean(new), anew.predict_mean(new), rtol=0.0, atol=0.1)
    assert float((grown.predict_mean(new) - anew.predict_mean(new)).abs().median()) < 0.02


def test_a_batch_where_everything_is_known_brings_no_inducing_points(data: Data) -> None:
    x, y, noise = data(400, 2)
    smooth = Model(SquaredExponential.start(2, 1.0, 4.0), scaling=OutputScaling.of(y, "normalize"))
    z = x[inducing.select(smooth.kernel, x, noise, most=80, fewest=80).indices]
    old = SparseSurrogate.build(smooth, z, x, y, noise)
    assert len(old.absorbed(x[:50] + 1e-3, y[:50], noise[:50]).inducing) == len(z)
