"""The log-likelihood of all measured values as a function of a few scores z, of which what is learnt is linear: c + z W (torch).

Where the log density is a quadratic of the predictions with constant weights D / s^2, the L values enter through
|R (z - z0)|^2 + rest alone, R'R = W D W': ten thousand values cost as much as ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from .batched import BatchedLikelihood, Block, NormalLogarithms, joined
from .batched_noise import LOG_2PI, Covariance, Gaussian, Noise, Parameter, SharedVariance, level

UNSEEN = 1e-12  # share of the largest eigenvalue of W D W' below which a direction of the scores does not matter


@dataclass(frozen=True)
class Linear:
    """f = centre + z W: centre (L,), directions W (K, L)."""

    centre: Tensor
    directions: Tensor

    def values(self, z: Tensor) -> Tensor:
        """(m, L) at scores z (m, K)."""
        return self.centre + z @ self.directions


class OfScores(Protocol):
    """Some of the measured values, given scores z (m, K) and noise parameters p (m, P)."""

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        """(m,)"""
        ...

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, K)"""
        ...

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, K, K)"""
        ...


@dataclass(frozen=True)
class Squares:
    """Weighted squares of residuals, |R (z - z0)|^2 + rest, of ``count`` values."""

    root: Tensor  # R (r, K)
    at: Tensor  # R z0 (r,)
    rest: float
    count: int

    @classmethod
    def of(cls, residual: Tensor, directions: Tensor) -> Squares:
        """Of (residual - z W)^2, both weighted already: residual (L,), W (K, L)."""
        gram, pull = directions @ directions.T, directions @ residual
        values, vectors = torch.linalg.eigh(gram)
        seen = values > UNSEEN * values.max().clamp_min(1e-300)
        root = torch.sqrt(values[seen])[:, None] * vectors[:, seen].T
        at = (vectors[:, seen].T @ pull) / torch.sqrt(values[seen])
        return cls(root, at, max(float(residual @ residual - at @ at), 0.0), len(residual))

    def total(self, z: Tensor) -> Tensor:
        """(m,)"""
        return ((z @ self.root.T - self.at) ** 2).sum(1) + self.rest

    def pull(self, z: Tensor) -> Tensor:
        """Half of minus the gradient (m, K)."""
        return (self.at - z @ self.root.T) @ self.root

    @property
    def gram(self) -> Tensor:
        """(K, K)"""
        return self.root.T @ self.root


@dataclass(frozen=True)
class Normal:
    """Normal noise; ``sd``: of all values alike, times what the squares are weighted by; ``constant``: what else there is."""

    squares: Squares
    sd: float | Parameter
    constant: float

    def _variance(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, 1)"""
        return torch.as_tensor(level(self.sd, p), dtype=z.dtype, device=z.device).expand(len(z), 1) ** 2

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        variance = self._variance(z, p)[:, 0]
        return -0.5 * (self.squares.total(z) / variance + self.squares.count * torch.log(variance)) + self.constant

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        return self.squares.pull(z) / self._variance(z, p)

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        return self.squares.gram / self._variance(z, p)[:, :, None]


@dataclass(frozen=True)
class OneVariance:
    """``SharedVariance``: its values enter through their squares."""

    squares: Squares
    noise: SharedVariance

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        return self.noise.density_of(self.squares.total(z), self.squares.count)

    def _weight(self, z: Tensor) -> Tensor:
        return self.noise.weight_of(self.squares.total(z), self.squares.count)

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        return self._weight(z)[:, None] * self.squares.pull(z)

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        return self._weight(z)[:, None, None] * self.squares.gram


@dataclass(frozen=True)
class Through:
    """Any noise, by way of the predictions themselves."""

    noise: Noise
    linear: Linear

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        return self.noise.log_density(self.linear.values(z), p)

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        return self.noise.slope(self.linear.values(z), p) @ self.linear.directions.T

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        return self.noise.curvature(self.linear.values(z), p, self.linear.directions)


def of_noise(noise: Noise, linear: Linear) -> OfScores:
    """The noise of one block whose predictions are ``linear`` in the scores."""
    match noise:
        case Gaussian(y=y, sd=sd):
            known = 1.0 if isinstance(sd, Parameter) else sd
            weight = torch.as_tensor(known, dtype=y.dtype, device=y.device).expand_as(y)
            squares = Squares.of((y - linear.centre) / weight, linear.directions / weight)
            constant = -float(torch.log(weight).sum()) - 0.5 * LOG_2PI * len(y)
            return Normal(squares, sd if isinstance(sd, Parameter) else 1.0, constant)
        case NormalLogarithms(logarithms=logarithms):
            found = of_noise(logarithms, linear)
            assert isinstance(found, Normal)
            return Normal(found.squares, found.sd, found.constant - float(logarithms.y.sum()))
        case Covariance(y=y, factor=factor):
            squares = Squares.of(noise.whitened((y - linear.centre)[None])[0], noise.whitened(linear.directions))
            return Normal(squares, 1.0, -float(torch.log(torch.diagonal(factor)).sum()) - 0.5 * LOG_2PI * len(y))
        case SharedVariance(y=y):
            return OneVariance(Squares.of(y - linear.centre, linear.directions), noise)
        case _:
            return Through(noise, linear)


class Likelihood(OfScores, Protocol):
    """Of all measured values."""

    @property
    def quadratic(self) -> bool:
        """Whether the log density is a quadratic of the scores."""
        ...

    @property
    def widest(self) -> int:
        """Values that are held for each point."""
        ...


@dataclass(frozen=True)
class ScoreLikelihood:
    """Of all measured values."""

    blocks: tuple[OfScores, ...]
    quadratic: bool  # whether the log density is a quadratic of the scores
    widest: int  # values that are held for each point

    @classmethod
    def of(cls, likelihood: BatchedLikelihood, linear: Linear) -> ScoreLikelihood:
        """``likelihood``: of what is ``linear`` in the scores."""
        blocks = tuple(_of_block(block, linear) for block in joined(likelihood.blocks))
        widest = max(len(b.linear.centre) if isinstance(b, Through) else 1 for b in blocks)
        return cls(blocks, likelihood.quadratic, widest)

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        """(m,)"""
        return torch.stack([block.log_density(z, p) for block in self.blocks]).sum(0)

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, K)"""
        return torch.stack([block.slope(z, p) for block in self.blocks]).sum(0)

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, K, K)"""
        found = self.blocks[0].curvature(z, p)
        for block in self.blocks[1:]:
            found = found + block.curvature(z, p)
        return found


def _of_block(block: Block, linear: Linear) -> OfScores:
    return of_noise(block.noise, Linear(linear.centre[block.cells], linear.directions[:, block.cells]))
