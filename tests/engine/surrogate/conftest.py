from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest
import torch
from torch import Tensor

from tests.support.pretend_card import some_card

torch.set_num_threads(1)  # matrices here are small: more threads only wait for each other


@pytest.fixture(params=["cpu", "cuda"])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[torch.device]:
    """The processor, and a graphics card: where there is none, a pretended one."""
    with nullcontext() if request.param == "cpu" else some_card(monkeypatch):
        yield torch.device(request.param)


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU"))])
def real_device(request: pytest.FixtureRequest) -> torch.device:
    """For what a pretended card cannot do (``torch.vmap``)."""
    return torch.device(request.param)


@pytest.fixture
def data() -> Callable[..., tuple[Tensor, Tensor, Tensor]]:
    """A function (n, D, seed) -> x, y of a wavy log density, noise variances."""

    def make(n: int, d: int, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        g = torch.Generator().manual_seed(seed)
        x = torch.randn(n, d, generator=g, dtype=torch.float64)
        y = -0.5 * (x**2).sum(1) + 0.5 * torch.sin(2.0 * x[:, 0]) * torch.cos(x[:, -1])
        noise = 1e-2 * (0.2 + torch.rand(n, generator=g, dtype=torch.float64))
        return x, y + noise.sqrt() * torch.randn(n, generator=g, dtype=torch.float64), noise

    return make
