"""Additive squared-exponential kernel: one-dimensional functions of the axes (RECIPE, additive block).

Log densities of independent parameters, and most priors, are sums of functions of one axis each; heavy tails above all are
out of reach of a stationary kernel in D dimensions and easy in one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from .base import Bound, Kernel, NormalPrior, Pullback


@dataclass(frozen=True)
class Additive(Kernel):
    """s^2 sum_d exp(-(x_d - x'_d)^2 / (2 l^2)); log_scale log s (), log_lengthscale log l (), shared by the axes.

    Meant for axes of like scale: put it in a ``Framed`` box frame.
    """

    log_scale: Tensor
    log_lengthscale: Tensor

    @classmethod
    def start(cls, scale: float = 1.0, lengthscale: float = 1.5) -> Additive:
        return cls(*(torch.tensor(math.log(v), dtype=torch.float64) for v in (scale, lengthscale)))

    @property
    def names(self) -> tuple[str, ...]:
        return ("log_scale", "log_lengthscale")

    def hyperparameters(self) -> Tensor:
        return torch.stack([self.log_scale, self.log_lengthscale])

    def replace(self, flat: Tensor) -> Self:
        return type(self)(flat[0], flat[1])

    @property
    def variance(self) -> Tensor:
        return (2.0 * self.log_scale).exp()

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        inverse = (-self.log_lengthscale).exp() * math.sqrt(0.5)
        a, b = x1 * inverse, x2 * inverse
        if torch.is_grad_enabled() and (a.requires_grad or b.requires_grad):
            return self.variance * torch.exp(-((a.unsqueeze(1) - b.unsqueeze(0)) ** 2)).sum(-1)
        total = a.new_zeros(a.shape[0], b.shape[0])
        for d in range(a.shape[1]):  # in place: thousands of points against all data, at every look at the posterior
            axis = a[:, d, None] - b[:, d]
            total.add_(axis.mul_(axis).neg_().exp_())
        return total.mul_(self.variance) if not torch.is_grad_enabled() else self.variance * total

    def diagonal(self, x: Tensor) -> Tensor:
        return (self.variance * x.shape[1]).expand(x.shape[0])

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        spread = covariances if covariances.dim() == 2 else covariances.diagonal(dim1=-2, dim2=-1)
        return self._integral(means.unsqueeze(1) - x.unsqueeze(0), spread.unsqueeze(1))

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        spread = covariances if covariances.dim() == 2 else covariances.diagonal(dim1=-2, dim2=-1)
        return self._integral(means.unsqueeze(1) - means.unsqueeze(0), spread.unsqueeze(1) + spread.unsqueeze(0))

    def _integral(self, delta: Tensor, spread: Tensor) -> Tensor:
        """The integrals of the kernel under N(t_d; delta_d, spread_d) on every axis, (..., D) to (...)."""
        square = (2.0 * self.log_lengthscale).exp()
        total = square + spread
        return self.variance * (torch.sqrt(square / total) * torch.exp(-0.5 * delta * delta / total)).sum(-1)

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        """log s ~ N(log spread - 1, 2^2), log l ~ N(.4, .7^2) in box units (RECIPE)."""
        log_y = math.log(spread_of_y)
        return [NormalPrior(log_y - 1.0, 2.0, log_y - 10.0, log_y + 7.0), NormalPrior(0.4, 0.7, -2.0, 3.0)]

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        other = x1 if x2 is None else x2
        # One matrix per axis, so that no (n, n, D) array is ever summed along its last axis.
        squares = torch.stack([(x1[:, d, None] - other[:, d]) ** 2 for d in range(x1.shape[1])])

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            inverse, variance = (-2.0 * flat[1]).exp(), (2.0 * flat[0]).exp()
            k, slope, axis = (torch.zeros_like(squares[0]) for _ in range(3))
            for square in squares:  # an axis at a time stays in the processor's cache; megabytes for all of them do not
                torch.mul(square, -0.5 * inverse, out=axis).exp_()
                k.add_(axis)
                slope.addcmul_(axis, square)
            k.mul_(variance)

            def pullback(g: Tensor) -> Tensor:
                return torch.stack([2.0 * (g * k).sum(), inverse * variance * (g * slope).sum()])

            return k, pullback

        return evaluate
