"""Independent Gaussian processes for several scores at the same inputs, all at once: kernels, fits and solves are one batch.

For each score: a^2 k(|x - x'| / l) + b^2 (1 + x.x') + c^2 (x.x')^2 + nugget, inputs and scores standardized, k squared
exponential or Matern 5/2. Hyperparameters, all logarithms, in order: l (d), a, b, c, nugget (sd).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ...numerics.minimization import lowest
from ...numerics.parts import in_parts
from ...numerics.radial import Profile, radial_profile
from ...numerics.torch_linear_algebra import robust_factors
from ..kernels.batched import correlation

Array = NDArray[np.float64]

PRIOR_MEAN, PRIOR_SD = (math.log(2.0), 0.0, 0.0, -1.5), (1.0, 1.0, 1.0, 1.0)  # of log l, a, b, c (OUTPUTS)
NUGGET_SD = 1.0  # prior sd of the log nugget
LIMITS = ((math.log(0.05), math.log(50.0)), (-7.0, 4.0), (-7.0, 4.0), (-9.0, 3.0))
NUGGET_LIMITS = (-12.0, 1.0)
FIRST_STEPS, WARM_STEPS = 150, 50  # of L-BFGS over the hyperparameters of all scores at once
NO_GAIN = 0.01  # nats of all scores together: a step that brings less is the last
JITTER = 1e-9
ROWS = 32  # of a prior covariance at once: 20 of them with 300 points take 1.5 MB


@dataclass(frozen=True)
class Standardized:
    """Inputs x (n, d) as (x - centre) / width, scores z (n, K) as z / size; ``extra`` (K, n): nugget variance of far runs."""

    x: Tensor
    z: Tensor
    extra: Tensor
    nugget: Tensor  # (K,) prior mean of the log nugget, in standardized scores
    level: Tensor | None = None  # (n,) by which the nugget's variance is multiplied at each run; None: nowhere

    def noise(self, nugget: Tensor) -> Tensor:
        """Variances (K, n) of the scores about the surface; ``nugget`` (K, 1): its variance."""
        return (nugget if self.level is None else nugget * self.level) + self.extra + JITTER

    def beyond(self, theta: Tensor) -> Tensor:
        """What ``noise`` is more than the nugget alone (K, n), hyperparameters theta (K, d + 4)."""
        return self.extra if self.level is None else self.extra + torch.exp(2.0 * theta[:, -1:]) * (self.level - 1.0)


class Objective:
    """Negative log posterior of all hyperparameters (K, d + 4) and its gradient; the scores are independent of each other."""

    def __init__(self, data: Standardized, kind: Profile) -> None:
        self.data, self.kind = data, kind
        inner = data.x @ data.x.T
        self.linear, self.quadratic = 1.0 + inner, inner**2
        self.polynomials = torch.stack([self.linear.ravel(), self.quadratic.ravel()], 1)  # (n n, 2)
        d, k = data.x.shape[1], data.z.shape[1]
        mean = torch.tensor([PRIOR_MEAN[0]] * d + list(PRIOR_MEAN[1:]) + [0.0], dtype=torch.float64, device=data.x.device)
        sd = torch.tensor([PRIOR_SD[0]] * d + list(PRIOR_SD[1:]) + [NUGGET_SD], dtype=torch.float64, device=data.x.device)
        self.mean, self.sd = mean.repeat(k, 1), sd
        self.mean[:, -1] = data.nugget

    def __call__(self, theta: Tensor) -> tuple[Tensor, Tensor]:
        """Values (K,) and gradients (K, d + 4)."""
        d = self.data.x.shape[1]
        a2, b2, c2, s2 = torch.exp(2.0 * theta[:, d:]).T[:, :, None, None].unbind(0)
        scaled = self.data.x / torch.exp(theta[:, None, :d])  # (K, n, d)
        norm = (scaled**2).sum(-1)
        norms = norm[:, :, None] + norm[:, None, :]
        distance = torch.baddbmm(norms, scaled, scaled.transpose(1, 2), alpha=-2.0).clamp_min_(0.0)
        correlated, fall = radial_profile(distance, self.kind)
        covariance = (a2 * correlated).addcmul_(b2, self.linear).addcmul_(c2, self.quadratic)
        torch.diagonal(covariance, dim1=1, dim2=2).add_(self.data.noise(s2[:, :, 0]))
        factor, info = torch.linalg.cholesky_ex(covariance)
        z = self.data.z.T[:, :, None]
        alpha = torch.cholesky_solve(z, factor)
        nll = 0.5 * (z * alpha).sum((1, 2)) + torch.log(torch.diagonal(factor, dim1=1, dim2=2)).sum(1)
        # d nll / d covariance is minus half of it
        outer = torch.baddbmm(torch.cholesky_inverse(factor), alpha, alpha.transpose(1, 2), beta=-1.0)
        alike = outer * correlated
        slope = a2 * (alike if fall is correlated else outer * fall)
        by_polynomials = outer.reshape(len(outer), -1) @ self.polynomials  # (K, 2)
        by_length = (slope.sum(2)[:, :, None] * scaled**2).sum(1) - (scaled * (slope @ scaled)).sum(1)
        gradient = torch.cat(
            [
                -by_length,
                -a2[:, :, 0] * alike.sum((1, 2))[:, None],
                -torch.cat([b2, c2], 2)[:, 0] * by_polynomials,
                -(s2[:, 0] * self._of_nugget(torch.diagonal(outer, dim1=1, dim2=2)).sum(1, keepdim=True)),
            ],
            1,
        )
        off = (theta - self.mean) / self.sd
        nll, gradient = nll + 0.5 * (off**2).sum(1), gradient + off / self.sd
        bad = (info != 0) | ~torch.isfinite(nll)
        return torch.where(bad, 1e10, nll), torch.where(bad[:, None], 0.0, gradient)

    def _of_nugget(self, diagonal: Tensor) -> Tensor:
        """(K, n)"""
        return diagonal if self.data.level is None else diagonal * self.data.level

    def limits(self) -> list[tuple[float, float]]:
        """For one score, in order."""
        d = self.data.x.shape[1]
        return [LIMITS[0]] * d + list(LIMITS[1:]) + [NUGGET_LIMITS]


def fit(objective: Objective, start: Tensor | None) -> tuple[Tensor, Tensor]:
    """MAP hyperparameters (K, d + 4) and their objective values (K,); ``start`` None: from the prior mean.

    From ``start`` and from the prior mean, for each score the better end: a score may be another one than when ``start`` was
    found, and lengths that were once too short stay so.
    """
    theta, value = _descent(objective, objective.mean, FIRST_STEPS)
    if start is not None:
        warm, reached = _descent(objective, start, WARM_STEPS)
        better = reached < value
        theta, value = torch.where(better[:, None], warm, theta), torch.where(better, reached, value)
    return theta, value


def _descent(objective: Objective, start: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """Where a descent from hyperparameters (K, d + 4) ends, and the objective's values (K,) there."""
    box = objective.limits() * objective.data.z.shape[1]
    low, high = np.array(box).T
    first = start.cpu().numpy().ravel()
    shape = objective.mean.shape

    def total(flat: Array) -> tuple[float, Array]:
        value, gradient = objective(torch.as_tensor(flat.reshape(shape), device=objective.mean.device))
        return float(value.sum()), gradient.cpu().numpy().ravel()

    size = max(abs(total(np.clip(first, low, high))[0]), 1.0)
    found = lowest(total, [first], low, high, steps, NO_GAIN / size)
    theta = torch.as_tensor(found.x.reshape(shape), device=objective.mean.device)
    return theta, objective(theta)[0]


