"""Cholesky factors that never fail on finite matrices, and their updates."""

from __future__ import annotations

import torch
from torch import Tensor


def robust_cholesky(matrix: Tensor) -> tuple[Tensor, float]:
    """Lower factor (n, n) and the jitter added to the diagonal (0 when none was needed).

    Jitter starts at 1e-12 of the mean diagonal and grows tenfold; should 1e-2 not do, negative eigenvalues are lifted.
    Raises ValueError only for a matrix with infinities or NaN in it.
    """
    factor, info = torch.linalg.cholesky_ex(matrix)
    if not bool(info) and bool(torch.isfinite(factor.diagonal().sum())):
        return factor, 0.0
    if not bool(torch.isfinite(matrix).all()):
        raise ValueError("A covariance matrix has infinite or undefined entries: check for non-finite inputs.")
    scale = max(float(matrix.diagonal().abs().mean()), 1e-300)
    identity = torch.eye(matrix.shape[0], dtype=matrix.dtype, device=matrix.device)
    for power in range(-12, -1):
        jitter = scale * 10.0**power
        factor, info = torch.linalg.cholesky_ex(matrix + jitter * identity)
        if not bool(info):
            return factor, jitter
    values, vectors = torch.linalg.eigh(0.5 * (matrix + matrix.T))
    lifted = values.clamp_min(1e-2 * scale)
    root = vectors * lifted.sqrt()
    upper: Tensor = torch.linalg.qr(root.T).R
    lower = (upper * upper.diagonal().sign().unsqueeze(1)).T
    return lower, float((lifted - values).max())


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
