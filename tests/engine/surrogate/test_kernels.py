"""Kernels against gpytorch's own modules, and the hand-written training path against autograd."""

from __future__ import annotations

import math
import sys

import gpytorch
import pytest
import torch
from torch import Tensor

from bayescope.engine.surrogate.kernels.additive import Additive
from bayescope.engine.surrogate.kernels.base import Framed, Kernel, Sum
from bayescope.engine.surrogate.kernels.matern import ProductMatern
from bayescope.engine.surrogate.kernels.polynomial import Quadratic
from bayescope.engine.surrogate.kernels.spectral_mixture import SpectralMixture
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential

D = 3
LENGTHS = torch.tensor([0.5, 1.2, 2.0], dtype=torch.float64)

KERNELS: dict[str, Kernel] = {
    "se": SquaredExponential(torch.tensor(0.4).double(), LENGTHS.log()),
    "matern 1/2": ProductMatern(torch.tensor(0.4).double(), LENGTHS.log(), 0),
    "matern 3/2": ProductMatern(torch.tensor(0.4).double(), LENGTHS.log(), 1),
    "matern 5/2": ProductMatern(torch.tensor(0.4).double(), LENGTHS.log(), 2),
    "spectral": SpectralMixture.start(D, 3, 1.3, 0.9),
    "quadratic": Quadratic.start(2.0, 0.5, 0.4, 0.3),
    "additive": Additive.start(0.8, 0.9),
    "framed": Framed(SquaredExponential.start(D), torch.ones(D).double(), torch.diag(LENGTHS) + 0.1),
    "sum": Sum.of(Quadratic.start(), Framed(SquaredExponential.start(D), torch.ones(D).double(), LENGTHS)),
}


def _points(n: int, seed: int) -> Tensor:
    return torch.randn(n, D, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_squared_exponential_is_gpytorch_s_scaled_rbf() -> None:
    reference = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=D)).double()
    reference.outputscale, reference.base_kernel.lengthscale = torch.tensor(0.8).double().exp(), LENGTHS
    a, b = _points(6, 1), _points(4, 2)
    torch.testing.assert_close(KERNELS["se"].matrix(a, b), reference(a, b).to_dense())


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_product_matern_is_gpytorch_s_product_of_one_dimensional_materns(nu: float) -> None:
    a, b = _points(6, 1), _points(4, 2)
    expected = torch.tensor(0.8, dtype=torch.float32).double().exp() * torch.ones(6, 4).double()
    for d in range(D):
        one = gpytorch.kernels.MaternKernel(nu=nu, active_dims=[d]).double()
        one.lengthscale = LENGTHS[d]
        expected = expected * one(a, b).to_dense()
    torch.testing.assert_close(KERNELS[f"matern {int(2 * nu)}/2"].matrix(a, b), expected, rtol=1e-6, atol=1e-9)


def features(x: Tensor) -> Tensor:
    """(n, 1 + 2 D + D (D - 1) / 2): 1, x_i, (x_i^2 - 1) / sqrt 2, x_i x_j for i < j."""
    i, j = torch.triu_indices(x.shape[1], x.shape[1], 1, device=x.device)
    return torch.cat([torch.ones_like(x[:, :1]), x, (x * x - 1.0) / math.sqrt(2.0), x[:, i] * x[:, j]], dim=1)


@pytest.mark.parametrize(("d", "components"), [(1, 3), (3, 1)])
def test_spectral_mixture_is_gpytorch_s_where_that_is_eq_3_14(d: int, components: int) -> None:
    # In several dimensions gpytorch multiplies sums over components, so its weight is raised to the power D: one of weight 1.
    reference = gpytorch.kernels.SpectralMixtureKernel(num_mixtures=components, ard_num_dims=d).double()
    kernel = SpectralMixture.start(d, components, 1.0, 0.9)
    reference.mixture_weights = kernel.log_weights.exp()
    reference.mixture_means = kernel.log_frequencies.exp().unsqueeze(1)
    reference.mixture_scales = kernel.log_bandwidths.exp().sqrt().unsqueeze(1)
    a, b = _points(6, 1)[:, :d], _points(4, 2)[:, :d]
    torch.testing.assert_close(kernel.matrix(a, b), reference(a, b).to_dense())


