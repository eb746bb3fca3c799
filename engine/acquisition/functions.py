"""Acquisition functions, as logarithms to be maximized (METHODS 4).

m and k are the surrogate's posterior mean and variance at x (n, D), q the variational density. Every function maps a
tensor x (n, D) to values (n,), differentiable in x. Constants are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bayescope.engine.sampling.mixture import GaussianMixture
from bayescope.engine.surrogate.interface import Surrogate
from bayescope.engine.surrogate.look_ahead import LookAhead
from bayescope.engine.surrogate.sparse import SparseSurrogate

Acquisition = Callable[[Tensor], Tensor]

LEAST_VARIANCE = 1e-12
INTERQUARTILE = 0.6744897501960817  # standard normal quantile of 3/4


def _log(value: Tensor) -> Tensor:
    return torch.log(torch.clamp(value, min=LEAST_VARIANCE))


def _log_gain(k: Tensor, noise: float) -> Tensor:
    """log of what a run with this noise variance takes off k."""
    return _log(k) if noise == 0.0 else 2.0 * _log(k) - _log(k + noise)


def _log_expm1(k: Tensor) -> Tensor:
    """log(exp(k) - 1) without overflow or loss for small k."""
    small = torch.clamp(k, min=LEAST_VARIANCE)
    return torch.where(small > 1.0, small + torch.log1p(-torch.exp(-small)), torch.log(torch.expm1(torch.clamp(small, max=1.0))))


def uncertainty_sampling(surrogate: Surrogate, q: GaussianMixture) -> Acquisition:
    """US: k q^2 (seed 000 eq 5.55)."""

    def value(x: Tensor) -> Tensor:
        _, k = surrogate.predict(x)
        return _log(k) + 2.0 * q.log_density_tensor(x)

    return value


def prospective(
    surrogate: Surrogate, q: GaussianMixture, density_power: float = 2.0, mean_power: float = 1.0, noise: float = 0.0
) -> Acquisition:
    """PROP: k exp(m)^mean_power q^density_power; powers (1, 2) are seed 000 eq 5.56, (1, 1) seed 001 eq 1. ``noise``: see
    ``tempered``."""

    def value(x: Tensor) -> Tensor:
        m, k = surrogate.predict(x)
        return _log_gain(k, noise) + mean_power * m + density_power * q.log_density_tensor(x)

    return value


def soft_prospective(surrogate: Surrogate, q: GaussianMixture, top: float = 0.0) -> Acquisition:
    """Soft PROP: k softplus(m) q^2 (seed 000 eq 6.13), m relative to ``top``, the highest value (zeromax)."""

    def value(x: Tensor) -> Tensor:
        m, k = surrogate.predict(x)
        m = m - top
        # log softplus(m) is m for very negative m, where softplus underflows.
        log_softplus = torch.where(m < -30.0, m, torch.log(torch.nn.functional.softplus(torch.clamp(m, min=-30.0))))
        return _log(k) + log_softplus + 2.0 * q.log_density_tensor(x)

    return value


def moment_matched(surrogate: Surrogate) -> Acquisition:
    """MMLT: exp(2 m + k)(exp(k) - 1), the variance of exp(f) at x (seed 000 eq 6.14 with k(x, x))."""

    def value(x: Tensor) -> Tensor:
        m, k = surrogate.predict(x)
        return 2.0 * m + k + _log_expm1(k)

    return value


def prospective_moment_matched(surrogate: Surrogate, q: GaussianMixture) -> Acquisition:
    """MMLT_P: MMLT q^2 (seed 000 eq 6.15)."""
    plain = moment_matched(surrogate)

    def value(x: Tensor) -> Tensor:
        return plain(x) + 2.0 * q.log_density_tensor(x)

    return value


def tempered(surrogate: Surrogate, weight: float = 0.6, ceiling: float = math.inf, noise: float = 0.0) -> Acquisition:
    """log k + weight m (RECIPE 6): robust on heavy tails, where weight 1 fails. A mean above ``ceiling`` counts as that.

    A value with a ``noise`` variance takes no more than k^2 / (k + noise) off k: that stands for k.
    """

    def value(x: Tensor) -> Tensor:
        m, k = surrogate.predict(x)
        return _log_gain(k, noise) + weight * torch.clamp(m, max=ceiling)

    return value


@dataclass(frozen=True)
class IntegrationPoints:
    """Points x' (M, D) that stand for q in an integrated function, and their weights (M,)."""

    points: Tensor
    weights: Tensor

    @classmethod
    def drawn_from(cls, q: GaussianMixture, points: Tensor, by_density: bool) -> IntegrationPoints:
        """Of draws of q (M, D); ``by_density``: their weights are 1 / q, up to a factor."""
        log_q = q.log_density_tensor(points)
        return cls(points, torch.exp(log_q.min() - log_q) if by_density else torch.ones_like(log_q))


def _variance_after(surrogate: Surrogate, points: Tensor, noise_variance: float) -> Acquisition:
    """Posterior variance (n, M) at the points once x (n, D), one at a time, has been evaluated, as a function of x."""
    if isinstance(surrogate, SparseSurrogate) and surrogate.variant != "fitc":
        ahead = LookAhead.of(surrogate)
        return lambda x: torch.clamp(ahead.variance(x, points, noise_variance), min=LEAST_VARIANCE)
    _, prior = surrogate.predict(points)

    def value(x: Tensor) -> Tensor:
        _, k = surrogate.predict(x)
        cross = surrogate.covariance(x, points)
        return torch.clamp(prior - cross**2 / (k + noise_variance).unsqueeze(1), min=LEAST_VARIANCE)

    return value


def integrated_interquartile_range(
    surrogate: Surrogate, where: IntegrationPoints, noise_variance: float, *, by_density: bool = False
) -> Acquisition:
    """IMIQR / VIQR: minus the log of 2 int q(x') sinh(0.6745 s(x'; x)) dx', s the sd at x' after adding x (seed 001 eq 2).

    ``by_density`` False (VIQR): the points stand for q. True (IMIQR): they are reweighted by exp(m(x')), the surrogate's own
    posterior; give points drawn from q with weights 1 / q.
    """
    with torch.no_grad():
        log_weights = torch.log(torch.clamp(where.weights, min=1e-300))
        if by_density:
            mean, _ = surrogate.predict(where.points)
            log_weights = log_weights + mean - mean.max()
        log_weights = log_weights - torch.logsumexp(log_weights, 0)
        after = _variance_after(surrogate, where.points, noise_variance)

    def value(x: Tensor) -> Tensor:
        s = INTERQUARTILE * torch.sqrt(after(x))
        log_sinh = s + torch.log1p(-torch.exp(-2.0 * s))  # log 2 sinh
        return -torch.logsumexp(log_sinh + log_weights, dim=1)

    return value


def with_exclusions(acquisition: Acquisition, failed: Tensor, whiten: Tensor, radius: float) -> Acquisition:
    """``acquisition`` lowered around points that failed (F, D), so that they are not asked for again.

    Distances are Euclidean after ``whiten`` (D, D). The penalty is log(1 - exp(-r^2 / (2 radius^2))): minus infinity at a
    failed point, gone a few radii away.
    """
    if failed.shape[0] == 0:
        return acquisition
    white_failed = failed @ whiten.T

    def value(x: Tensor) -> Tensor:
        square = ((x @ whiten.T).unsqueeze(1) - white_failed.unsqueeze(0)).pow(2).sum(dim=2)
        penalty = torch.log(torch.clamp(-torch.expm1(-square / (2.0 * radius**2)), min=1e-30)).sum(dim=1)
        return acquisition(x) + penalty

    return value
