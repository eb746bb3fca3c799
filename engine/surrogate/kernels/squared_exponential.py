"""Squared-exponential kernel with one lengthscale per axis (seed 000 eq 3.10 with METHODS 9.2; seed 001 eq S3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature import squared_exponential as quadrature
from .base import Bound, Kernel, NormalPrior, Pullback, spreads


@dataclass(frozen=True)
class SquaredExponential(Kernel):
    """s^2 exp(-1/2 sum_d (x_d - x'_d)^2 / l_d^2). log_scale is log s (), log_lengthscales log l (D,)."""

    log_scale: Tensor
    log_lengthscales: Tensor

    @classmethod
    def start(cls, dimension: int, scale: float = 1.0, lengthscale: float = 1.0) -> SquaredExponential:
        return cls(
            torch.tensor(math.log(scale), dtype=torch.float64),
            torch.full((dimension,), math.log(lengthscale), dtype=torch.float64),
        )

    @property
    def names(self) -> tuple[str, ...]:
        return ("log_scale", *(f"log_lengthscale[{d}]" for d in range(self.log_lengthscales.shape[0])))

    def hyperparameters(self) -> Tensor:
        return torch.cat([self.log_scale.reshape(1), self.log_lengthscales])

    def replace(self, flat: Tensor) -> Self:
        return type(self)(flat[0], flat[1:])

    @property
    def variance(self) -> Tensor:
        return (2.0 * self.log_scale).exp()

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        inverse = (-self.log_lengthscales).exp()
        centre = x2.mean(0).detach()
        distances = squared_distances((x1 - centre) * inverse, (x2 - centre) * inverse)
        if not torch.is_grad_enabled():  # in place: thousands of points against all data
            return distances.mul_(-0.5).exp_().mul_(self.variance)
        return self.variance * torch.exp(-0.5 * distances)

    def diagonal(self, x: Tensor) -> Tensor:
        return self.variance.expand(x.shape[0])

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        return quadrature.kernel_mean(x, self.variance, self.log_lengthscales.exp(), means, covariances)

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return quadrature.double_integral(self.variance, self.log_lengthscales.exp(), means, covariances)

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        return scale_and_lengthscale_priors(x, spread_of_y)

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        centre = x1.mean(0)
        a = x1 - centre
        b = a if x2 is None else x2 - centre
        a2, b2 = a * a, b * b

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            inverse = (-flat[1:]).exp()
            scaled = a * inverse
            distances = squared_distances(scaled, scaled if x2 is None else b * inverse)
            k = distances.mul_(-0.5).add_(2.0 * flat[0]).exp_()

            def pullback(g: Tensor) -> Tensor:
                m = g * k
                rows, columns = m.sum(1), m.sum(0)
                lengths = (rows @ a2 + columns @ b2 - 2.0 * (a * (m @ b)).sum(0)) * inverse * inverse
                return torch.cat([2.0 * rows.sum().reshape(1), lengths])

            return k, pullback

        return evaluate

    def bind_diagonal(self, x: Tensor) -> Bound:
        return stationary_diagonal(x, len(self.names))


def squared_distances(a: Tensor, b: Tensor) -> Tensor:
    """|a_i - b_j|^2 (n1, n2), never negative."""
    cross = a @ b.T
    distances = (a * a).sum(1, keepdim=True) + (b * b).sum(1)
    if not torch.is_grad_enabled():
        return distances.sub_(cross.mul_(2.0)).clamp_min_(0.0)
    # Rounding can leave tiny negative numbers; the shape of the gradient there is the unclamped one's, zero.
    return (distances - 2.0 * cross).clamp_min(0.0)


def stationary_diagonal(x: Tensor, count: int) -> Bound:
    """``bind_diagonal`` of a kernel whose diagonal is s^2 with log s its first hyperparameter."""

    def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
        variance = (2.0 * flat[0]).exp()

        def pullback(g: Tensor) -> Tensor:
            gradient = flat.new_zeros(count)
            gradient[0] = 2.0 * variance * g.sum()
            return gradient

        return variance.expand(x.shape[0]), pullback

    return evaluate


def scale_and_lengthscale_priors(x: Tensor, spread_of_y: float) -> list[NormalPrior]:
    """log s ~ N(log spread of y, 2^2); log l_d ~ N(log(sqrt D spread of x_d), 1), after RECIPE 4."""
    log_y = math.log(spread_of_y)
    root = math.sqrt(x.shape[1])
    priors = [NormalPrior(log_y, 2.0, log_y - 12.0, log_y + 8.0)]
    for spread in spreads(x):
        centre = math.log(root * spread)
        priors.append(NormalPrior(centre, 1.0, centre - 4.5, centre + 4.5))
    return priors
