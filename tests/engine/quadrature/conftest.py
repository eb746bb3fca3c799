from __future__ import annotations

import pytest
import torch
from torch import Tensor

torch.set_num_threads(1)  # matrices here are small: more threads only wait for each other


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))])
def device(request: pytest.FixtureRequest) -> torch.device:
    return torch.device(request.param)


@pytest.fixture
def gaussians(device: torch.device):  # type: ignore[no-untyped-def]
    """A function (components, dimension, diagonal) -> means, covariances, with a fixed seed."""

    def make(k: int, d: int, diagonal: bool) -> tuple[Tensor, Tensor]:
        g = torch.Generator().manual_seed(10 * k + d)
        means = torch.randn(k, d, generator=g, dtype=torch.float64)
        if diagonal:
            return means.to(device), (0.2 + torch.rand(k, d, generator=g, dtype=torch.float64)).to(device)
        root = 0.6 * torch.randn(k, d, d, generator=g, dtype=torch.float64)
        return means.to(device), (root @ root.mT + 0.1 * torch.eye(d, dtype=torch.float64)).to(device)

    return make


@pytest.fixture
def draws():  # type: ignore[no-untyped-def]
    """A function (means, covariances, count, seed) -> samples (K, count, D)."""

    def make(means: Tensor, covariances: Tensor, count: int, seed: int) -> Tensor:
        g = torch.Generator().manual_seed(seed)
        base = torch.randn(means.shape[0], count, means.shape[1], generator=g, dtype=torch.float64).to(means)
        if covariances.dim() == 2:
            return means.unsqueeze(1) + base * covariances.sqrt().unsqueeze(1)
        return means.unsqueeze(1) + base @ torch.linalg.cholesky(covariances).mT

    return make
