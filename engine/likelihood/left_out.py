"""The likelihood of some of the measured values alone, and the noise of one that is measured once more (torch)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_factors
from .batched import BatchedLikelihood, Block
from .batched_discrepancy import GaussianAndDiscrepancy, LogNormalAndDiscrepancy
from .batched_limits import Limited
from .batched_noise import Autoregressive, Covariance, Gaussian, Noise, SharedVariance


def without(likelihood: BatchedLikelihood, left_out: Tensor) -> BatchedLikelihood:
    """Of the cells that are not ``left_out`` (L,) bool: the others integrated out, where the noise remembers or correlates."""
    found = []
    for block in likelihood.blocks:
        keep = ~left_out[block.cells]
        if bool(keep.any()):
            found.append(Block(block.cells[keep], kept(block.noise, keep)))
    return BatchedLikelihood(tuple(found))


def kept(noise: Noise, keep: Tensor) -> Noise:
    """The noise of the measured values ``keep`` (L,) bool of a block, at least one of them."""
    match noise:
        case Autoregressive(gaps=gaps):
            at = torch.cat([torch.zeros(1, dtype=gaps.dtype, device=gaps.device), torch.cumsum(gaps, 0)])[keep]
            return replace(noise, y=noise.y[keep], gaps=at[1:] - at[:-1], **_scales(noise, keep, ("sd", "rho")))
        case Covariance(factor=factor):
            whole = factor @ factor.T
            return Covariance(noise.y[keep], robust_factors(whole[keep][:, keep][None])[0])
        case Limited(noise=own, sides=sides):
            return Limited(kept(own, keep), sides[keep])  # type: ignore[arg-type]
        case SharedVariance():
            return replace(noise, y=noise.y[keep])
        case LogNormalAndDiscrepancy(logarithms=logarithms):
            return replace(noise, y=noise.y[keep], logarithms=_fewer(logarithms, keep))
        case GaussianAndDiscrepancy():
            return _fewer(noise, keep)
    names = tuple(f.name for f in fields(noise) if f.name != "y")  # type: ignore[arg-type]
    return replace(noise, y=noise.y[keep], **_scales(noise, keep, names))  # type: ignore[type-var, attr-defined]


def _fewer(noise: GaussianAndDiscrepancy, keep: Tensor) -> GaussianAndDiscrepancy:
    y, units = noise.y[keep], noise.units[keep]
    if units.dim() == 2:
        units = robust_factors((units @ units.T)[None])[0]
    fewer = replace(noise, y=y, units=units)
    parts = []
    for q, v in zip(noise.vectors, noise.values, strict=True):
        mine = fewer.in_units(noise.of_units(q.T)[:, keep])
        parts.append(torch.linalg.eigh((mine.T * v) @ mine))
    return replace(fewer, vectors=tuple(q for _, q in parts), values=tuple(v.clamp_min(0.0) for v, _ in parts))


def alone(noise: Noise, cell: int) -> Noise:
    """The noise of one value measured once more with an error of its own; noise that is integrated over must be settled first."""
    only = torch.zeros(len(noise.y), dtype=torch.bool, device=noise.y.device)  # type: ignore[attr-defined]
    only[cell] = True
    match noise:
        case Limited(noise=own):
            return kept(own, only)  # a value this time
        case Autoregressive(sd=sd):
            return Gaussian(noise.y[only], sd)
        case Covariance(factor=factor):
            return Gaussian(noise.y[only], torch.sqrt((factor[cell] ** 2).sum()))
    return kept(noise, only)


def _scales(noise: Any, keep: Tensor, names: tuple[str, ...]) -> dict[str, Any]:
    """Those that differ from value to value."""
    found = {name: getattr(noise, name) for name in names}
    return {name: a[keep] if isinstance(a, Tensor) and a.dim() == 1 else a for name, a in found.items()}
