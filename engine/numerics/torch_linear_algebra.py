"""Cholesky factors of torch matrices that never fail on finite ones."""

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


def robust_factors(matrices: Tensor) -> Tensor:
    """Lower factors (..., D, D) of matrices (..., D, D), those that need it by ``robust_cholesky``. Raises as it does."""
    factors: Tensor
    factors, info = torch.linalg.cholesky_ex(matrices)
    if not bool(info.any()):
        return factors
    flat = matrices.reshape(-1, *matrices.shape[-2:])
    return torch.stack([robust_cholesky(m)[0] for m in flat]).reshape(matrices.shape)
