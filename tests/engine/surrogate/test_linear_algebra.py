from __future__ import annotations

import pytest
import torch

from bayescope.engine.numerics.torch_linear_algebra import robust_cholesky
from bayescope.engine.surrogate.linear_algebra import append_block, rank_one_update


def _positive(n: int) -> torch.Tensor:
    root = torch.randn(n, n, generator=torch.Generator().manual_seed(n), dtype=torch.float64)
    return root @ root.T + torch.eye(n, dtype=torch.float64)


def test_a_rank_one_update_equals_a_new_factor() -> None:
    a, v = _positive(8), torch.arange(8).double() - 3
    updated = rank_one_update(torch.linalg.cholesky(a), v)
    torch.testing.assert_close(updated, torch.linalg.cholesky(a + torch.outer(v, v)))


def test_an_appended_block_equals_a_new_factor() -> None:
    a = _positive(9)
    factor, jitter = append_block(torch.linalg.cholesky(a[:6, :6]), a[:6, 6:], a[6:, 6:])
    assert jitter == 0.0
    torch.testing.assert_close(factor, torch.linalg.cholesky(a))


def test_a_singular_matrix_gets_jitter_and_an_indefinite_one_a_factor() -> None:
    v = torch.ones(5, 1).double()
    factor, jitter = robust_cholesky(v @ v.T - 1e-14 * torch.eye(5).double())
    assert jitter > 0.0
    torch.testing.assert_close(factor @ factor.T, v @ v.T, rtol=0, atol=1e-6)
    indefinite = torch.diag(torch.tensor([1.0, -0.5, 2.0]).double())
    factor, jitter = robust_cholesky(indefinite)
    assert jitter > 0.5
    assert bool((factor.diagonal() > 0).all())
    torch.testing.assert_close(factor, torch.tril(factor))


def test_a_matrix_with_nan_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="infinite or undefined"):
        robust_cholesky(torch.full((2, 2), torch.nan).double())
