from __future__ import annotations

import math
from collections.abc import Callable

import gpytorch
import numpy as np
import pytest
import torch
from torch import Tensor

from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.fit import fit, log_marginal_likelihood
from bayescope.engine.surrogate.kernels.base import Framed, Kernel, Sum
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.spectral_mixture import SpectralMixture
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.means import Constant, NegativeQuadratic, Zero
from bayescope.engine.surrogate.model import Model
from bayescope.engine.surrogate.scaling import OutputScaling

Data = Callable[..., tuple[Tensor, Tensor, Tensor]]


def _model(d: int, y: Tensor, kernel: Kernel | None = None) -> Model:
    scaling = OutputScaling.of(y, "zeromax")
    return Model(kernel or SquaredExponential.start(d, 1.5, 1.2), NegativeQuadratic.start(d), scaling)


def test_prediction_and_marginal_likelihood_are_gpytorch_s(data: Data) -> None:
    x, y, noise = data(25, 2)

    class Reference(gpytorch.models.ExactGP):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(x, y, gpytorch.likelihoods.FixedNoiseGaussianLikelihood(noise))
            self.mean_module = gpytorch.means.ConstantMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=2))

        def forward(self, p: Tensor) -> gpytorch.distributions.MultivariateNormal:
            return gpytorch.distributions.MultivariateNormal(self.mean_module(p), self.covar_module(p))

    reference = Reference().double()
    reference.mean_module.constant.data.fill_(-3.0)
    reference.covar_module.outputscale, reference.covar_module.base_kernel.lengthscale = 1.5**2, 1.2
    surrogate = ExactSurrogate.build(Model(SquaredExponential.start(2, 1.5, 1.2), Constant(-3.0)), x, y, noise)
    reference.train()
    mll = gpytorch.mlls.ExactMarginalLogLikelihood(reference.likelihood, reference)(reference(x), y) * len(y)
    torch.testing.assert_close(surrogate.log_marginal_likelihood(), mll.detach())
    reference.eval()
    new = data(6, 2, seed=9)[0]
    with torch.no_grad():
        expected = reference(new)
        mean, variance = surrogate.predict(new)
        torch.testing.assert_close(mean, expected.mean, rtol=1e-7, atol=1e-9)
        torch.testing.assert_close(variance, expected.variance, rtol=1e-6, atol=1e-9)
        torch.testing.assert_close(surrogate.covariance(new, new), expected.covariance_matrix, rtol=1e-6, atol=1e-9)


def test_prediction_variance_is_the_diagonal_of_the_covariance_on_any_device(data: Data, device: torch.device) -> None:
    x, y, noise = (t.to(device) for t in data(30, 3))
    surrogate = ExactSurrogate.build(_model(3, y), x, y, noise)
    new = data(5, 3, seed=2)[0].to(device)
    mean, variance = surrogate.predict(new)
    assert mean.device.type == device.type
    torch.testing.assert_close(variance, surrogate.covariance(new, new).diagonal())
    torch.testing.assert_close(mean, surrogate.predict_mean(new))


@pytest.mark.parametrize("scaling", ["none", "zeromax", "normalize"])
def test_an_output_scaling_changes_neither_units_nor_the_equivalent_model(scaling: str, data: Data) -> None:
    x, y, noise = data(20, 2)
    rule = OutputScaling.of(y, scaling)  # type: ignore[arg-type]
    plain = ExactSurrogate.build(Model(SquaredExponential.start(2, 2.0 * rule.scale), Constant(rule.shift)), x, y, noise)
    scaled = ExactSurrogate.build(Model(SquaredExponential.start(2, 2.0), Zero(), rule), x, y, noise)
    new = data(5, 2, seed=3)[0]
    torch.testing.assert_close(scaled.predict(new), plain.predict(new))
    torch.testing.assert_close(scaled.log_marginal_likelihood(), plain.log_marginal_likelihood())
    gaussians = torch.zeros(1, 2).double(), torch.ones(1, 2).double()
    torch.testing.assert_close(scaled.integrate(*gaussians), plain.integrate(*gaussians))


