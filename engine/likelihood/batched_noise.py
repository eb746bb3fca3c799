"""Noise models for many predictions at once, with slope and curvature: what learning a program's outputs needs (torch).

f: (m, L) predictions of the L measured values of a block, p: (m, P) noise parameters in the user's units, float64 on one device.
``curvature`` is W H W' for directions w, (K, L) or (m, K, L), where H is minus the second derivative of the log density with
respect to f, or its Gauss-Newton or Fisher form, which is never negative. Formulas: the files of the same names beside this one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

LOG_2PI = math.log(2.0 * math.pi)
TINY = 1e-300  # a mean of counts or a median is never below it


class Noise(Protocol):
    """The noise of one block of measured values."""

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        """(m,)"""
        ...

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        """d log density / d f (m, L)."""
        ...

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        """(m, K, K)"""
        ...


@dataclass(frozen=True)
class Parameter:
    """A noise parameter: the column of p that holds it."""

    column: int

    def of(self, p: Tensor) -> Tensor:
        return p[:, self.column : self.column + 1]


def level(given: float | Tensor | Parameter, p: Tensor) -> Tensor | float:
    """(m, 1), (L,) or a number: what broadcasts with f."""
    return given.of(p) if isinstance(given, Parameter) else given


def weighted(weights: Tensor, w: Tensor) -> Tensor:
    """W diag(weights) W' (m, K, K); weights (m, L)."""
    if len(weights) == 0:
        return weights.new_zeros(0, w.shape[-2], w.shape[-2])
    if w.dim() == 2 and weights.stride(0) == 0:  # the same for all: once
        return ((w * weights[0]) @ w.T).expand(len(weights), len(w), len(w))
    if w.dim() == 2 and weights.stride(1) == 0:  # the same for all values
        return weights[:, :1, None] * (w @ w.T)
    if w.dim() == 2:
        products = (w[:, None, :] * w).reshape(-1, w.shape[1])  # of all pairs of directions: one product of matrices is left
        return (weights @ products.T).reshape(len(weights), len(w), len(w))
    scaled = w * torch.sqrt(weights)[:, None, :]
    return scaled @ scaled.transpose(1, 2)


def _log(x: Tensor | float) -> Tensor | float:
    return torch.log(x) if isinstance(x, Tensor) else math.log(x)


def _all(x: Tensor | float, f: Tensor) -> Tensor:
    return torch.as_tensor(x, dtype=f.dtype, device=f.device).expand_as(f)


@dataclass(frozen=True)
class Gaussian:
    y: Tensor
    sd: float | Tensor | Parameter

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        sd = level(self.sd, p)
        z = (self.y - f) / sd
        return -0.5 * (z * z).sum(1) - _all(_log(sd), f).sum(1) - 0.5 * LOG_2PI * f.shape[1]

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        sd = level(self.sd, p)
        return (self.y - f) / (sd * sd)

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        sd = level(self.sd, p)
        return weighted(_all(1.0 / (sd * sd), f), w)


@dataclass(frozen=True)
class StudentT:
    """Curvature: the weight of the scale mixture, (nu + 1) / (nu + z^2) / scale^2 (EM), which majorizes."""

    y: Tensor
    scale: float | Tensor | Parameter
    dof: float

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        scale, nu = level(self.scale, p), self.dof
        z = (self.y - f) / scale
        constant = math.lgamma(0.5 * (nu + 1)) - math.lgamma(0.5 * nu) - 0.5 * math.log(nu * math.pi)
        return f.shape[1] * constant - _all(_log(scale), f).sum(1) - 0.5 * (nu + 1) * torch.log1p(z * z / nu).sum(1)

    def _weight(self, f: Tensor, p: Tensor) -> Tensor:
        scale = level(self.scale, p)
        z = (self.y - f) / scale
        return (self.dof + 1.0) / (self.dof + z * z) / (scale * scale)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        return self._weight(f, p) * (self.y - f)

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        return weighted(self._weight(f, p), w)


@dataclass(frozen=True)
class LogNormal:
    """Density of the data; f is the median."""

    y: Tensor
    log_sd: float | Parameter

    def _z(self, f: Tensor, p: Tensor) -> tuple[Tensor, Tensor | float, Tensor]:
        positive, sd = f.clamp_min(TINY), level(self.log_sd, p)
        return (torch.log(self.y) - torch.log(positive)) / sd, sd, positive

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        z, sd, _ = self._z(f, p)
        value = -0.5 * (z * z).sum(1) - _all(_log(sd), f).sum(1) - 0.5 * LOG_2PI * f.shape[1] - torch.log(self.y).sum()
        return torch.where((f > 0.0).all(1), value, -math.inf)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        z, sd, positive = self._z(f, p)
        return z / sd / positive

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        _, sd, positive = self._z(f, p)
        return weighted(_all(1.0 / (sd * positive) ** 2, f), w)


@dataclass(frozen=True)
class Poisson:
    """Curvature: Fisher's, 1 / f."""

    y: Tensor

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        value = (torch.special.xlogy(self.y, f.clamp_min(TINY)) - f - torch.lgamma(self.y + 1.0)).sum(1)
        return torch.where((f >= 0.0).all(1), value, -math.inf)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        return self.y / f.clamp_min(TINY) - 1.0

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        return weighted(1.0 / f.clamp_min(TINY), w)