def test_spectral_mixture_sums_products_over_components() -> None:
    kernel = KERNELS["spectral"]
    assert isinstance(kernel, SpectralMixture)
    a, b = _points(6, 1), _points(4, 2)
    parts = [
        SpectralMixture(kernel.log_weights[q : q + 1], kernel.log_frequencies[q : q + 1], kernel.log_bandwidths[q : q + 1])
        for q in range(3)
    ]
    torch.testing.assert_close(kernel.matrix(a, b), Sum.of(*parts).matrix(a, b))


def test_the_quadratic_kernel_is_the_product_of_its_features() -> None:
    a, b = _points(6, 1), _points(4, 2)
    s = torch.tensor([2.0**2] + [0.5**2] * 3 + [0.4**2] * 3 + [0.3**2] * 3, dtype=torch.float64)
    torch.testing.assert_close(KERNELS["quadratic"].matrix(a, b), (features(a) * s) @ features(b).T)


def test_the_additive_kernel_is_gpytorch_s_sum_over_axes() -> None:
    a, b = _points(5, 1), _points(4, 2)
    expected = torch.zeros(5, 4).double()
    for d in range(D):
        one = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(active_dims=[d])).double()
        one.outputscale, one.base_kernel.lengthscale = 0.8**2, 0.9
        expected = expected + one(a, b).to_dense()
    torch.testing.assert_close(KERNELS["additive"].matrix(a, b), expected)


@pytest.mark.parametrize("name", KERNELS)
def test_matrices_are_symmetric_positive_and_agree_with_their_diagonal(name: str) -> None:
    x = _points(12, 3)
    k = KERNELS[name].matrix(x, x)
    torch.testing.assert_close(k, k.T)
    torch.testing.assert_close(k.diagonal(), KERNELS[name].diagonal(x))
    assert float(torch.linalg.eigvalsh(k).min()) > -1e-9 * float(k.diagonal().max())


@pytest.mark.parametrize("cross", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_the_training_path_gives_the_same_matrix_and_gradient_as_autograd(name: str, cross: bool) -> None:
    kernel, a, b = KERNELS[name], _points(7, 1), _points(5, 2)
    flat = kernel.hyperparameters().clone().requires_grad_()
    other = b if cross else a
    expected = kernel.replace(flat).matrix(a, other)
    weights = torch.randn(expected.shape, generator=torch.Generator().manual_seed(4), dtype=torch.float64)
    (gradient,) = torch.autograd.grad(expected, flat, weights)
    k, pullback = kernel.bind(a, b if cross else None)(flat.detach())
    torch.testing.assert_close(k, expected.detach())
    torch.testing.assert_close(pullback(weights), gradient)
    diagonal, diagonal_pullback = kernel.bind_diagonal(a)(flat.detach())
    again = kernel.replace(flat).diagonal(a)
    (gradient,) = torch.autograd.grad(again, flat, weights[:, 0])
    torch.testing.assert_close(diagonal, again.detach())
    torch.testing.assert_close(diagonal_pullback(weights[:, 0]), gradient)


@pytest.mark.parametrize("name", KERNELS)
def test_every_hyperparameter_has_a_name_and_a_proper_prior(name: str) -> None:
    kernel = KERNELS[name]
    priors = kernel.default_priors(_points(9, 1), 2.0)
    assert len(kernel.names) == len(set(kernel.names)) == len(priors) == kernel.hyperparameters().shape[0]
    assert all(p.sd > 0 and p.lower <= p.mean <= p.upper for p in priors)


def test_a_matern_of_another_smoothness_is_refused() -> None:
    with pytest.raises(ValueError, match="smoothness"):
        ProductMatern.start(2, nu=1.0)


def test_matrices_are_differentiable_in_the_points_through_every_kernel() -> None:
    x = _points(3, 8).requires_grad_()
    for kernel in KERNELS.values():
        assert torch.autograd.gradcheck(lambda p, k=kernel: k.matrix(p, _points(4, 2)), (x,))


@pytest.mark.parametrize("name", ["se", "spectral"])
def test_a_pullback_loads_no_algebra_system(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.fx.experimental.symbolic_shapes", None)  # torch's way to sympy: refused
    kernel, x = KERNELS[name], torch.zeros(4, D).double()
    _, pullback = kernel.bind(x)(kernel.hyperparameters())
    _, diagonal = kernel.bind_diagonal(x)(kernel.hyperparameters())
    assert pullback(torch.ones(4, 4).double()).isfinite().all()
    assert diagonal(torch.ones(4).double()).isfinite().all()