def test_predictions_have_the_gradients_of_finite_differences(data: Data) -> None:
    x, y, noise = data(15, 2)
    surrogate = ExactSurrogate.build(_model(2, y), x, y, noise)
    assert torch.autograd.gradcheck(surrogate.predict, (data(3, 2, seed=5)[0].requires_grad_(),))


@pytest.mark.parametrize("diagonal", [True, False])
def test_integrals_under_gaussians_agree_with_monte_carlo_over_the_posterior(
    diagonal: bool, data: Data, real_device: torch.device
) -> None:
    x, y, noise = (t.to(real_device) for t in data(12, 2))
    kernel = Sum.of(Quadratic.start(1.0), SquaredExponential.start(2))
    surrogate = ExactSurrogate.build(_model(2, y, kernel), x, y, noise)
    means = torch.tensor([[0.3, -0.2], [2.5, 1.0]], dtype=torch.float64, device=real_device)
    full = torch.tensor([[[0.5, 0.2], [0.2, 0.4]], [[1.0, -0.3], [-0.3, 0.6]]], dtype=torch.float64, device=real_device)
    covariances = full.diagonal(dim1=1, dim2=2) if diagonal else full
    mean, covariance = surrogate.integrate(means, covariances)
    torch.testing.assert_close(surrogate.integrate_mean(means, covariances), mean)
    count = 100_000
    base = torch.randn(4, count, 2, generator=torch.Generator().manual_seed(3), dtype=torch.float64).to(real_device)
    root = torch.diag_embed(covariances.sqrt()) if diagonal else torch.linalg.cholesky(covariances)
    draws = means.unsqueeze(1) + base[:2] @ root.mT
    others = means.unsqueeze(1) + base[2:] @ root.mT
    for k in range(2):
        values = surrogate.predict_mean(draws[k])
        assert abs(float(mean[k] - values.mean())) < 3 * float(values.std()) / math.sqrt(count)
        for j in range(2):
            pairs = torch.vmap(lambda a, b: surrogate.covariance(a.unsqueeze(0), b.unsqueeze(0)).sum())(draws[k], others[j])
            assert abs(float(covariance[k, j] - pairs.mean())) < 3 * float(pairs.std()) / math.sqrt(count)


def test_integrals_are_differentiable_in_means_and_covariances(data: Data) -> None:
    x, y, noise = data(10, 2)
    surrogate = ExactSurrogate.build(_model(2, y), x, y, noise)
    means, roots = torch.randn(2, 2).double(), torch.tensor([[0.5, 1.0], [0.7, 0.3]]).double()
    inputs = means.requires_grad_(), roots.requires_grad_()
    assert torch.autograd.gradcheck(lambda m, r: surrogate.integrate(m, torch.diag_embed(r * r)), inputs)


def test_conditioning_equals_building_anew(data: Data, device: torch.device) -> None:
    x, y, noise = (t.to(device) for t in data(30, 3))
    model = _model(3, y).to(device)
    updated = ExactSurrogate.build(model, x[:22], y[:22], noise[:22]).condition(x[22:], y[22:], noise[22:])
    whole = ExactSurrogate.build(model, x, y, noise)
    new = data(5, 3, seed=2)[0].to(device)
    torch.testing.assert_close(updated.predict(new), whole.predict(new))
    torch.testing.assert_close(updated.log_marginal_likelihood(), whole.log_marginal_likelihood())


def test_pending_points_lower_the_variance_and_leave_the_mean(data: Data) -> None:
    x, y, noise = data(20, 2)
    surrogate = ExactSurrogate.build(_model(2, y), x, y, noise)
    new = torch.tensor([[2.0, 2.0], [1.5, -2.0]], dtype=torch.float64)
    mean, variance = surrogate.predict(new)
    pending_mean, pending_variance = surrogate.condition(new, None).predict(new)
    torch.testing.assert_close(pending_mean, mean, rtol=1e-6, atol=1e-6)
    assert bool((pending_variance < 1e-3 * variance).all())


