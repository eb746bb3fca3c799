"""The log-likelihood of uncertain scores of the outputs: by Laplace's method, and what it varies by to second order (torch)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from ...likelihood.of_scores import Likelihood

STEPS, SETTLED = 5, 1e-3  # Newton steps to the mode of the scores, and the step, in their sds, below which it is reached
FARTHEST_STEP = 3.0  # sds, per step, where the log-likelihood is not quadratic in the scores
# of the t distribution that errors of what is predicted far from all runs have: hyperparameters are learnt where runs are
DEGREES = 4.0
BORDERS = 0.25 * 3.0 ** np.arange(6)  # between the parts in which it is averaged, of what variances are multiplied by


@dataclass(frozen=True)
class Marginal:
    """The log-likelihood (m,) with the emulator's uncertainty integrated out, its variance under the emulator (m,), its slope
    (m, K) with respect to the scores at their mean, and the emulator's variance in units of the noise, over all scores (m,)."""

    value: Tensor
    variance: Tensor
    slope: Tensor
    spread: Tensor


def marginal(likelihood: Likelihood, mean: Tensor, variance: Tensor, p: Tensor) -> Marginal:
    """By Laplace's method in the scores, exact where the log-likelihood is quadratic in them.

    mean, variance (m, K) of the scores, p (m, P) noise parameters. The variance is that of the second-order expansion.
    """
    sd = torch.sqrt(variance)
    slope, curvature = expansion(likelihood, mean, p, sd)
    of_value = spread_of_value(sd * slope, curvature)
    factor = _factor(curvature)
    if likelihood.quadratic:
        ahead: Tensor = torch.linalg.solve_triangular(factor, (sd * slope)[:, :, None], upper=False)
        top = likelihood.log_density(mean, p) + 0.5 * (ahead**2).sum((1, 2))
    else:
        top, factor = _mode(likelihood, mean, sd, p, (slope, factor))
    log_det = 2.0 * torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1)
    return Marginal(top - 0.5 * log_det, of_value, slope, size_of(curvature))


def marginal_of_t(likelihood: Likelihood, mean: Tensor, variance: Tensor, p: Tensor) -> Tensor:
    """Log mean likelihood (m,) of scores whose errors are together Student-t of DEGREES, ``variance`` (m, K) their squared scale:
    normal with variances multiplied by DEGREES / chi^2, in each part of that by the inverse of the mean inverse."""
    ends = np.concatenate([[np.inf], DEGREES / BORDERS, [0.0]])
    shares, inverse = (-np.diff(stats.chi2.cdf(ends, k)) for k in (DEGREES, DEGREES + 2.0))
    each = [
        marginal(likelihood, mean, float(share / pull) * variance, p).value + float(np.log(share))
        for share, pull in zip(shares, inverse, strict=True)
    ]
    return torch.logsumexp(torch.stack(each), 0)


def _mode(likelihood: Likelihood, mean: Tensor, sd: Tensor, p: Tensor, first: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Highest log density (m,) of scores less half of their squared distance from ``mean`` in sds, and the Cholesky factor
    (m, K, K) of its curvature there; ``first``: slope and factor at the mean."""
    away, rows = torch.zeros_like(mean), torch.arange(len(mean), device=mean.device)  # whose mode is still looked for
    slope, factor = first
    of_rows, here = factor, (mean, sd, p)
    for turn in range(STEPS):
        if turn > 0:
            slope, curvature = expansion(likelihood, here[0] + here[1] * away[rows], here[2], here[1])
            of_rows = _factor(curvature)
            factor[rows] = of_rows
        step = torch.cholesky_solve((here[1] * slope - away[rows])[:, :, None], of_rows)[:, :, 0]
        length = torch.sqrt((step**2).sum(1, keepdim=True))
        step = step * (FARTHEST_STEP / length.clamp_min(FARTHEST_STEP))
        away[rows] += step
        going = ~(step.abs().amax(1) < SETTLED)
        if not going.all():
            rows, here = rows[going], (here[0][going], here[1][going], here[2][going])
        if len(rows) == 0:
            break
    return likelihood.log_density(mean + sd * away, p) - 0.5 * (away**2).sum(1), factor


def _factor(curvature: Tensor) -> Tensor:
    """Cholesky factor (m, K, K) of the curvature with that of the scores' own density, 1."""
    own = torch.eye(curvature.shape[1], dtype=curvature.dtype, device=curvature.device)
    factor: Tensor = torch.linalg.cholesky_ex(curvature + own)[0]
    return factor


def size_of(curvature: Tensor) -> Tensor:
    """The variance of the scores in units of the noise (m,), from the curvature (m, K, K) in units of their sds."""
    return torch.diagonal(curvature, dim1=1, dim2=2).sum(1)


def spread_of_value(slope: Tensor, curvature: Tensor) -> Tensor:
    """Variance (m,) of the log-likelihood to second order: slope (m, K) and curvature (m, K, K) in units of the scores' sds."""
    return (slope**2).sum(1) + 0.5 * (curvature**2).sum((1, 2))


def expansion(likelihood: Likelihood, z: Tensor, p: Tensor, sd: Tensor) -> tuple[Tensor, Tensor]:
    """Slope (m, K) with respect to the scores at z, curvature (m, K, K) with respect to scores in units of their sd (m, K)."""
    return likelihood.slope(z, p), likelihood.curvature(z, p) * sd[:, :, None] * sd[:, None, :]
