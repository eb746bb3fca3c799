"""The log-likelihood of all measured values for many predictions at once: blocks of cells, each with a noise model (torch)."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

import torch
from torch import Tensor

from .batched_discrepancy import ByLogarithms, LogNormalAndDiscrepancy
from .batched_limits import Limited
from .batched_noise import Autoregressive, Covariance, Gaussian, LogNormal, Noise, Parameter, SharedVariance, StudentT

T = TypeVar("T")
LARGEST_LOGARITHM = 690.0  # of a number that can be held


@dataclass(frozen=True)
class OnLogarithms:
    """A noise model of f = exp(g) as one of g."""

    noise: Noise

    def log_density(self, g: Tensor, p: Tensor) -> Tensor:
        return self.noise.log_density(_exp(g), p)

    def slope(self, g: Tensor, p: Tensor) -> Tensor:
        f = _exp(g)
        return self.noise.slope(f, p) * f

    def curvature(self, g: Tensor, p: Tensor, w: Tensor) -> Tensor:
        f = _exp(g)
        return self.noise.curvature(f, p, w * f[:, None, :])


@dataclass(frozen=True)
class NormalLogarithms(ByLogarithms):
    """Log-normal noise as one of g = log f: quadratic."""

    logarithms: Gaussian


def _exp(g: Tensor) -> Tensor:
    return torch.exp(g.clamp(-LARGEST_LOGARITHM, LARGEST_LOGARITHM))


def moved(part: T, device: torch.device) -> T:
    """A record whose tensors, also those of records and tuples in it, are on ``device``."""
    if isinstance(part, Tensor):
        return part.to(device)  # type: ignore[return-value]
    if isinstance(part, tuple):
        return tuple(moved(one, device) for one in part)  # type: ignore[return-value]
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{f.name: moved(getattr(part, f.name), device) for f in fields(part)})
    return part


@dataclass(frozen=True)
class Block:
    """The measured values ``cells`` (indices into all of them) with their noise."""

    cells: Tensor
    noise: Noise


def joined(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The same values in fewer blocks: those alike whose noise is known are one, as ten operations on few cost more than one."""
    found: list[Block] = []
    for block in blocks:
        alike = next((k for k, other in enumerate(found) if _alike(block.noise, other.noise)), None)
        if alike is None:
            found.append(block)
        else:
            found[alike] = _together(found[alike], block)
    return tuple(found)


def _alike(one: Noise, other: Noise) -> bool:
    match one, other:
        case Gaussian(sd=a), Gaussian(sd=b):
            return not isinstance(a, Parameter) and not isinstance(b, Parameter)
        case StudentT(scale=a, dof=m), StudentT(scale=b, dof=n):
            return m == n and not isinstance(a, Parameter) and not isinstance(b, Parameter)
        case Limited(noise=a), Limited(noise=b):
            return _alike(a, b)
    return False


def _together(one: Block, other: Block) -> Block:
    """Of blocks that are ``_alike``."""
    cells = torch.cat([one.cells, other.cells])
    match one.noise, other.noise:
        case Gaussian(y=y, sd=a), Gaussian(y=z, sd=b):
            return Block(cells, Gaussian(torch.cat([y, z]), torch.cat([_each(a, y), _each(b, z)])))
        case StudentT(y=y, scale=a, dof=dof), StudentT(y=z, scale=b):
            return Block(cells, StudentT(torch.cat([y, z]), torch.cat([_each(a, y), _each(b, z)]), dof))
        case Limited(noise=a, sides=low), Limited(noise=b, sides=high):
            both = _together(Block(one.cells, a), Block(other.cells, b))
            return Block(cells, Limited(both.noise, torch.cat([low, high])))  # type: ignore[arg-type]
    raise ValueError("Noise models of two kinds are no block.")


def _each(scale: float | Tensor | Parameter, y: Tensor) -> Tensor:
    assert not isinstance(scale, Parameter)
    return torch.as_tensor(scale, dtype=y.dtype, device=y.device).expand_as(y)


@dataclass(frozen=True)
class BatchedLikelihood:
    """The log-likelihood of all measured values given predictions f (m, L) and noise parameters p (m, P)."""

    blocks: tuple[Block, ...]

    def on(self, device: torch.device) -> BatchedLikelihood:
        """With all tensors on ``device``."""
        return moved(self, device)

    @property
    def quadratic(self) -> bool:
        """Whether the log density is a quadratic function of the predictions."""
        quadratic = Gaussian | Autoregressive | Covariance | NormalLogarithms
        return all(isinstance(block.noise, quadratic) for block in self.blocks)

    @property
    def needed(self) -> int:
        """Values whose predictions are all needed; those of others enter through a few sums alone, see ``of_scores``."""
        by_sums = Gaussian | Covariance | NormalLogarithms | SharedVariance
        return sum(len(block.cells) for block in self.blocks if not isinstance(block.noise, by_sums))

    def of_logarithms(self, log: Tensor) -> BatchedLikelihood:
        """As a function of log f in the cells ``log`` (L,): all those of a block, or its cells apart."""
        found: list[Block] = []
        for block in self.blocks:
            if not bool(log[block.cells].any()):
                found.append(block)
            elif isinstance(block.noise, LogNormalAndDiscrepancy):
                found.append(Block(block.cells, block.noise.of_logarithms))
            elif isinstance(block.noise, LogNormal):
                noise = block.noise
                found.append(Block(block.cells, NormalLogarithms(Gaussian(torch.log(noise.y), noise.log_sd))))
            else:
                found.append(Block(block.cells, OnLogarithms(block.noise)))
        return BatchedLikelihood(tuple(found))

    def log_density(self, f: Tensor, p: Tensor) -> Tensor:
        """(m,)"""
        found = torch.zeros(len(f), dtype=f.dtype, device=f.device)
        for block in self.blocks:
            found = found + block.noise.log_density(f[:, block.cells], p)
        return found

    def slope(self, f: Tensor, p: Tensor) -> Tensor:
        """(m, L)"""
        found = torch.zeros_like(f)
        for block in self.blocks:
            found[:, block.cells] = block.noise.slope(f[:, block.cells], p)
        return found

    def curvature(self, f: Tensor, p: Tensor, w: Tensor) -> Tensor:
        """(m, K, K) for directions w (K, L) or (m, K, L)."""
        k = w.shape[-2]
        found = torch.zeros(len(f), k, k, dtype=f.dtype, device=f.device)
        for block in self.blocks:
            found = found + block.noise.curvature(f[:, block.cells], p, w[..., block.cells])
        return found
