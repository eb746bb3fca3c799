"""Integrals of mean functions under Gaussians."""

from __future__ import annotations

from torch import Tensor

from .gaussians import variances_of


def negative_quadratic(peak: Tensor, centre: Tensor, scales: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
    """(K,): integrals of m0 - 1/2 sum_d (x_d - c_d)^2 / w_d^2 (seed 001 eq S4; seed 000 eq 5.51 is the sum of these
    over components, with the mixture weights that its print lacks)."""
    second = (means - centre) ** 2 + variances_of(means, covariances)
    return peak - 0.5 * (second / (scales * scales)).sum(-1)