@dataclass(frozen=True)
class NegativeBinomial:
    """Variance f + f^2 / size. Curvature: Fisher's, size / (f (size + f))."""

    y: Tensor
    size: float | Parameter

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        k = _all(level(self.size, p), f)
        mean = f.clamp_min(TINY)
        choose = torch.lgamma(self.y + k) - torch.lgamma(k) - torch.lgamma(self.y + 1.0)
        value = choose - k * torch.log1p(mean / k) + torch.special.xlogy(self.y, mean) - self.y * torch.log(k + mean)
        return torch.where((f >= 0.0).all(1), value.sum(1), -math.inf)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        k, mean = level(self.size, p), f.clamp_min(TINY)
        return self.y / mean - (self.y + k) / (k + mean)

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        k, mean = level(self.size, p), f.clamp_min(TINY)
        return weighted(k / (mean * (k + mean)), w)


@dataclass(frozen=True)
class SharedVariance:
    """One variance ~ InverseGamma(shape, scale) for all values, integrated out: a multivariate Student-t in the residuals."""

    y: Tensor
    shape: float
    scale: float

    def weight_of(self, squares: Tensor, count: int) -> Tensor:
        """Expected precision (m,) given the sum of squares (m,) of so many residuals."""
        return (self.shape + 0.5 * count) / (self.scale + 0.5 * squares)

    def density_of(self, squares: Tensor, count: int) -> Tensor:
        """Log density (m,) given the sum of squares (m,) of so many residuals."""
        half, a, b = 0.5 * count, self.shape, self.scale
        constant = math.lgamma(a + half) - math.lgamma(a) - half * (LOG_2PI + math.log(b))
        return constant - (a + half) * torch.log1p(0.5 * squares / b)

    def _weight(self, f: Tensor) -> Tensor:
        return self.weight_of(((self.y - f) ** 2).sum(1), f.shape[1])

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        return self.density_of(((self.y - f) ** 2).sum(1), f.shape[1])

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        return self._weight(f)[:, None] * (self.y - f)

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        return weighted(self._weight(f)[:, None].expand_as(f), w)


@dataclass(frozen=True)
class Autoregressive:
    """A stationary AR(1) series of residuals; ``gaps`` (L - 1,): how many rows lie between two measured ones."""

    y: Tensor
    gaps: Tensor
    sd: float | Parameter
    rho: float | Parameter

    def scales(self, p: Tensor, f: Tensor) -> tuple[Tensor, Tensor]:
        """Memory (m, L - 1) and spread (m, L)."""
        sd = _all(level(self.sd, p), f)
        rho = _all(level(self.rho, p), f)[:, : f.shape[1] - 1]
        memory = torch.sign(rho) ** self.gaps * torch.exp(self.gaps * torch.log(rho.abs().clamp_min(TINY)))
        left = torch.sqrt((1.0 - memory * memory).clamp_min(1e-300))
        return memory, torch.cat([sd[:, :1], sd[:, 1:] * left], 1)

    def innovations(self, r: Tensor, memory: Tensor, spread: Tensor) -> Tensor:
        """Residuals r (..., L) less what each remembers of the one before, in units of what is left."""
        return torch.cat([r[..., :1], r[..., 1:] - memory * r[..., :-1]], -1) / spread

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        memory, spread = self.scales(p, f)
        e = self.innovations(self.y - f, memory, spread)
        return -0.5 * (e * e).sum(1) - torch.log(spread).sum(1) - 0.5 * LOG_2PI * f.shape[1]

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        memory, spread = self.scales(p, f)
        back = self.innovations(self.y - f, memory, spread) / spread
        carried = torch.cat([memory * back[:, 1:], torch.zeros_like(back[:, :1])], 1)
        return back - carried

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        memory, spread = self.scales(p, f)
        directions = w.expand(f.shape[0], *w.shape[-2:])
        e = self.innovations(directions, memory[:, None, :], spread[:, None, :])
        return e @ e.transpose(1, 2)


@dataclass(frozen=True)
class Covariance:
    """``factor``: lower Cholesky factor (L, L) of the noise covariance."""

    y: Tensor
    factor: Tensor

    def whitened(self, r: Tensor) -> Tensor:
        """Rows (..., L) through L^-1."""
        flat: Tensor = torch.linalg.solve_triangular(self.factor, r.reshape(-1, r.shape[-1]).T, upper=False)
        return flat.T.reshape(r.shape)

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        z = self.whitened(self.y - f)
        return -0.5 * (z * z).sum(1) - torch.log(torch.diagonal(self.factor)).sum() - 0.5 * LOG_2PI * f.shape[1]

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        z = self.whitened(self.y - f)
        back: Tensor = torch.linalg.solve_triangular(self.factor.T, z.T, upper=True)
        return back.T

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        e = self.whitened(w)
        return (e @ e.transpose(-1, -2)).expand(f.shape[0], w.shape[-2], w.shape[-2])