def test_leave_one_out_equals_leaving_each_point_out(data: Data) -> None:
    x, y, noise = data(12, 2)
    model = _model(2, y)
    mean, variance = ExactSurrogate.build(model, x, y, noise).leave_one_out()
    for i in (0, 5, 11):
        rest = torch.arange(12) != i
        m, v = ExactSurrogate.build(model, x[rest], y[rest], noise[rest]).predict(x[i : i + 1])
        assert float(mean[i]) == pytest.approx(float(m), rel=1e-6)
        assert float(variance[i]) == pytest.approx(float(v + noise[i]), rel=1e-6)


@pytest.mark.parametrize("kernel", ["se", "matern", "spectral", "recipe"])
def test_the_analytic_gradient_of_the_marginal_likelihood_is_that_of_finite_differences(kernel: str, data: Data) -> None:
    x, y, noise = data(20, 2)
    box = Framed(Quadratic.start(3.0), torch.zeros(2).double(), torch.full((2,), 0.5).double())
    kernels: dict[str, Kernel] = {
        "se": SquaredExponential.start(2),
        "matern": ProductMatern.start(2, 1.5),
        "spectral": SpectralMixture.start(2, 2),
        "recipe": Sum.of(box, SquaredExponential.start(2)),
    }
    model = Model(kernels[kernel], NegativeQuadratic.start(2), OutputScaling.of(y, "zeromax"), 0.1, fit_noise_scale=True)
    objective = log_marginal_likelihood(model, x, y, noise)
    theta = model.hyperparameters().numpy() + 0.05
    value, gradient = objective(theta)
    moved = model.with_hyperparameters(torch.as_tensor(theta))
    assert value == pytest.approx(float(ExactSurrogate.build(moved, x, y, noise).log_marginal_likelihood()), rel=1e-9)
    steps = 1e-5 * np.eye(len(theta))
    differences = [(objective(theta + s)[0] - objective(theta - s)[0]) / 2e-5 for s in steps]
    np.testing.assert_allclose(gradient, differences, rtol=1e-4, atol=1e-4)


def test_bad_data_are_refused_in_words() -> None:
    model = Model(SquaredExponential.start(1))
    x, y = torch.zeros(2, 1).double(), torch.zeros(2).double()
    with pytest.raises(ValueError, match="failed runs"):
        ExactSurrogate.build(model, x, torch.tensor([0.0, math.nan]).double())
    with pytest.raises(ValueError, match="n >= 1"):
        ExactSurrogate.build(model, x, y[:1])
    with pytest.raises(ValueError, match="negative"):
        ExactSurrogate.build(model, x, y, torch.tensor(-1.0))


@pytest.mark.parametrize(
    "case",
    ["one point", "constant targets", "duplicates", "huge range", "tiny range", "twenty parameters", "far away", "no noise"],
)
def test_odd_data_give_finite_answers(case: str, data: Data) -> None:
    x, y, noise = data(25, 2)
    if case == "one point":
        x, y, noise = x[:1], y[:1], noise[:1]
    elif case == "constant targets":
        y = torch.full_like(y, -7.0)
    elif case == "duplicates":
        x = x[:5].repeat(5, 1)
    elif case == "huge range":
        y = -(10.0 ** torch.linspace(0, 12, 25).double())
    elif case == "tiny range":
        y = 1e-12 * y
    elif case == "twenty parameters":
        x, y, noise = data(40, 20)
    elif case == "far away":
        x = x * 1e-4 + 1e6
    else:
        x, noise = x[:5].repeat(5, 1), torch.zeros_like(noise)
    for heuristic in ("zeromax", "normalize"):
        d = x.shape[1]
        model = Model(SquaredExponential.start(d), NegativeQuadratic.start(d), OutputScaling.of(y, heuristic))  # type: ignore[arg-type]
        result = fit(model, x, y, noise, restarts=1, max_iterations=15)
        surrogate = result.surrogate(x, y, noise)
        mean, variance = surrogate.predict(x)
        integral, covariance = surrogate.integrate(x[:2], torch.ones_like(x[:2]))
        for t in (mean, variance, integral, covariance, surrogate.log_marginal_likelihood()):
            assert bool(torch.isfinite(t).all())
        assert bool((variance >= 0).all())
        assert float((mean - y).abs().max()) <= float(y.abs().max()) + 1.0
