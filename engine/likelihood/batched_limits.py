"""Cells that give a limit only, for many predictions at once (torch): the probability of a value on their side of it.

Shapes and ``curvature`` as in ``batched_noise``. Formulas: ``limits`` beside this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..numerics import log_tails
from .batched_noise import TINY, Gaussian, LogNormal, NegativeBinomial, Poisson, StudentT, level, weighted

Array = NDArray[np.float64]
OneByOne = Gaussian | StudentT | LogNormal | Poisson | NegativeBinomial
SURE = 37.0  # standard deviations on the right side of a limit: the other tail is below the smallest number
LARGEST = 690.0  # logarithm of a number that can be held
STEP = 1e-6  # of the logarithm of a size, for its derivative by differences


@dataclass(frozen=True)
class Limited:
    """``noise``: that of the values, its y (L,) being the limits (of counts the last ones possible); ``sides`` (L,): -1 where the
    value lies below, 1 above."""

    noise: OneByOne
    sides: Tensor

    @property
    def y(self) -> Tensor:
        return self.noise.y

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        value = self._terms(f, p)[0].sum(1)
        return value if isinstance(self.noise, Gaussian | StudentT) else torch.where(self._possible(f), value, -math.inf)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        return self._terms(f, p)[1]

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        """That of a term where it is not negative, else none: a tail of Student's t or of counts may bend the other way."""
        return weighted(self._terms(f, p)[2].clamp_min(0.0), w)

    def _possible(self, f: Tensor) -> Tensor:
        return (f > 0.0).all(1) if isinstance(self.noise, LogNormal) else (f >= 0.0).all(1)

    def _terms(self, f: Tensor, p: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The log probability of each value, its slope in f, and minus its second derivative (for logarithms of f: in these),
        (m, L) each."""
        sides, noise = self.sides, self.noise
        match noise:
            case Gaussian(y=y, sd=sd):
                scale = level(sd, p)
                value, ratio, bend = _normal(sides * (f - y) / scale)
                return value, sides * ratio / scale, bend / (scale * scale)
            case LogNormal(y=y, log_sd=log_sd):
                positive, scale = f.clamp_min(TINY), level(log_sd, p)
                value, ratio, bend = _normal(sides * (torch.log(positive) - torch.log(y)) / scale)
                return value, sides * ratio / scale / positive, bend / (scale * positive) ** 2
            case StudentT(y=y, scale=given, dof=dof):
                scale = level(given, p)
                value, ratio, bend = _student(sides * (f - y) / scale, dof)
                return value, sides * ratio / scale, bend / (scale * scale)
            case Poisson(y=y):
                return _counts(f.clamp_min(TINY), y, sides, None)
            case NegativeBinomial(y=y, size=size):
                k = torch.as_tensor(level(size, p), dtype=f.dtype, device=f.device).expand_as(f)
                return _counts(f.clamp_min(TINY), y, sides, k)


def _normal(z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """log Phi(z), its slope r = phi / Phi (the inverse Mills ratio), and minus its second derivative r (r + z)."""
    z = z.clamp_max(SURE)
    ratio = math.sqrt(2.0 / math.pi) / torch.special.erfcx(-z / math.sqrt(2.0))
    bend = torch.where(z < -1e4, torch.ones_like(z), ratio * (ratio + z))  # far out r + z is lost in rounding, and this is 1
    return torch.special.log_ndtr(z), ratio, bend


def _student(t: Tensor, dof: float) -> tuple[Tensor, Tensor, Tensor]:
    """The same of Student's t: r = density / probability, r (r + (nu + 1) t / (nu + t^2))."""
    constant = math.lgamma(0.5 * (dof + 1)) - math.lgamma(0.5 * dof) - 0.5 * math.log(dof * math.pi)
    density = constant - 0.5 * (dof + 1) * torch.log1p(t * t / dof)
    value = _by_numpy(lambda x: log_tails.log_stdtr(x, dof), t)
    value = _with_slope(value, t, torch.exp(density.detach() - value))
    ratio = torch.exp(density - value)
    return value, ratio, ratio * (ratio + (dof + 1.0) * t / (dof + t * t))


def _counts(mean: Tensor, counts: Tensor, sides: Tensor, size: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """Of Poisson counts (``size`` None) or negative binomial ones. With P(N <= n) = F: dF / d mean = -P(N = n) for Poisson
    counts, -P(N = n) (size + n) / (size + mean) else; the same of P(N >= n + 1) with the other sign."""
    below = sides < 0
    last = torch.where(below, counts, counts - 1.0)  # the largest count on the low side of the limit
    if size is None:
        value = _by_numpy(_poisson, mean, counts, sides)
        log_mass = torch.special.xlogy(last, mean) - mean - torch.lgamma(last.clamp_min(0.0) + 1.0)
        bend_of_mass = last / mean - 1.0  # d log mass / d mean
    else:
        value = _by_size(mean, counts, sides, size)
        choose = torch.lgamma(last.clamp_min(0.0) + size) - torch.lgamma(size) - torch.lgamma(last.clamp_min(0.0) + 1.0)
        log_mass = choose - size * torch.log1p(mean / size) + torch.special.xlogy(last, mean) - last * torch.log(size + mean)
        log_mass = log_mass + torch.log((size + last).clamp_min(TINY)) - torch.log(size + mean)
        bend_of_mass = last / mean - (last + size + 1.0) / (size + mean)
    possible = last >= 0.0  # else the value is certain whatever the mean, or impossible
    share = torch.where(possible, torch.exp((log_mass.detach() - value.detach()).clamp_max(LARGEST)), 0.0)
    value = _with_slope(value, mean, sides * share)
    ratio = torch.where(possible, torch.exp((log_mass - value).clamp_max(LARGEST)), 0.0)
    return value, sides * ratio, ratio * (ratio - sides * bend_of_mass)


def _poisson(mean: Array, counts: Array, sides: Array) -> Array:
    low, high = log_tails.log_poisson_below(counts, mean), log_tails.log_poisson_above(counts, mean)
    return np.where(sides < 0, low, high)


def _by_size(mean: Tensor, counts: Tensor, sides: Tensor, size: Tensor) -> Tensor:
    """The value of negative binomial counts, which knows its derivative with respect to the size."""

    def of(m: Array, n: Array, s: Array, k: Array) -> Array:
        low, high = log_tails.log_negative_binomial_below(n, m, k), log_tails.log_negative_binomial_above(n, m, k)
        return np.where(s < 0, low, high)

    value = _by_numpy(of, mean, counts, sides, size)
    if not size.requires_grad:
        return value
    up, down = (_by_numpy(of, mean, counts, sides, size * math.exp(step)) for step in (STEP, -STEP))
    return _with_slope(value, size, (up - down) / (2.0 * STEP * size.detach()))


def _by_numpy(function: Callable[..., Array], *values: Tensor) -> Tensor:
    """``function`` of arrays alike, as a tensor without a gradient."""
    first = values[0]
    arrays = [v.detach().expand_as(first).cpu().numpy() for v in values]
    return torch.as_tensor(np.asarray(function(*arrays), dtype=float), device=first.device)


def _with_slope(value: Tensor, x: Tensor, slope: Tensor) -> Tensor:
    """``value``, whose derivative with respect to x is ``slope``."""
    return value + slope * (x - x.detach()) if x.requires_grad else value
