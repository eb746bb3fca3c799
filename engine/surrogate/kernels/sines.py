"""Additive kernel of sines: one smooth function per axis, linear in Gaussian-integrable features (RECIPE, "two more blocks").

On [-L, L] the functions sin(w_j (x + L)), w_j = pi j / (2 L), are eigenfunctions of the Laplacian; weighted by the spectral
density of a one-dimensional squared-exponential kernel they approximate it (Solin and Sarkka 2020). Against a Gaussian,
E[sin(w (x + L))] = exp(-w^2 v / 2) sin(w (mu + L)), exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature.gaussians import variances_of
from .base import Bound, Kernel, NormalPrior, Pullback


@dataclass(frozen=True)
class AdditiveSines(Kernel):
    """sum_d sum_j S(w_j) phi_j(x_d) phi_j(x'_d), S(w) = s^2 sqrt(2 pi) l exp(-l^2 w^2 / 2) / L. ``log_values`` log s, log l (2,).

    Meant for coordinates of order one: put it in a ``Framed`` box frame.
    """

    log_values: Tensor
    half_width: float = 6.0
    count: int = 12

    @classmethod
    def start(cls, dimension: int, scale: float = 0.37, lengthscale: float = 1.5) -> AdditiveSines:
        return cls(torch.tensor([math.log(scale), math.log(lengthscale)], dtype=torch.float64))

    @property
    def names(self) -> tuple[str, ...]:
        return ("log_scale", "log_lengthscale")

    def hyperparameters(self) -> Tensor:
        return self.log_values

    def replace(self, flat: Tensor) -> Self:
        return type(self)(flat, self.half_width, self.count)

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        density = self._density(self.log_values)
        return (self._features(x1) * density).flatten(1) @ self._features(x2).flatten(1).T

    def diagonal(self, x: Tensor) -> Tensor:
        return (self._features(x) ** 2 * self._density(self.log_values)).sum((-2, -1))

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        expected = self._expected(means, covariances) * self._density(self.log_values)
        return expected.flatten(1) @ self._features(x).flatten(1).T

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        expected = self._expected(means, covariances)
        return (expected * self._density(self.log_values)).flatten(1) @ expected.flatten(1).T

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        """log s ~ N(log spread - 1, 2^2), log l ~ N(.4, .7^2) (RECIPE)."""
        centre = math.log(spread_of_y) - 1.0
        return [NormalPrior(centre, 2.0, centre - 10.0, centre + 8.0), NormalPrior(0.4, 0.7, -2.0, 2.5)]

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        first = self._features(x1)
        second = first if x2 is None else self._features(x2)
        flat1, flat2 = first.flatten(1), second.flatten(1)
        squares = self._frequencies(x1) ** 2

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            density = self._density(flat)
            k = (first * density).flatten(1) @ flat2.T

            def pullback(g: Tensor) -> Tensor:
                per_feature = density * (flat1 * (g @ flat2)).sum(0).reshape(first.shape[1:]).sum(0)
                slope = 1.0 - (2.0 * flat[1]).exp() * squares
                return torch.stack([2.0 * per_feature.sum(), (per_feature * slope).sum()])

            return k, pullback

        return evaluate

    def _frequencies(self, like: Tensor) -> Tensor:
        return math.pi / (2.0 * self.half_width) * torch.arange(1, self.count + 1, dtype=like.dtype, device=like.device)

    def _density(self, flat: Tensor) -> Tensor:
        length = flat[1].exp()
        exponent = 2.0 * flat[0] + flat[1] - 0.5 * (length * self._frequencies(flat)) ** 2
        return torch.exp(exponent) * (math.sqrt(2 * math.pi) / self.half_width)

    def _features(self, x: Tensor) -> Tensor:
        """(n, D, J)"""
        return torch.sin((x.unsqueeze(-1) + self.half_width) * self._frequencies(x))

    def _expected(self, means: Tensor, covariances: Tensor) -> Tensor:
        """E of the features (K, D, J)."""
        w = self._frequencies(means)
        damping = torch.exp(-0.5 * variances_of(means, covariances).unsqueeze(-1) * w * w)
        return damping * torch.sin((means.unsqueeze(-1) + self.half_width) * w)
