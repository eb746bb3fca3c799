"""Evidence of a positive integrand: WSABI-L and WSABI-M (seed 000 sec 4.3 with METHODS 9.4).

The likelihood is L(x) = alpha + g(x)^2 / 2 with g a zero-mean Gaussian process with a squared-exponential kernel. With m, k_D
the posterior mean and covariance of g (m = sum_i a_i k(., x_i), a = C^-1 g(X)) and p a Gaussian mixture:

    WSABI-L  mean alpha + m^2 / 2,          covariance m(x) k_D(x, x') m(x')
    WSABI-M  mean alpha + (m^2 + k_D) / 2,  covariance k_D(x, x')^2 / 2 + m(x) k_D(x, x') m(x')

Needed of the kernel: T_ij = int k(x, x_i) k(x, x_j) p(x) dx and U_ij = int int k(x, x_i) k(x, x') k(x', x_j) p(x) p(x') dx dx'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_factors
from . import squared_exponential
from .gaussians import as_full


@dataclass(frozen=True)
class Evidence:
    """Mean and variance of int L(x) p(x) dx, in the units of L."""

    mean: Tensor
    variance: Tensor


def evidence(
    x: Tensor,
    root_values: Tensor,
    offset: float,
    variance: Tensor,
    lengthscales: Tensor,
    factor: Tensor,
    weights: Tensor,
    means: Tensor,
    covariances: Tensor,
    method: Literal["linear", "moments"] = "linear",
) -> Evidence:
    """WSABI-L ("linear") or WSABI-M ("moments") under sum_k weights_k N(means_k, covariances_k).

    x (n, D); root_values g(X) = sqrt(2 (L - offset)) (n,); kernel variance () and lengthscales (D,); ``factor`` (n, n) the
    lower Cholesky factor of the kernel matrix with its noise. O(K^2 n^2 D^2).
    """
    full = as_full(means, covariances)
    a = torch.cholesky_solve(root_values.unsqueeze(1), factor).squeeze(1)
    t = squared_kernel_integral(x, variance, lengthscales, weights, means, full)
    u = chained_kernel_integral(x, variance, lengthscales, weights, means, full)
    ta = t @ a
    moved = torch.linalg.solve_triangular(factor, ta.unsqueeze(1), upper=False)
    mean = offset + 0.5 * (a @ ta)
    spread = a @ u @ a - (moved * moved).sum()
    if method == "moments":
        inverse_t = torch.cholesky_solve(t, factor)
        mean = mean + 0.5 * (variance - inverse_t.diagonal().sum())
        # k_D^2 = k^2 - 2 k (k C^-1 k) + (k C^-1 k)^2; k^2 is again squared exponential.
        shorter = lengthscales / 2.0**0.5
        squared = weights @ squared_exponential.double_integral(variance * variance, shorter, means, full) @ weights
        crossed = torch.cholesky_solve(u, factor).diagonal().sum()
        spread = spread + 0.5 * (squared - 2.0 * crossed + (inverse_t * inverse_t.T).sum())
    return Evidence(mean, spread.clamp_min(0.0))


def squared_kernel_integral(
    x: Tensor, variance: Tensor, lengthscales: Tensor, weights: Tensor, means: Tensor, covariances: Tensor
) -> Tensor:
    """T (n, n): k(x, x_i) k(x, x_j) is exp(-|x_i - x_j|^2 / 4) times a kernel of length l / sqrt 2 at their middle."""
    n, d = x.shape
    middles = 0.5 * (x.unsqueeze(1) + x).reshape(n * n, d)
    shorter = lengthscales / 2.0**0.5
    z = weights @ squared_exponential.kernel_mean(middles, variance * variance, shorter, means, covariances)
    return z.reshape(n, n) * torch.exp(-0.25 * _squared_distances(x, lengthscales))


def chained_kernel_integral(
    x: Tensor, variance: Tensor, lengthscales: Tensor, weights: Tensor, means: Tensor, covariances: Tensor
) -> Tensor:
    """U (n, n): one Gaussian integral over v = (x, x') per pair of components.

    The exponents sum to -1/2 (v - c)' P (v - c) - |x_i - x_j|^2 / 6 with P = [[2, -1], [-1, 2]] x A^-1, A = diag(l^2), and
    c = (2 x_i + x_j, x_i + 2 x_j) / 3.
    """
    n, d = x.shape
    inner = torch.diag(lengthscales**2) / 3.0
    p_inverse = torch.cat([torch.cat([2 * inner, inner], 1), torch.cat([inner, 2 * inner], 1)])
    log_det_p = -torch.linalg.slogdet(p_inverse)[1]
    first, second = x.unsqueeze(1).expand(n, n, d), x.unsqueeze(0).expand(n, n, d)
    centres = torch.cat([2 * first + second, first + 2 * second], -1).reshape(n * n, 2 * d) / 3.0
    total = x.new_zeros(n * n)
    for j in range(means.shape[0]):
        for k in range(means.shape[0]):
            zeros = torch.zeros_like(covariances[j])
            spread = torch.cat([torch.cat([covariances[j], zeros], 1), torch.cat([zeros, covariances[k]], 1)])
            factor = robust_factors(p_inverse + spread)
            delta = (centres - torch.cat([means[j], means[k]])).T
            moved = torch.linalg.solve_triangular(factor, delta, upper=False)
            log_det = 2.0 * factor.diagonal().log().sum() + log_det_p  # log det(I + P S)
            total = total + weights[j] * weights[k] * torch.exp(-0.5 * ((moved * moved).sum(0) + log_det))
    decay = torch.exp(-_squared_distances(x, lengthscales) / 6.0)
    return variance**3 * total.reshape(n, n) * decay


def _squared_distances(x: Tensor, lengthscales: Tensor) -> Tensor:
    scaled = x / lengthscales
    return ((scaled.unsqueeze(1) - scaled) ** 2).sum(-1)
