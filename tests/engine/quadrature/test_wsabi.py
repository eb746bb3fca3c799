"""WSABI against Monte Carlo over the same posterior of the square-root process."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from bayescope.engine.quadrature import wsabi
from bayescope.engine.surrogate.exact import ExactSurrogate
from bayescope.engine.surrogate.kernels.squared_exponential import SquaredExponential
from bayescope.engine.surrogate.model import Model

SAMPLES = 100_000
OFFSET = 0.05


@pytest.fixture
def root_process(device: torch.device) -> ExactSurrogate:
    g = torch.Generator().manual_seed(1)
    x = torch.randn(7, 2, generator=g, dtype=torch.float64)
    root = torch.sqrt(2 * torch.exp(-0.5 * (x**2).sum(1)))
    kernel = SquaredExponential(torch.tensor(0.1, dtype=torch.float64), torch.tensor([-0.2, 0.3], dtype=torch.float64))
    return ExactSurrogate.build(Model(kernel.to(device)), x.to(device), root.to(device), torch.tensor(1e-4))


def _evidence(process: ExactSurrogate, mixture: tuple[Tensor, Tensor, Tensor], method: str) -> wsabi.Evidence:
    kernel = process.model.kernel
    assert isinstance(kernel, SquaredExponential)
    return wsabi.evidence(
        process.train_inputs,
        process.train_targets,
        OFFSET,
        kernel.variance,
        kernel.log_lengthscales.exp(),
        process.factor,
        *mixture,
        method=method,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("method", ["linear", "moments"])
def test_mean_and_variance_of_the_evidence_agree_with_monte_carlo(
    method: str,
    root_process: ExactSurrogate,
    gaussians: Callable[..., tuple[Tensor, Tensor]],
    draws: Callable[..., Tensor],
) -> None:
    means, covariances = gaussians(2, 2, False)
    weights = torch.tensor([0.3, 0.7], dtype=torch.float64).to(means)
    result = _evidence(root_process, (weights, means, covariances), method)
    samples = draws(means, covariances, 2 * SAMPLES, 41)
    pick = (torch.rand(2 * SAMPLES, generator=torch.Generator().manual_seed(2)) < 0.7).long().to(means.device)
    x = samples.transpose(0, 1)[torch.arange(2 * SAMPLES, device=means.device), pick]
    a, b = x.split(SAMPLES)
    mean_a, variance_a = root_process.predict(a)
    mean_b, _ = root_process.predict(b)
    cross = torch.cat(
        [torch.vmap(lambda u, v: root_process.covariance(u.unsqueeze(0), v.unsqueeze(0)).sum())(p, q)
         for p, q in zip(a.split(20_000), b.split(20_000), strict=True)]
    )  # fmt: skip
    values = OFFSET + 0.5 * (mean_a**2 + (variance_a if method == "moments" else 0.0))
    spread = mean_a * cross * mean_b + (0.5 * cross**2 if method == "moments" else 0.0)
    assert abs(float(result.mean - values.mean())) < 3 * float(values.std()) / math.sqrt(SAMPLES)
    assert abs(float(result.variance - spread.mean())) < 3 * float(spread.std()) / math.sqrt(SAMPLES)


def test_the_evidence_is_differentiable_in_the_mixture(
    root_process: ExactSurrogate, gaussians: Callable[..., tuple[Tensor, Tensor]]
) -> None:
    means, covariances = gaussians(2, 2, True)
    weights = torch.tensor([0.4, 0.6], dtype=torch.float64).to(means)

    def both(w: Tensor, m: Tensor, c: Tensor) -> tuple[Tensor, ...]:
        linear, moments = (_evidence(root_process, (w, m, c), method) for method in ("linear", "moments"))
        return linear.mean, linear.variance, moments.mean, moments.variance

    inputs = (weights.requires_grad_(), means.requires_grad_(), covariances.requires_grad_())
    assert torch.autograd.gradcheck(both, inputs)
