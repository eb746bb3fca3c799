"""The log-likelihood as a function of the size and the shape of the predictions, which are learnt apart (torch).

Scores z: f = s (c + z' W) with s = exp(z_0 / typical), z' the others. That is linear in (s, s z'), of which there is a
likelihood already: the rest is the chain rule, for the curvature in its Gauss-Newton form.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .of_scores import ScoreLikelihood

LARGEST_LOGARITHM = 345.0  # of a size whose square can be held


def size_factor(z: Tensor, typical: float) -> Tensor:
    """s (m, 1) of scores z (m, 1 + K)."""
    return torch.exp((z[:, :1] / typical).clamp(-LARGEST_LOGARITHM, LARGEST_LOGARITHM))


@dataclass(frozen=True)
class SizedLikelihood:
    """``shapes``: of f = a_0 c + a' W, in this order of its scores a (m, 1 + K)."""

    shapes: ScoreLikelihood
    typical: float

    @property
    def quadratic(self) -> bool:
        return False

    @property
    def widest(self) -> int:
        return self.shapes.widest

    def _linear(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """a (m, 1 + K) and s (m, 1)."""
        s = size_factor(z, self.typical)
        return torch.cat([s, s * z[:, 1:]], 1), s

    def log_density(self, z: Tensor, p: Tensor) -> Tensor:
        """(m,)"""
        return self.shapes.log_density(self._linear(z)[0], p)

    def slope(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, 1 + K)"""
        a, s = self._linear(z)
        pull = self.shapes.slope(a, p)
        return torch.cat([(a * pull).sum(1, keepdim=True) / self.typical, s * pull[:, 1:]], 1)

    def curvature(self, z: Tensor, p: Tensor) -> Tensor:
        """(m, 1 + K, 1 + K)"""
        a, s = self._linear(z)
        h = self.shapes.curvature(a, p)
        along = (h @ a[:, :, None])[:, :, 0]  # (m, 1 + K)
        first = (a * along).sum(1, keepdim=True) / self.typical**2
        mixed = s * along[:, 1:] / self.typical
        top = torch.cat([first, mixed], 1)[:, None, :]
        rest = torch.cat([mixed[:, :, None], s[:, :, None] ** 2 * h[:, 1:, 1:]], 2)
        return torch.cat([top, rest], 1)
