"""Updates of Cholesky factors, and solutions with them."""

from __future__ import annotations

import torch
from torch import Tensor

from bayescope.engine.numerics.torch_linear_algebra import robust_cholesky


def append_block(factor: Tensor, cross: Tensor, block: Tensor) -> tuple[Tensor, float]:
    """Factor of [[A, B], [B', C]] from that of A (seed 000 eqs 3.18-3.20): cross B (n, m), block C (m, m). O(n^2 m)."""
    side = torch.linalg.solve_triangular(factor, cross, upper=False)
    corner, jitter = robust_cholesky(block - side.T @ side)
    n, m = cross.shape
    updated = torch.zeros(n + m, n + m, dtype=factor.dtype, device=factor.device)
    updated[:n, :n] = factor
    updated[n:, :n] = side.T
    updated[n:, n:] = corner
    return updated, jitter


def rank_one_update(factor: Tensor, vector: Tensor) -> Tensor:
    """Factor of L L' + v v' from L, O(n^2), without a loop.

    With w = L^-1 v, chol(I + w w') is known: with t_j = 1 + w_1^2 + .. + w_j^2 its diagonal is sqrt(t_j / t_{j-1}) and its
    entry (i, j) below it is w_i w_j / sqrt(t_{j-1} t_j).
    """
    w = _solve(factor, vector, upper=False)
    t = 1.0 + torch.cumsum(w * w, 0)
    before = torch.cat([t.new_ones(1), t[:-1]])
    weighted = factor * w
    after = weighted.flip(1).cumsum(1).flip(1) - weighted  # column j: sum over i > j of L_i w_i
    return factor * (t / before).sqrt() + after * (w / (before * t).sqrt())


def forward(factor: Tensor, right: Tensor) -> Tensor:
    """L^-1 right, for right (n,) or (n, m)."""
    return _solve(factor, right, upper=False)


def backward(factor: Tensor, right: Tensor) -> Tensor:
    """L^-T right, for right (n,) or (n, m)."""
    return _solve(factor.T, right, upper=True)


def _solve(triangle: Tensor, right: Tensor, upper: bool) -> Tensor:
    columns = right.unsqueeze(1) if right.dim() == 1 else right
    solution: Tensor = torch.linalg.solve_triangular(triangle, columns, upper=upper)
    return solution.squeeze(1) if right.dim() == 1 else solution
