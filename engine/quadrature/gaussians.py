"""Batches of Gaussians, given by means (K, D) and covariances (K, D, D), or (K, D) for diagonal ones."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def check_shapes(means: Tensor, covariances: Tensor) -> None:
    """Raise ValueError unless means are (K, D) and covariances (K, D) or (K, D, D)."""
    k, d = means.shape if means.dim() == 2 else (-1, -1)
    if k < 0 or tuple(covariances.shape) not in ((k, d), (k, d, d)):
        raise ValueError(
            f"Gaussians need means (K, D) and covariances (K, D) or (K, D, D); got {tuple(means.shape)} "
            f"and {tuple(covariances.shape)}."
        )


def is_diagonal(means: Tensor, covariances: Tensor) -> bool:
    """Whether the covariances hold variances only: same number of axes as the means."""
    return covariances.dim() == means.dim()


def as_full(means: Tensor, covariances: Tensor) -> Tensor:
    """Covariances (..., D, D), whichever of the two layouts came in."""
    return torch.diag_embed(covariances) if is_diagonal(means, covariances) else covariances


def variances_of(means: Tensor, covariances: Tensor) -> Tensor:
    """The diagonals (..., D), whichever of the two layouts came in."""
    return covariances if is_diagonal(means, covariances) else covariances.diagonal(dim1=-2, dim2=-1)


def second_moments(means: Tensor, covariances: Tensor) -> Tensor:
    """E[x x'] (..., D, D)."""
    return as_full(means, covariances) + means.unsqueeze(-1) * means.unsqueeze(-2)


def affine(means: Tensor, covariances: Tensor, shift: Tensor, matrix: Tensor) -> tuple[Tensor, Tensor]:
    """The Gaussians of (x - shift) A' with A = ``matrix`` (E, D), or of (x - shift) * a with a = ``matrix`` (D,)."""
    moved = means - shift
    if matrix.dim() == 1:
        scale = matrix * matrix if is_diagonal(means, covariances) else matrix.unsqueeze(-1) * matrix
        return moved * matrix, covariances * scale
    return moved @ matrix.T, matrix @ as_full(means, covariances) @ matrix.T


def stationary_double_integral(
    integral: Callable[[Tensor, Tensor], Tensor], means: Tensor, covariances: Tensor
) -> Tensor:
    """The (K, K) integrals of k(x - x') N(x; j) N(x'; k) of a stationary kernel.

    x - x' is Gaussian with the difference of the means and the sum of the covariances, so ``integral(delta (P, D), cov)``,
    the (P,) integrals of k(t) N(t; delta, cov) dt, is all that is needed. Each pair is computed once.
    """
    k = means.shape[0]
    rows, columns = torch.triu_indices(k, k, device=means.device)
    values = integral(means[rows] - means[columns], covariances[rows] + covariances[columns])
    upper = values.new_zeros(k, k).index_put((rows, columns), values)
    return upper + torch.triu(upper, 1).T


def standard_normal_nodes(dimension: int, count: int, like: Tensor) -> Tensor:
    """Fixed quasi-random standard normal nodes (count, dimension): a scrambled Sobol set with a fixed seed."""
    if dimension == 0:
        return like.new_zeros(1, 0)
    sobol = torch.quasirandom.SobolEngine(dimension, scramble=True, seed=20190)  # type: ignore[no-untyped-call]
    uniform = sobol.draw(count, dtype=torch.float64).clamp(1e-12, 1 - 1e-12)
    nodes: Tensor = torch.special.ndtri(uniform).to(like)
    return nodes
