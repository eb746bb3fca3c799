"""Evaluations predicted from the others, left out in whole blocks: what a surrogate is worth where it has no points of its own.

Hyperparameters and inducing points stay. An exact surrogate needs one factorization of a block's size per block: with P = C^-1
the residual of block b is P_bb^-1 (P (y - m))_b and its covariance P_bb^-1 (leave-one-out, seed 000 sec 7.4, for blocks). A
sparse one needs one of its inducing points' size: S without block b is S - R_b R_b'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ..numerics.torch_linear_algebra import robust_cholesky
from .exact import ExactSurrogate
from .interface import Surrogate
from .linear_algebra import forward
from .sparse import SparseSurrogate


@dataclass(frozen=True)
class HeldOut:
    """Of the points ``index`` (k,) among the training points: residual (k,) y - mean, latent variance (k,), noise variance (k,).

    In the units of y; each predicted from the training points outside its own block.
    """

    index: Tensor
    residual: Tensor
    variance: Tensor
    noise: Tensor

    @property
    def z(self) -> Tensor:
        """Residuals in predicted standard deviations (k,)."""
        return self.residual / (self.variance + self.noise).sqrt()

    def log_density(self, inflation: float = 1.0) -> Tensor:
        """(k,) of each value under its prediction, latent sds multiplied by ``inflation``."""
        variance = inflation**2 * self.variance + self.noise
        return -0.5 * (self.residual**2 / variance + variance.log() + math.log(2.0 * math.pi))


def held_out(surrogate: Surrogate, block: Tensor) -> HeldOut:
    """``block`` (n,): the number of each training point's block, from 0; -1: never left out. Exact and sparse surrogates."""
    if isinstance(surrogate, SparseSurrogate):
        return nested(surrogate, block, [surrogate.inducing.shape[0]])[0]
    assert isinstance(surrogate, ExactSurrogate)
    with torch.no_grad():
        return _exact(surrogate, block)


def _exact(s: ExactSurrogate, block: Tensor) -> HeldOut:
    inverse = torch.cholesky_inverse(s.factor)
    noise = s.model.scaled_noise(s.noise_variance) * math.exp(2.0 * s.model.log_noise_scale)
    parts = []
    for b in range(int(block.max()) + 1):
        at = torch.nonzero(block == b).squeeze(1)
        if len(at) == 0:
            continue
        covariance = torch.cholesky_inverse(robust_cholesky(inverse[at][:, at])[0])
        parts.append((at, covariance @ s.weights[at], (covariance.diagonal() - noise[at]).clamp_min(0.0), noise[at]))
    return _joined(s.model.scaling.scale, parts)


def nested(surrogate: SparseSurrogate, block: Tensor, sizes: Sequence[int]) -> list[HeldOut]:
    """``held_out`` with the first ``sizes`` of the inducing points only, all from one pass over the data.

    Cholesky factors are nested: what belongs to the first m inducing points is the leading block of what belongs to them all.
    """
    with torch.no_grad():
        places = [torch.nonzero(block == b).squeeze(1) for b in range(int(block.max()) + 1)]
        blocks = [_Block(at, *surrogate.moved(at)) for at in places if len(at)]
        return [_left_out(surrogate.leading(m), [b.leading(m) for b in blocks]) for m in sizes]


@dataclass(frozen=True)
class _Block:
    """index (k,), L^-1 K_Zx (M, k), noise (k,) and y - m (k,) of the scaled problem."""

    index: Tensor
    moved: Tensor
    noise: Tensor
    residual: Tensor

    def leading(self, m: int) -> _Block:
        return replace(self, moved=self.moved[:m])


def _left_out(s: SparseSurrogate, blocks: list[_Block]) -> HeldOut:
    whole = s.inner @ s.inner.T
    parts = []
    for b in blocks:
        r = b.moved * b.noise.rsqrt()
        inner, _ = robust_cholesky(whole - r @ r.T)
        second = forward(inner, b.moved)
        projected = forward(inner, s.sums.b - r @ (b.residual * b.noise.rsqrt()))
        prior = s.model.kernel.diagonal(s.train_inputs[b.index])
        variance = (prior - (b.moved * b.moved).sum(0) + (second * second).sum(0)).clamp_min(0.0)
        parts.append((b.index, b.residual - projected @ second, variance, b.noise))
    return _joined(s.model.scaling.scale, parts)


def _joined(scale: float, parts: list[tuple[Tensor, Tensor, Tensor, Tensor]]) -> HeldOut:
    index, residual, variance, noise = (torch.cat([p[i] for p in parts]) for i in range(4))
    return HeldOut(index, residual * scale, variance * scale**2, noise * scale**2)
