"""Spectral mixture kernel (seed 000 eq 3.14) against Gaussians, re-derived (appendix D mixes 4 pi v and 4 pi^2 v).

k(t) = sum_q w_q prod_d exp(-2 pi^2 t_d^2 v_qd) cos(2 pi t_d m_qd). With a = 4 pi^2 v and b = 2 pi m each factor is the real
part of exp(-a t^2 / 2 + i b t), whose integral under N(t; delta, s^2) is
(1 + a s^2)^(-1/2) exp(-(a delta^2 + b^2 s^2) / (2 (1 + a s^2))) cos(b delta / (1 + a s^2)).
Full covariances: a product of D cosines is the mean of 2^(D-1) cosines of signed sums, each again closed form (D <= 8).
"""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor

from ..torch_linear_algebra import robust_factors
from .gaussians import is_diagonal, stationary_double_integral

MAX_FULL_DIMENSION = 8


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
    total = delta.new_zeros(delta.shape[:-1])
    full = not is_diagonal(delta, covariance)
    for weight, frequency, bandwidth in zip(weights, frequencies, bandwidths, strict=True):
        a, b = 4 * math.pi**2 * bandwidth, 2 * math.pi * frequency
        total = total + weight * (_full(a, b, delta, covariance) if full else _diagonal(a, b, delta, covariance))
    return total


def _diagonal(a: Tensor, b: Tensor, delta: Tensor, variance: Tensor) -> Tensor:
    shrink = 1.0 + a * variance
    exponent = -0.5 * ((a * delta * delta + b * b * variance) / shrink + torch.log(shrink))
    return torch.exp(exponent.sum(-1)) * torch.cos(b * delta / shrink).prod(-1)


def _full(a: Tensor, b: Tensor, delta: Tensor, covariance: Tensor) -> Tensor:
    """Re int exp(-t' A t / 2 + i s't) N(t; delta, C) dt, averaged over s = (b_1, +-b_2, ..., +-b_D)."""
    d = delta.shape[-1]
    if d > MAX_FULL_DIMENSION:
        raise ValueError(
            f"The spectral mixture kernel has closed forms for full covariances up to {MAX_FULL_DIMENSION} parameters; "
            f"this problem has {d}. Use diagonal covariances or another kernel."
        )
    root = a.sqrt()
    inner = torch.eye(d, dtype=delta.dtype, device=delta.device) + root.unsqueeze(-1) * covariance * root
    factor = robust_factors(inner)  # I + A^(1/2) C A^(1/2)
    signs = delta.new_tensor([(1.0, *rest) for rest in itertools.product((1.0, -1.0), repeat=d - 1)])
    s = signs * b  # (P, D)
    # (A + C^-1)^-1 = C - C A^(1/2) inner^-1 A^(1/2) C, so no covariance is ever inverted.
    scaled_delta = (root * delta).unsqueeze(-1)
    moved_delta = torch.linalg.solve_triangular(factor, scaled_delta, upper=False)  # (..., D, 1)
    projected = root.unsqueeze(-1) * (covariance @ s.T)  # (..., D, P)
    moved_signs = torch.linalg.solve_triangular(factor, projected, upper=False)
    spread = (s.T * (covariance @ s.T)).sum(-2) - (moved_signs * moved_signs).sum(-2)  # s' (A + C^-1)^-1 s
    phase = delta @ s.T - (moved_signs * moved_delta).sum(-2)  # s' (I + C A)^-1 delta
    decay = (moved_delta * moved_delta).sum((-2, -1)) + 2.0 * factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)
    return torch.exp(-0.5 * decay) * (torch.exp(-0.5 * spread) * torch.cos(phase)).mean(-1)
