"""Every kernel's integrals against 1e5-sample Monte Carlo (3 standard errors, fixed seeds) and against gradient checks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from torch import Tensor

from bayescope.engine.quadrature import matern, squared_exponential
from bayescope.engine.surrogate.kernels.additive import Additive
from bayescope.engine.surrogate.kernels.base import Framed, Kernel, Sum
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.spectral_mixture import SpectralMixture
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential

SAMPLES = 100_000
D = 3


def _double(value: float) -> Tensor:
    return torch.tensor(value, dtype=torch.float64)


def make_kernel(name: str) -> Kernel:
    if name == "se":
        return SquaredExponential(torch.tensor(0.2).double(), torch.tensor([-0.3, 0.1, 0.5]).double())
    if name.startswith("matern"):
        return ProductMatern(torch.tensor(0.2).double(), torch.tensor([-0.3, 0.1, 0.5]).double(), int(name[-1]))
    if name == "spectral":
        return SpectralMixture.start(D, components=2, lengthscale=0.8)
    if name == "quadratic":
        return Quadratic.start(0.7, 0.5, 0.4, 0.3)
    if name == "additive":
        return Additive.start(0.8, 0.9)
    if name == "framed":
        matrix = torch.tensor([[1.0, 0.3, 0.0], [-0.4, 0.8, 0.2], [0.1, 0.0, 1.3]], dtype=torch.float64)
        return Framed(SquaredExponential.start(D), torch.tensor([0.3, -0.2, 0.1]).double(), matrix)
    if name == "framed by axis":
        shift, scales = torch.tensor([0.3, -0.2, 0.1]).double(), torch.tensor([0.5, 2.0, 1.0]).double()
        return Framed(Quadratic.start(0.7, 0.5, 0.4, 0.3), shift, scales)
    return Sum.of(Quadratic.start(0.7, 0.5, 0.4, 0.3), SquaredExponential.start(D))


NAMES = ["se", "matern0", "matern1", "matern2", "spectral", "quadratic", "additive", "framed", "framed by axis", "sum"]
CASES = [(name, diagonal) for name in NAMES for diagonal in (True, False) if diagonal or name != "spectral"]


@pytest.mark.parametrize(("name", "diagonal"), CASES)
def test_kernel_means_agree_with_monte_carlo(
    name: str, diagonal: bool, device: torch.device, gaussians: Callable[..., tuple[Tensor, Tensor]], draws: Callable[..., Tensor]
) -> None:
    kernel = make_kernel(name).to(device)
    means, covariances = gaussians(2, D, diagonal)
    x = torch.randn(3, D, generator=torch.Generator().manual_seed(5), dtype=torch.float64).to(device)
    z = kernel.kernel_mean(x, means, covariances)
    for k, sample in enumerate(draws(means, covariances, SAMPLES, 11)):
        values = kernel.matrix(sample, x)
        error = values.std(0) / math.sqrt(SAMPLES)
        assert bool(((z[k] - values.mean(0)).abs() < 3 * error).all())


@pytest.mark.parametrize(("name", "diagonal"), CASES)
def test_double_integrals_agree_with_monte_carlo(
    name: str, diagonal: bool, device: torch.device, gaussians: Callable[..., tuple[Tensor, Tensor]], draws: Callable[..., Tensor]
) -> None:
    kernel = make_kernel(name).to(device)
    means, covariances = gaussians(2, D, diagonal)
    double = kernel.double_integral(means, covariances)
    torch.testing.assert_close(double, double.T, rtol=1e-13, atol=0.0)
    first, second = draws(means, covariances, 2 * SAMPLES, 23).split(SAMPLES, dim=1)
    for i, j in [(0, 0), (0, 1), (1, 1)]:
        values = torch.vmap(lambda a, b: kernel.matrix(a.unsqueeze(0), b.unsqueeze(0)).sum())(first[i], second[j])
        assert abs(float(double[i, j] - values.mean())) < 3 * float(values.std()) / math.sqrt(SAMPLES)


@pytest.mark.parametrize(("name", "diagonal"), CASES)
def test_integrals_have_the_gradients_of_finite_differences(
    name: str, diagonal: bool, device: torch.device, gaussians: Callable[..., tuple[Tensor, Tensor]]
) -> None:
    if name.startswith("matern") and not diagonal:
        pytest.skip("checked with few nodes below")
    kernel = make_kernel(name).to(device)
    means, covariances = gaussians(2, D, diagonal)
    x = torch.randn(2, D, generator=torch.Generator().manual_seed(5), dtype=torch.float64).to(device)
    root = covariances.sqrt() if diagonal else torch.linalg.cholesky(covariances)

    def integrals(m: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
        c = r * r if diagonal else r @ r.mT
        return kernel.kernel_mean(x, m, c), kernel.double_integral(m, c)

    assert torch.autograd.gradcheck(integrals, (means.requires_grad_(), root.detach().requires_grad_()))


def test_the_matern_rule_for_full_covariances_is_differentiable(
    gaussians: Callable[..., tuple[Tensor, Tensor]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matern, "NODES", 16)
    kernel = make_kernel("matern2")
    means, covariances = gaussians(2, D, False)
    device = means.device
    x = torch.randn(2, D, generator=torch.Generator().manual_seed(5), dtype=torch.float64).to(device)
    root = torch.linalg.cholesky(covariances)

    def integrals(m: Tensor, r: Tensor) -> tuple[Tensor, Tensor]:
        return kernel.to(device).kernel_mean(x, m, r @ r.mT), kernel.to(device).double_integral(m, r @ r.mT)

    assert torch.autograd.gradcheck(integrals, (means.requires_grad_(), root.requires_grad_()))


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("ratio", [1e-3, 0.1, 1.0, 10.0, 100.0])
def test_the_one_dimensional_matern_integral_agrees_with_adaptive_quadrature(order: int, ratio: float) -> None:
    rate = math.sqrt(2 * order + 1)
    for delta in (0.0, 0.7, -3.0, 12.0):
        value = matern.one_dimensional_integral(
            order, _double(rate), _double(delta), _double(ratio**2)
        )

        def integrand(t: float, centre: float = delta) -> float:
            u = rate * abs(t)
            polynomial = [1.0, 1.0 + u, 1.0 + u + u * u / 3.0][order]
            return polynomial * math.exp(-u) * math.exp(-0.5 * ((t - centre) / ratio) ** 2) / (ratio * math.sqrt(2 * math.pi))

        marks = sorted({0.0, *(delta + s * ratio for s in (-8, -2, 0, 2, 8)), -3.0, 3.0, -20.0, 20.0})
        pieces = itertools.pairwise(marks)
        expected = sum(quad(integrand, a, b, epsabs=1e-14, epsrel=1e-11, limit=200)[0] for a, b in pieces)
        assert float(value) == pytest.approx(expected, rel=1e-8 if ratio < 50 else 1e-6, abs=1e-13)


def test_the_one_dimensional_matern_integral_stays_finite_at_extremes() -> None:
    for order in (0, 1, 2):
        delta = torch.tensor([0.0, 1e-12, 1e3, -1e6, 30.0], dtype=torch.float64).unsqueeze(1).requires_grad_()
        variance = torch.tensor([1e-16, 1.0, 1e8], dtype=torch.float64).requires_grad_()
        value = matern.one_dimensional_integral(order, torch.tensor(1.0).double(), delta, variance)
        value.sum().backward()
        assert bool(torch.isfinite(value).all())
        assert bool(((value >= -1e-9) & (value <= 1 + 1e-9)).all())
        assert delta.grad is not None
        assert variance.grad is not None
        assert bool(torch.isfinite(delta.grad).all())
        assert bool(torch.isfinite(variance.grad).all())


def test_matern_with_full_covariances_matches_the_closed_form_where_both_apply(
    gaussians: Callable[..., tuple[Tensor, Tensor]],
) -> None:
    kernel = make_kernel("matern1")
    means, variances = gaussians(3, D, True)
    kernel = kernel.to(means.device)
    x = torch.zeros(2, D, dtype=torch.float64, device=means.device)
    exact = kernel.kernel_mean(x, means, variances)
    torch.testing.assert_close(kernel.kernel_mean(x, means, torch.diag_embed(variances)), exact, rtol=5e-3, atol=1e-4)


def test_full_and_diagonal_layouts_of_the_same_gaussians_agree(gaussians: Callable[..., tuple[Tensor, Tensor]]) -> None:
    means, variances = gaussians(3, D, True)
    x = torch.ones(2, D, dtype=torch.float64, device=means.device)
    for name in ["se", "quadratic", "additive", "framed", "framed by axis"]:
        kernel = make_kernel(name).to(means.device)
        full = torch.diag_embed(variances)
        torch.testing.assert_close(kernel.kernel_mean(x, means, variances), kernel.kernel_mean(x, means, full))
        torch.testing.assert_close(kernel.double_integral(means, variances), kernel.double_integral(means, full))


def test_the_spectral_mixture_refuses_gaussians_with_correlations() -> None:
    kernel = SpectralMixture.start(2)
    with pytest.raises(ValueError, match="without correlations"):
        kernel.kernel_mean(torch.zeros(1, 2).double(), torch.zeros(1, 2).double(), torch.eye(2).double().unsqueeze(0))


def test_squared_exponential_kernel_mean_of_a_point_mass_is_the_kernel() -> None:
    x = torch.tensor([[0.1, 2.0]], dtype=torch.float64)
    means = torch.tensor([[0.5, 1.0]], dtype=torch.float64)
    lengths = torch.tensor([0.7, 1.1], dtype=torch.float64)
    z = squared_exponential.kernel_mean(x, torch.tensor(2.0).double(), lengths, means, torch.zeros(1, 2).double())
    expected = 2.0 * np.exp(-0.5 * ((0.4 / 0.7) ** 2 + (1.0 / 1.1) ** 2))
    assert float(z) == pytest.approx(expected, rel=1e-12)
