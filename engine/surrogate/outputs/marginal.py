"""The log-likelihood of uncertain scores of the outputs: by Laplace's method, and what it varies by to second order (torch)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from scipy import stats
from torch import Tensor

from ...likelihood.of_scores import Likelihood

STEPS = 5  # Newton steps to the mode of the scores
SETTLED = 1e-3  # twice the nats that a step promises, below which it is the last: .03 sd of what the data leave of the scores
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


@dataclass
class _Expanded:
    """The log-likelihood about scores z (m, K): its slope (m, K) and curvature (m, K, K) there."""

    z: Tensor
    slope: Tensor
    curvature: Tensor

    @classmethod
    def at(cls, likelihood: Likelihood, z: Tensor, p: Tensor) -> Self:
        return cls(z, likelihood.slope(z, p), likelihood.curvature(z, p))

    def put(self, which: Tensor, new: _Expanded) -> None:
        if len(which) == len(self.z):  # all of them: nothing is copied
            self.z, self.slope, self.curvature = new.z, new.slope, new.curvature
            return
        self.z, self.slope = self.z.index_copy(0, which, new.z), self.slope.index_copy(0, which, new.slope)
        self.curvature = self.curvature.index_copy(0, which, new.curvature)


def marginal(likelihood: Likelihood, mean: Tensor, variance: Tensor, p: Tensor) -> Marginal:
    """By Laplace's method in the scores, exact where the log-likelihood is quadratic in them.

    mean, variance (m, K) of the scores, p (m, P) noise parameters. The variance is that of the second-order expansion.
    """
    sd = torch.sqrt(variance)
    known = _Expanded.at(likelihood, mean, p)
    slope, curvature = known.slope, _in_sds(known.curvature, sd)
    of_value, spread = spread_of_value(sd * slope, curvature), size_of(curvature)
    return Marginal(_laplace(likelihood, mean, sd, p, known), of_value, slope, spread)


def marginal_of_t(likelihood: Likelihood, mean: Tensor, variance: Tensor, p: Tensor, most: Tensor | None = None) -> Tensor:
    """Log mean likelihood (m,) of scores whose errors are together Student-t of DEGREES, ``variance`` (m, K) their squared scale:
    normal with variances multiplied by DEGREES / chi^2, in each part of that by the inverse of the mean inverse.

    The mode of every part is looked for from that of the one before, of smaller variances. ``most`` (m,): what the log-likelihood
    of the scores counts for at most; a part whose mode fits better is scaled down as that is.
    """
    if len(mean) == 0:
        return mean.new_zeros(0)
    ends = np.concatenate([[np.inf], DEGREES / BORDERS, [0.0]])
    shares, inverse = (-np.diff(stats.chi2.cdf(ends, k)) for k in (DEGREES, DEGREES + 2.0))
    known, each = _Expanded.at(likelihood, mean, p), []
    for share, pull in zip(shares, inverse, strict=True):
        sd = torch.sqrt(float(share / pull) * variance)
        each.append(_laplace(likelihood, mean, sd, p, known, most) + float(np.log(share)))
    return torch.logsumexp(torch.stack(each), 0)


def _laplace(
    likelihood: Likelihood, mean: Tensor, sd: Tensor, p: Tensor, known: _Expanded, most: Tensor | None = None
) -> Tensor:
    """Log mean likelihood (m,) of scores with ``mean`` and ``sd`` (m, K). ``known``: where the mode is looked for from; what was
    expanded last on the way there, after it. ``most`` (m,): see ``marginal_of_t``."""
    if likelihood.quadratic:
        factor = _factor(_in_sds(known.curvature, sd))
        ahead: Tensor = torch.linalg.solve_triangular(factor, (sd * known.slope)[:, :, None], upper=False)
        top = likelihood.log_density(mean, p) + 0.5 * (ahead**2).sum((1, 2))
        away = None if most is None else torch.linalg.solve_triangular(factor.mT, ahead, upper=True)[:, :, 0]
    else:
        away, factor = _mode(likelihood, mean, sd, p, known)
        top = likelihood.log_density(mean + sd * away, p) - 0.5 * (away**2).sum(1)
    if most is not None and away is not None:
        top = top - (top + 0.5 * (away**2).sum(1) - most).clamp_min(0.0)
    return top - torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1)


def _mode(likelihood: Likelihood, mean: Tensor, sd: Tensor, p: Tensor, known: _Expanded) -> tuple[Tensor, Tensor]:
    """Where the log density of the scores is highest, in sds (m, K) from their mean, and the Cholesky factor (m, K, K) of its
    curvature there; ``known``: as in ``_laplace``."""
    away, factor = torch.empty_like(mean), torch.empty_like(known.curvature)
    rows, of_rows = torch.arange(len(mean), device=mean.device), (mean, sd, p, known)  # whose mode is still looked for
    for _ in range(STEPS):
        centre, its, own, here = of_rows
        now = (here.z - centre) / its
        pull, root = its * here.slope - now, _factor(_in_sds(here.curvature, its))
        step = torch.cholesky_solve(pull[:, :, None], root)[:, :, 0]
        length = torch.sqrt((step**2).sum(1, keepdim=True))
        away[rows], factor[rows] = now + step * (FARTHEST_STEP / length.clamp_min(FARTHEST_STEP)), root
        going = ~((step * pull).sum(1) < SETTLED)
        if not going.all():
            rows, centre, its, own = rows[going], centre[going], its[going], own[going]
        if len(rows) == 0:
            break
        here = _Expanded.at(likelihood, centre + its * away[rows], own)
        known.put(rows, here)
        of_rows = centre, its, own, here
    return away, factor


def _factor(curvature: Tensor) -> Tensor:
    """Cholesky factor (m, K, K) of the curvature, which is used up, with that of the scores' own density, 1."""
    torch.diagonal(curvature, dim1=1, dim2=2).add_(1.0)
    factor: Tensor = torch.linalg.cholesky_ex(curvature)[0]
    return factor


def _in_sds(curvature: Tensor, sd: Tensor) -> Tensor:
    """Curvature (m, K, K) with respect to scores in units of their sd (m, K)."""
    return curvature * sd[:, :, None] * sd[:, None, :]


def size_of(curvature: Tensor) -> Tensor:
    """The variance of the scores in units of the noise (m,), from the curvature (m, K, K) in units of their sds."""
    return torch.diagonal(curvature, dim1=1, dim2=2).sum(1)


def spread_of_value(slope: Tensor, curvature: Tensor) -> Tensor:
    """Variance (m,) of the log-likelihood to second order: slope (m, K) and curvature (m, K, K) in units of the scores' sds."""
    return (slope**2).sum(1) + 0.5 * (curvature**2).sum((1, 2))


def expansion(likelihood: Likelihood, z: Tensor, p: Tensor, sd: Tensor) -> tuple[Tensor, Tensor]:
    """Slope (m, K) with respect to the scores at z, curvature (m, K, K) with respect to scores in units of their sd (m, K)."""
    return likelihood.slope(z, p), _in_sds(likelihood.curvature(z, p), sd)
