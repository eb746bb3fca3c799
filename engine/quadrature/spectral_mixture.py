"""Spectral mixture kernel (seed 000 eq 3.14) against Gaussians, re-derived (appendix D mixes 4 pi v and 4 pi^2 v).

k(t) = sum_q w_q prod_d exp(-2 pi^2 t_d^2 v_qd) cos(2 pi t_d m_qd). With a = 4 pi^2 v and b = 2 pi m each factor is the real
part of exp(-a t^2 / 2 + i b t), whose integral under N(t; delta, s^2) is
(1 + a s^2)^(-1/2) exp(-(a delta^2 + b^2 s^2) / (2 (1 + a s^2))) cos(b delta / (1 + a s^2)).
Of diagonal covariances alone, as in appendix D: with full ones a product of D cosines is 2^(D-1) of them.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .gaussians import is_diagonal, stationary_double_integral


def kernel_mean(
    x: Tensor, weights: Tensor, frequencies: Tensor, bandwidths: Tensor, means: Tensor, covariances: Tensor
) -> Tensor:
    """z (K, n) for x (n, D); weights w (Q,), frequencies m (Q, D), bandwidths v (Q, D)."""
    return _integral(weights, frequencies, bandwidths, means.unsqueeze(1) - x, covariances.unsqueeze(1))


def double_integral(
    weights: Tensor, frequencies: Tensor, bandwidths: Tensor, means: Tensor, covariances: Tensor
) -> Tensor:
    """Gamma (K, K): the integrals of k(x - x') N(x; mu_j, C_j) N(x'; mu_k, C_k) dx dx'."""

    def integral(delta: Tensor, covariance: Tensor) -> Tensor:
        return _integral(weights, frequencies, bandwidths, delta, covariance)

    return stationary_double_integral(integral, means, covariances)


def _integral(weights: Tensor, frequencies: Tensor, bandwidths: Tensor, delta: Tensor, covariance: Tensor) -> Tensor:
    """Raises ValueError for full covariances."""
    if not is_diagonal(delta, covariance):
        raise ValueError("The spectral mixture kernel is integrated over Gaussians without correlations alone.")
    total = delta.new_zeros(delta.shape[:-1])
    for weight, frequency, bandwidth in zip(weights, frequencies, bandwidths, strict=True):
        a, b = 4 * math.pi**2 * bandwidth, 2 * math.pi * frequency
        total = total + weight * _diagonal(a, b, delta, covariance)
    return total


def _diagonal(a: Tensor, b: Tensor, delta: Tensor, variance: Tensor) -> Tensor:
    shrink = 1.0 + a * variance
    exponent = -0.5 * ((a * delta * delta + b * b * variance) / shrink + torch.log(shrink))
    return torch.exp(exponent.sum(-1)) * torch.cos(b * delta / shrink).prod(-1)
