"""Polynomial kernel of degree 2 against Gaussians (RECIPE 4), exact: Gaussian moments.

k(x, x') = s0^2 + s1^2 sum_i x_i x'_i + s2^2 sum_i (x_i^2 - 1)(x'_i^2 - 1) / 2 + s3^2 sum_{i<j} x_i x_j x'_i x'_j.
The kernel is linear in the features 1, x_i, (x_i^2 - 1) / sqrt 2, x_i x_j, so its integrals need first and second moments.
"""

from __future__ import annotations

from torch import Tensor

from .gaussians import second_moments


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