class GaussianProcesses:
    """K independent processes conditioned on the same n inputs; hyperparameters theta (K, d + 4) fixed."""

    def __init__(self, data: Standardized, theta: Tensor, kind: Profile) -> None:
        self.data, self.theta, self.kind = data, theta, kind
        covariance = self.prior(data.x, data.x)
        self.noise = data.noise(torch.exp(2.0 * theta[:, -1:]))  # (K, n)
        self.factor = robust_factors(covariance + torch.diag_embed(self.noise))
        self.alpha = torch.cholesky_solve(data.z.T[:, :, None], self.factor)[:, :, 0]
        self.halves = _halves(self.factor)

    def prior(self, x: Tensor, other: Tensor) -> Tensor:
        """Prior covariance (K, n, m) between inputs (n, d) and (m, d), without the nugget."""
        _, b2, c2 = self._variances(x)
        inner = x @ other.T
        found = correlation(self._distance(x, other), self.kind, 2.0 * self.theta[:, x.shape[1], None, None])
        return found.addcmul_(b2, 1.0 + inner).addcmul_(c2, inner**2)

    def _variances(self, x: Tensor) -> tuple[Tensor, ...]:
        """a^2, b^2, c^2 (K, 1, 1)."""
        d = x.shape[1]
        return torch.exp(2.0 * self.theta[:, d : d + 3]).T[:, :, None, None].unbind(0)

    def _distance(self, x: Tensor, other: Tensor) -> Tensor:
        """Squared and scaled (K, n, m)."""
        inverse = torch.exp(-self.theta[:, None, : x.shape[1]])
        one, two = x * inverse, other * inverse
        left = torch.cat([-2.0 * one, (one**2).sum(-1, keepdim=True), torch.ones_like(one[:, :, :1])], 2)
        right = torch.cat([two, torch.ones_like(two[:, :, :1]), (two**2).sum(-1, keepdim=True)], 2)
        return (left @ right.transpose(1, 2)).clamp_min_(0.0)

    def variance(self, x: Tensor) -> Tensor:
        """Prior variance (K, m)."""
        d = x.shape[1]
        a2, b2, c2 = torch.exp(2.0 * self.theta[:, d : d + 3]).T[:, :, None].unbind(0)
        square = (x**2).sum(1)
        return a2 + b2 * (1.0 + square) + c2 * square**2

    def predict(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and variance (m, K) of the scores at inputs (m, d), without the nugget."""
        cross = self.prior(self.data.x, x)
        mean = (self.alpha[:, None, :] @ cross)[:, 0]
        explained = sum((half @ cross[:, : half.shape[2]]).square_().sum(1) for half in self.halves)
        return mean.T, (self.variance(x) - explained).clamp_min(1e-12).T

    def mean(self, x: Tensor) -> Tensor:
        """Of the scores (m, K) at inputs (m, d)."""
        return (self.alpha[:, None, :] @ self.prior(self.data.x, x))[:, 0].T

    def slope(self, x: Tensor, by_mean: Tensor, by_variance: Tensor) -> Tensor:
        """Gradient (m, d) at inputs (m, d) of a function whose derivatives with respect to mean and variance (m, K) are given."""
        a2, b2, c2 = self._variances(x)
        known, inner = self.data.x, self.data.x @ x.T
        correlated, fall = radial_profile(self._distance(known, x), self.kind)
        cross = a2 * correlated + b2 * (1.0 + inner) + c2 * inner**2
        by_cross = self.alpha[:, :, None] * by_mean.T[:, None, :]
        by_cross -= 2.0 * by_variance.T[:, None, :] * torch.cholesky_solve(cross, self.factor)
        by_distance = a2 * fall * by_cross  # d correlation / d x = -fall (x - known) / l^2
        pulled = by_distance.sum(1)[:, :, None] * x - by_distance.transpose(1, 2) @ known
        by_length = torch.exp(-2.0 * self.theta[:, None, : x.shape[1]])
        by_inner = (by_cross * (b2 + 2.0 * c2 * inner)).sum(0)
        own = (by_variance.T * (2.0 * b2 + 4.0 * c2 * (x**2).sum(1))[:, 0]).sum(0)
        found: Tensor = by_inner.T @ known + own[:, None] * x - (pulled * by_length).sum(0)
        return found

    def covariance(self, x: Tensor, other: Tensor) -> Tensor:
        """Posterior covariance (K, n, m)."""
        one: Tensor = torch.linalg.solve_triangular(self.factor, self.prior(self.data.x, x), upper=False)
        two: Tensor = torch.linalg.solve_triangular(self.factor, self.prior(self.data.x, other), upper=False)
        return self.prior(x, other) - one.transpose(1, 2) @ two

    def variance_of_sum(self, x: Tensor, weights: Tensor) -> Tensor:
        """Posterior variance (K,) of sum_j w_kj f_k(x_j), x (m, d), weights (m, K), without a covariance of all with all."""
        w = weights.T[:, :, None]
        prior = torch.cat([self.prior(x[part], x) @ w for part in in_parts(len(x), ROWS)], 1)
        explained: Tensor = torch.linalg.solve_triangular(self.factor, self.prior(self.data.x, x) @ w, upper=False)
        return (w * prior).sum((1, 2)) - (explained**2).sum((1, 2))

    def covariance_of_sums(self, x: Tensor, weights: Tensor) -> Tensor:
        """Posterior covariance (m, m) of sum_k w_jk f_k(x_j), x (m, d), weights (m, K)."""
        w = weights.T[:, None, :]
        explained: Tensor = torch.linalg.solve_triangular(self.factor, self.prior(self.data.x, x).mul_(w), upper=False)
        rows = explained.reshape(-1, len(x))
        return self.prior(x, x).mul_(w).mul_(w.transpose(1, 2)).sum(0) - rows.T @ rows

    def leave_one_out(self) -> tuple[Tensor, Tensor]:
        """Mean and variance (n, K) of every score without its own run, nugget included, hyperparameters fixed."""
        inverse = torch.cholesky_inverse(self.factor)
        variance = 1.0 / torch.diagonal(inverse, dim1=1, dim2=2)
        return self.data.z - (self.alpha * variance).T, variance.T


def _halves(factor: Tensor) -> tuple[Tensor, Tensor]:
    """The inverse of lower factors (K, n, n): its upper rows, without what is zero there, and its lower ones. Two products with
    them take two thirds of the time of a solve."""
    n, k = factor.shape[1], factor.shape[1] // 2
    one = torch.eye(n, dtype=factor.dtype, device=factor.device).expand_as(factor)
    inverse: Tensor = torch.linalg.solve_triangular(factor, one, upper=False)
    return inverse[:, :k, :k].contiguous(), inverse[:, k:].contiguous()
