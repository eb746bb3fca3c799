"""Polynomial kernel of degree 2: a full quadratic whose coefficients are integrated out (RECIPE 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature import polynomial as quadrature
from .base import Bound, Kernel, NormalPrior, Pullback


@dataclass(frozen=True)
class Quadratic(Kernel):
    """s0^2 + s1^2 x.x' + s2^2 sum (x_i^2 - 1)(x'_i^2 - 1) / 2 + s3^2 sum_{i<j} x_i x_j x'_i x'_j; log_scales log s (4,).

    Meant for coordinates of order one: put it in a ``Framed`` box frame.
    """

    log_scales: Tensor

    @classmethod
    def start(cls, constant: float = 30.0, linear: float = 0.5, squares: float = 0.5, products: float = 0.5) -> Quadratic:
        scales = [constant, linear, squares, products]
        return cls(torch.tensor([math.log(s) for s in scales], dtype=torch.float64))

    @property
    def names(self) -> tuple[str, ...]:
        return ("log_constant", "log_linear", "log_squares", "log_products")

    def hyperparameters(self) -> Tensor:
        return self.log_scales

    def replace(self, flat: Tensor) -> Self:
        return type(self)(flat)

    @property
    def variances(self) -> Tensor:
        return (2.0 * self.log_scales).exp()

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        linear, squares, products = _blocks(x1, x2)
        v = self.variances
        if not torch.is_grad_enabled():  # in place: thousands of points against all data
            return linear.mul_(v[1]).add_(v[0]).add_(squares.mul_(v[2])).add_(products.mul_(v[3]))
        return v[0] + v[1] * linear + v[2] * squares + v[3] * products

    def diagonal(self, x: Tensor) -> Tensor:
        s, v = x * x, self.variances
        total = s.sum(-1)
        return (
            v[0] + v[1] * total + 0.5 * v[2] * ((s - 1.0) ** 2).sum(-1) + 0.5 * v[3] * (total * total - (s * s).sum(-1))
        )

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        return quadrature.kernel_mean(x, self.variances, means, covariances)

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return quadrature.double_integral(self.variances, means, covariances)

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        """The constant's scale is fixed at 30 spreads; log s1..s3 ~ N(log spread - .7, 3^2)."""
        log_y = math.log(spread_of_y)
        constant = math.log(30.0) + log_y
        scale = NormalPrior(log_y - 0.7, 3.0, log_y - 10.0, log_y + 7.0)
        return [NormalPrior(constant, 1.0, constant, constant), scale, scale, scale]

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        blocks = _blocks(x1, x1 if x2 is None else x2)
        stacked = torch.stack([torch.ones_like(blocks[0]), *blocks]).flatten(1)  # (4, n1 n2), once per training
        shape = blocks[0].shape

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            variances = (2.0 * flat).exp()
            return (variances @ stacked).reshape(shape), lambda g: 2.0 * variances * (stacked @ g.reshape(-1))

        return evaluate


def _blocks(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    linear = x1 @ x2.T
    s1, s2 = x1 * x1, x2 * x2
    return linear, 0.5 * ((s1 - 1.0) @ (s2 - 1.0).T), 0.5 * (linear * linear - s1 @ s2.T)
