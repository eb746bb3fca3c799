"""Normal noise about a program that may itself be off, for many predictions at once (torch); see ``numerics.discrepancy``."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..numerics.discrepancy import Discrepancy
from .batched_noise import LOG_2PI, TINY, Covariance, Gaussian, LogNormal, Parameter, level, weighted


@dataclass(frozen=True)
class GaussianAndDiscrepancy:
    """Residuals y - f (L,) have covariance sd^2 D D' + a^2 K_l, averaged over nodes of a (A,) and l (B,).

    ``units``: D, the diagonal (L,) or a lower triangle (L, L). ``vectors`` (L, r) and ``values`` (r,) of D^-1 K_l D'^-1 for
    each l; ``log_prior`` (A,); ``sd`` is one number for all values.
    Curvature: the average of the nodes' precisions (EM), which majorizes.
    """

    y: Tensor
    units: Tensor
    sd: float | Parameter
    variances: Tensor  # (A,) a^2
    log_prior: Tensor
    vectors: tuple[Tensor, ...]
    values: tuple[Tensor, ...]

    @classmethod
    def of(cls, y: Tensor, process: Discrepancy, sd: float | Parameter) -> GaussianAndDiscrepancy:
        vectors, values = (tuple(torch.as_tensor(a) for a in part) for part in (process.vectors, process.values))
        variances = torch.as_tensor(process.amplitudes**2)
        return cls(y, torch.as_tensor(process.units), sd, variances, torch.as_tensor(process.log_prior), vectors, values)

    def in_units(self, r: Tensor) -> Tensor:
        """Rows (..., L) through D^-1."""
        return r / self.units if self.units.dim() == 1 else Covariance(self.y, self.units).whitened(r)

    def of_units(self, e: Tensor) -> Tensor:
        """Rows (..., L) through D."""
        return e * self.units if self.units.dim() == 1 else e @ self.units.T

    @property
    def _log_units(self) -> Tensor:
        return torch.log(self.units if self.units.dim() == 1 else torch.diagonal(self.units)).sum()

    def _variance(self, f: Tensor, p: Tensor) -> Tensor:
        """sd^2, (m, 1) or (1, 1)."""
        sd = level(self.sd, p)
        return (sd if isinstance(sd, Tensor) else torch.full((1, 1), float(sd), dtype=f.dtype, device=f.device)) ** 2

    def _spread(self, noise: Tensor, values: Tensor) -> Tensor:
        """Variance of each rotated residual under each amplitude, (m or 1, A, r)."""
        return noise[:, :, None] + self.variances[:, None] * values

    def _nodes(self, f: Tensor, p: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """Log joint density of data and nodes (m, B, A), residuals in ``units`` (m, L), and rotated for each length (m, r)."""
        noise, e = self._variance(f, p), self.in_units(self.y - f)
        total, count = (e * e).sum(1, keepdim=True), f.shape[1]
        rotated = [e @ q for q in self.vectors]
        found = []
        for z, values in zip(rotated, self.values, strict=True):
            v, square = self._spread(noise, values), z * z
            rest = (total - square.sum(1, keepdim=True)).clamp_min(0.0) / noise + (count - len(values)) * torch.log(noise)
            if len(v) == 1:
                misfit = square @ (1.0 / v[0]).T
            else:
                misfit = torch.bmm(1.0 / v, square[:, :, None])[:, :, 0]
            found.append(-0.5 * (rest + misfit + torch.log(v).sum(2)))
        constant = self._log_units + 0.5 * LOG_2PI * count + float(np.log(len(self.values)))
        return torch.stack(found, 1) + self.log_prior - constant, e, rotated

    def _shares(self, joint: Tensor) -> Tensor:
        """Of the nodes given the data (m, B, A)."""
        return torch.softmax(joint.flatten(1), 1).reshape(joint.shape)

    def _taken(self, joint: Tensor, noise: Tensor) -> list[Tensor]:
        """By how much the precision of each rotated residual is less than that of noise alone, for each length (m, r)."""
        shares = self._shares(joint)
        found = []
        for k, values in enumerate(self.values):
            less = self.variances[:, None] * values / self._spread(noise, values) / noise[:, :, None]
            found.append(shares[:, k] @ less[0] if len(less) == 1 else torch.bmm(shares[:, k, None], less)[:, 0])
        return found

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        return torch.logsumexp(self._nodes(f, p)[0].flatten(1), 1)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        joint, e, rotated = self._nodes(f, p)
        noise = self._variance(f, p)
        back = e / noise
        for q, z, taken in zip(self.vectors, rotated, self._taken(joint, noise), strict=True):
            back = back - (taken * z) @ q.T
        if self.units.dim() == 1:
            return back / self.units
        through: Tensor = torch.linalg.solve_triangular(self.units.T, back.T, upper=True)
        return through.T

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        joint = self._nodes(f, p)[0]
        noise, directions = self._variance(f, p), self.in_units(w)
        found = weighted((1.0 / noise).expand(f.shape), directions)
        for q, taken in zip(self.vectors, self._taken(joint, noise), strict=True):
            found = found - weighted(taken, directions @ q)
        return found

    def drawn(self, f: Tensor, p: Tensor, rng: np.random.Generator) -> Tensor:
        """What the program misses (m, L): a draw given the data and each prediction."""
        joint, _, rotated = self._nodes(f, p)
        noise, missed = self._variance(f, p), torch.zeros_like(f)
        place = torch.as_tensor(rng.random((len(f), 1)), device=f.device)
        node = (torch.cumsum(self._shares(joint).flatten(1), 1) < place).sum(1).clamp_max(joint[0].numel() - 1)
        which, amplitude = node // len(self.variances), self.variances[node % len(self.variances)]
        for k, (q, z, values) in enumerate(zip(self.vectors, rotated, self.values, strict=True)):
            rows = torch.nonzero(which == k)[:, 0]
            prior, s2 = amplitude[rows, None] * values, noise.expand(len(f), 1)[rows]
            gain = prior / (s2 + prior)
            fresh = torch.as_tensor(rng.standard_normal((len(rows), len(values))), device=f.device)
            missed[rows] = self.of_units((gain * z[rows] + torch.sqrt(s2 * gain) * fresh) @ q.T)
        return missed


@dataclass(frozen=True)
class ByLogarithms:
    """Noise of data by that of their logarithms, as a function of g = log f."""

    logarithms: Gaussian | GaussianAndDiscrepancy

    def log_density(self, g: Tensor, p: Tensor) -> Tensor:
        """Of the data themselves."""
        return self.logarithms.log_density(g, p) - self.logarithms.y.sum()

    def slope(self, g: Tensor, p: Tensor) -> Tensor:
        return self.logarithms.slope(g, p)

    def curvature(self, g: Tensor, p: Tensor, w: Tensor) -> Tensor:
        return self.logarithms.curvature(g, p, w)


@dataclass(frozen=True)
class LogNormalAndDiscrepancy:
    """The same as a function of f: data y (L,), ``logarithms`` of log y about log f."""

    y: Tensor
    logarithms: GaussianAndDiscrepancy

    @property
    def sd(self) -> float | Parameter:
        """Of the logarithms."""
        return self.logarithms.sd

    @property
    def of_logarithms(self) -> ByLogarithms:
        return ByLogarithms(self.logarithms)

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        value = self.of_logarithms.log_density(_log(f), p)
        return torch.where((f > 0.0).all(1), value, -torch.inf)

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        return self.logarithms.slope(_log(f), p) / f.clamp_min(TINY)

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        return self.logarithms.curvature(_log(f), p, w / f.clamp_min(TINY)[:, None, :])

    def drawn(self, f: Tensor, p: Tensor, rng: np.random.Generator) -> Tensor:
        """What the program misses (m, L), in the unit of the data."""
        return f * torch.expm1(self.logarithms.drawn(_log(f), p, rng))


MayBeOff = GaussianAndDiscrepancy | LogNormalAndDiscrepancy


def without_missed(noise: MayBeOff, sd: float | Parameter | Tensor) -> Gaussian | LogNormal | Covariance:
    """The noise alone; ``sd`` of it, in ``units``."""
    if isinstance(noise, LogNormalAndDiscrepancy):
        return LogNormal(noise.y, sd)  # type: ignore[arg-type]
    if noise.units.dim() == 2:
        return Covariance(noise.y, noise.units)  # known: no size is learnt beside a covariance
    return Gaussian(noise.y, sd if isinstance(sd, Parameter) else sd * noise.units)


def _log(f: Tensor) -> Tensor:
    return torch.log(f.clamp_min(TINY))
