"""Cells of outputs as a few principal components in units of the measurement noise (Higdon et al. 2008)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from ...likelihood.batched import BatchedLikelihood
from ...likelihood.of_scores import Likelihood, Linear, ScoreLikelihood
from ...likelihood.of_sizes import SizedLikelihood, size_factor

MISSED = 0.02  # rms over the cells, in noise units, that the components left out may miss together
MOST = 20
LEFT_OUT = 0.005  # nats, rms over the runs, by which those left out may change the log-likelihood to first order
LARGEST_LOGARITHM = 690.0  # of a number that can be held
LOWEST = 1e-300  # a cell whose logarithm is taken is never below it


@dataclass(frozen=True)
class Scale:
    """How cells f (L,) become what is learnt: f / unit, or log f / (unit / measured) where ``log`` (L,)."""

    unit: Tensor  # (L,), of the logarithm where that is taken
    log: Tensor  # (L,) bool

    @classmethod
    def of(cls, measured: Tensor, unit: Tensor, log: Tensor) -> Scale:
        relative = unit / measured.abs().clamp_min(unit)  # a measured value within its own noise: one unit in the logarithm
        return cls(torch.where(log, relative, unit), log)

    def into(self, f: Tensor) -> Tensor:
        """(n, L) -> (n, L)"""
        if not bool(self.log.any()):
            return f / self.unit
        return torch.where(self.log, torch.log(f.clamp_min(LOWEST)), f) / self.unit

    def back(self, t: Tensor) -> Tensor:
        """(m, L)"""
        scaled = t * self.unit
        return torch.where(self.log, torch.exp(scaled.clamp_max(LARGEST_LOGARITHM)), scaled)


@dataclass(frozen=True)
class Pull:
    """Cells of the best run (L,), and the slope (L,) of the log-likelihood with respect to them there."""

    at: Tensor
    slope: Tensor

    def into(self, scale: Scale) -> Tensor:
        """The slope (L,) with respect to what is learnt."""
        return torch.nan_to_num(self.slope * torch.where(scale.log, self.at, 1.0) * scale.unit, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Components:
    """t = centre + z W: directions W (K, L) are orthonormal, so scores z (n, K) are in noise units too.

    ``typical`` above 0: sizes and shapes are learnt apart, t = exp(z_0 / typical) (centre + z' W), z' the other scores; shapes
    have about the size ``typical``.
    """

    scale: Scale
    centre: Tensor  # (L,)
    directions: Tensor  # (K, L), of shapes without the score of the size
    typical: float = 0.0

    @classmethod
    def of(
        cls, f: Tensor, weights: Tensor, scale: Scale, sizes: bool = False, pull: Pull | None = None
    ) -> Components:
        """From runs f (n, L) that count as ``weights`` (n,) say; as many components as needed, at most MOST, and where it
        matters the direction beside them along which the log-likelihood has its slope."""
        t = scale.into(f)
        share = weights / weights.sum()
        typical = float(torch.exp(share @ torch.log(_size(t)))) if sizes else 0.0
        if sizes:
            t = t * (typical / _size(t))[:, None]
        centre = share @ t
        _, size, right = torch.linalg.svd((t - centre) * torch.sqrt(share)[:, None], full_matrices=False)
        left_over = torch.flip(torch.cumsum(torch.flip(size**2, [0]), 0), [0])  # variance of this component and all after it
        needed = int((left_over > MISSED**2 * t.shape[1]).sum())
        count = max(1, min(needed, MOST, len(size)))
        directions = right[:count]
        if pull is not None:
            directions = torch.cat([directions, _beside(t - centre, pull.into(scale), directions, share)])
        return cls(scale, centre, directions, typical)

    def scores(self, f: Tensor) -> Tensor:
        """(n, K)"""
        t = self.scale.into(f)
        if not self.typical:
            return (t - self.centre) @ self.directions.T
        times = _size(t)[:, None] / self.typical
        return torch.cat([self.typical * torch.log(times), (t / times - self.centre) @ self.directions.T], 1)

    def variance(self, errors: Tensor) -> Tensor:
        """Of the scores (n, K) whose cells have errors of covariance (n, L, L); neither logarithms nor sizes are learnt."""
        w = self.directions / self.scale.unit
        return torch.einsum("kl,nlm,km->nk", w, errors, w)

    def cells(self, z: Tensor) -> Tensor:
        """The cells (m, L) themselves."""
        if not self.typical:
            return self.scale.back(self.centre + z @ self.directions)
        return self.scale.back(size_factor(z, self.typical) * (self.centre + z[:, 1:] @ self.directions))

    def about(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """What is learnt of the cells (m, L) at scores z (m, K), and its slope (m, K, L)."""
        if not self.typical:
            return self.centre + z @ self.directions, self.directions.expand(len(z), -1, -1)
        size = size_factor(z, self.typical)
        t = size * (self.centre + z[:, 1:] @ self.directions)
        return t, torch.cat([t[:, None] / self.typical, size[:, :, None] * self.directions], 1)

    def likelihood(self, of_cells: BatchedLikelihood) -> Likelihood:
        """That of the cells as a function of the scores."""
        centre, directions = self.centre * self.scale.unit, self.directions * self.scale.unit
        if not self.typical:
            return ScoreLikelihood.of(of_cells.of_logarithms(self.scale.log), Linear(centre, directions))
        shapes = Linear(torch.zeros_like(centre), torch.cat([centre[None], directions]))
        return SizedLikelihood(ScoreLikelihood.of(of_cells, shapes), self.typical)


def _beside(t: Tensor, slope: Tensor, directions: Tensor, share: Tensor) -> Tensor:
    """The direction (1, L) of ``slope`` (L,) beside ``directions`` (K, L), or none (0, L): along it alone what those leave out of
    runs t (n, L), which count as ``share`` (n,) says, changes the log-likelihood to first order."""
    off = slope - (slope @ directions.T) @ directions
    changed = (t - (t @ directions.T) @ directions) @ off
    matters = float(torch.sqrt(share @ changed**2)) > LEFT_OUT
    return off[None] / torch.linalg.vector_norm(off) if matters else directions[:0]


def _size(t: Tensor) -> Tensor:
    """Of cells t (n, L) in noise units (n,): not below 1, so that its logarithm is smooth where nothing is left of them."""
    return torch.sqrt((t**2).sum(1) + 1.0)
