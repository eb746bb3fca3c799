"""Polynomial kernel of degree 2 against Gaussians (RECIPE 4), exact: Gaussian moments.

k(x, x') = s0^2 + s1^2 sum_i x_i x'_i + s2^2 sum_i (x_i^2 - 1)(x'_i^2 - 1) / 2 + s3^2 sum_{i<j} x_i x_j x'_i x'_j.
The kernel is linear in the features 1, x_i, (x_i^2 - 1) / sqrt 2, x_i x_j, so its integrals need first and second moments;
the variance of such a function under a Gaussian, ``expected_square``, needs moments up to order 4.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .gaussians import as_full, second_moments


def kernel_mean(x: Tensor, variances: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
    """z (K, n) for x (n, D); ``variances`` (4,) are s0^2 .. s3^2."""
    moments = second_moments(means, covariances)  # (K, D, D)
    squares = moments.diagonal(dim1=-2, dim2=-1)
    products = 0.5 * (((x @ moments) * x).sum(-1) - squares @ (x * x).T)
    return (
        variances[0]
        + variances[1] * (means @ x.T)
        + 0.5 * variances[2] * ((squares - 1.0) @ (x * x - 1.0).T)
        + variances[3] * products
    )


def double_integral(variances: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
    """Gamma (K, K)."""
    moments = second_moments(means, covariances)
    squares = moments.diagonal(dim1=-2, dim2=-1)
    flat = moments.flatten(1)
    return (
        variances[0]
        + variances[1] * (means @ means.T)
        + 0.5 * variances[2] * ((squares - 1.0) @ (squares - 1.0).T)
        + 0.5 * variances[3] * (flat @ flat.T - squares @ squares.T)
    )


def features(x: Tensor) -> Tensor:
    """(n, 1 + 2 D + D (D - 1) / 2): 1, x_i, (x_i^2 - 1) / sqrt 2, x_i x_j for i < j."""
    i, j = torch.triu_indices(x.shape[1], x.shape[1], 1, device=x.device)
    return torch.cat([torch.ones_like(x[:, :1]), x, (x * x - 1.0) / math.sqrt(2.0), x[:, i] * x[:, j]], dim=1)


def expected_square(
    constant: Tensor, gradient: Tensor, hessian: Tensor, means: Tensor, covariances: Tensor
) -> Tensor:
    """E[(c + g'x + x'Hx)^2] (K,) under each Gaussian; c (), g (D,), H (D, D) symmetric."""
    full = as_full(means, covariances)
    slope = gradient + 2.0 * means @ hessian  # gradient at the mean
    spread = hessian @ full
    value = constant + means @ gradient + ((means @ hessian) * means).sum(-1) + spread.diagonal(dim1=-2, dim2=-1).sum(-1)
    linear = ((slope.unsqueeze(-2) @ full).squeeze(-2) * slope).sum(-1)
    curvature = 2.0 * (spread @ spread).diagonal(dim1=-2, dim2=-1).sum(-1)
    return value * value + linear + curvature
