"""Product of one-dimensional Matern kernels 1/2, 3/2, 5/2 (seed 000 eq 6.12)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature import matern as quadrature
from .base import Bound, Kernel, NormalPrior, Pullback
from .pairs import Pairs
from .squared_exponential import scale_and_lengthscale_priors, stationary_diagonal


@dataclass(frozen=True)
class ProductMatern(Kernel):
    """s^2 prod_d M_nu(|x_d - x'_d| / l_d); ``order`` 0, 1, 2 is nu = 1/2, 3/2, 5/2."""

    log_scale: Tensor
    log_lengthscales: Tensor
    order: int = 2

    @classmethod
    def start(cls, dimension: int, nu: float = 2.5, scale: float = 1.0, lengthscale: float = 1.0) -> ProductMatern:
        if nu not in (0.5, 1.5, 2.5):
            raise ValueError(f"A product Matern kernel has smoothness 0.5, 1.5 or 2.5, not {nu}.")
        return cls(
            torch.tensor(math.log(scale), dtype=torch.float64),
            torch.full((dimension,), math.log(lengthscale), dtype=torch.float64),
            int(nu - 0.5),
        )

    @property
    def names(self) -> tuple[str, ...]:
        return ("log_scale", *(f"log_lengthscale[{d}]" for d in range(self.log_lengthscales.shape[0])))

    def hyperparameters(self) -> Tensor:
        return torch.cat([self.log_scale.reshape(1), self.log_lengthscales])

    def replace(self, flat: Tensor) -> Self:
        return type(self)(flat[0], flat[1:], self.order)

    @property
    def variance(self) -> Tensor:
        return (2.0 * self.log_scale).exp()

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        rates = math.sqrt(2 * self.order + 1) * (-self.log_lengthscales).exp()
        total = torch.zeros(x1.shape[0], x2.shape[0], dtype=x1.dtype, device=x1.device)
        polynomial = torch.ones_like(total)
        for d in range(x1.shape[1]):
            u = rates[d] * (x1[:, d, None] - x2[:, d]).abs()
            total = total + u
            polynomial = polynomial * _polynomial(self.order, u)
        return self.variance * polynomial * torch.exp(-total)

    def diagonal(self, x: Tensor) -> Tensor:
        return self.variance.expand(x.shape[0])

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        lengthscales = self.log_lengthscales.exp()
        return quadrature.kernel_mean(x, self.order, self.variance, lengthscales, means, covariances)

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        lengthscales = self.log_lengthscales.exp()
        return quadrature.double_integral(self.order, self.variance, lengthscales, means, covariances)

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        return scale_and_lengthscale_priors(x, spread_of_y)

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        pairs = Pairs(x1, x2)
        distances = [column.contiguous() for column in pairs.differences.abs().unbind(1)]

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            variance = (2.0 * flat[0]).exp()
            rates = math.sqrt(2 * self.order + 1) * (-flat[1:]).exp()
            total, polynomials, scaled = torch.zeros_like(distances[0]), [], []
            for rate, distance in zip(rates, distances, strict=True):
                u = rate * distance
                total.add_(u)
                scaled.append(u)
                polynomials.append(_polynomial(self.order, u))
            k = total.neg_().exp_().mul_(variance)
            if self.order:
                for polynomial in polynomials:
                    k.mul_(polynomial)

            def pullback(g: Tensor) -> Tensor:
                packed, diagonal = pairs.pack(g)
                m = packed * k
                parts = [2.0 * (m.sum() + variance * diagonal)]
                for u, polynomial in zip(scaled, polynomials, strict=True):
                    parts.append(m @ _log_slope(self.order, u, polynomial))
                return torch.stack(parts)

            return pairs.unpack(k, variance), pullback

        return evaluate

    def bind_diagonal(self, x: Tensor) -> Bound:
        return stationary_diagonal(x, len(self.names))


def _polynomial(order: int, u: Tensor) -> Tensor:
    if order == 0:
        return torch.ones_like(u)
    return 1.0 + u if order == 1 else 1.0 + u + u * u / 3.0


def _log_slope(order: int, u: Tensor, polynomial: Tensor) -> Tensor:
    """d log M / d log l at scaled distance u, ``polynomial`` being p(u)."""
    if order == 0:
        return u
    if order == 1:
        return u * u / polynomial
    return u * u * (1.0 + u) / (3.0 * polynomial)
