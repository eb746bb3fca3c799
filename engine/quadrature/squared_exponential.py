"""Squared-exponential kernel against Gaussians, full or diagonal covariances (seed 000 eqs 4.11, 4.15; METHODS 9.2, 9.3).

k(x, x') = s^2 exp(-1/2 sum_d (x_d - x'_d)^2 / l_d^2), ``variance`` = s^2 (), ``lengthscales`` l (D,).
With A = diag(l^2): int k(x, a) N(x; mu, C) dx = s^2 det(I + A^-1 C)^(-1/2) exp(-1/2 (a - mu)' (A + C)^-1 (a - mu)).
"""

from __future__ import annotations

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_factors
from .gaussians import is_diagonal, stationary_double_integral


def kernel_mean(x: Tensor, variance: Tensor, lengthscales: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
    """z (K, n): the integrals of k(x, x_i) N(x; mu_k, C_k) dx for x (n, D)."""
    squares = lengthscales * lengthscales
    if is_diagonal(means, covariances):
        # Expanding the square turns (K, n, D) work into matrix products; centring keeps its rounding harmless.
        centre = x.mean(0)
        a, m = x - centre, means - centre
        precision = 1.0 / (squares + covariances)
        quadratic = (
            precision @ (a * a).T - 2.0 * (m * precision) @ a.T + (m * m * precision).sum(-1, keepdim=True)
        )
        log_det = torch.log1p(covariances / squares).sum(-1)
    else:
        whitening, log_det = _whitening(squares, covariances)
        moved = x @ whitening.mT - (means.unsqueeze(-2) @ whitening.mT)
        quadratic = (moved * moved).sum(-1)
    return variance * torch.exp(-0.5 * (quadratic + log_det.unsqueeze(-1)))


def double_integral(variance: Tensor, lengthscales: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
    """Gamma (K, K): the integrals of k(x, x') N(x; mu_j, C_j) N(x'; mu_k, C_k) dx dx'."""
    squares = lengthscales * lengthscales

    def integral(delta: Tensor, covariance: Tensor) -> Tensor:
        if is_diagonal(delta, covariance):
            exponent = (delta * delta / (squares + covariance)).sum(-1) + torch.log1p(covariance / squares).sum(-1)
        else:
            whitening, log_det = _whitening(squares, covariance)
            moved = (whitening @ delta.unsqueeze(-1)).squeeze(-1)
            exponent = (moved * moved).sum(-1) + log_det
        return variance * torch.exp(-0.5 * exponent)

    return stationary_double_integral(integral, means, covariances)


def _whitening(squares: Tensor, covariances: Tensor) -> tuple[Tensor, Tensor]:
    """W (K, D, D) with W' W = (A + C)^-1, and log det(I + A^-1 C) (K,)."""
    d = squares.shape[0]
    factor = robust_factors(covariances + torch.diag(squares))
    identity = torch.eye(d, dtype=squares.dtype, device=squares.device).expand_as(factor)
    whitening = torch.linalg.solve_triangular(factor, identity, upper=False)
    log_det = 2.0 * factor.diagonal(dim1=-2, dim2=-1).log().sum(-1) - squares.log().sum()
    return whitening, log_det
