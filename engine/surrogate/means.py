"""Mean functions: zero, a fixed constant, a negative quadratic (fitted or fixed)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ..quadrature import mean_functions as quadrature
from .kernels.base import NormalPrior, spreads


class Mean(ABC):
    """m(x) on float64 tensors, in the scaled units of the targets."""

    @property
    def names(self) -> tuple[str, ...]:
        """One name per fitted hyperparameter."""
        return ()

    def hyperparameters(self) -> Tensor:
        """Flat vector (p,)."""
        return torch.zeros(0, dtype=torch.float64)

    def replace(self, flat: Tensor) -> Self:
        return self

    @abstractmethod
    def value(self, x: Tensor) -> Tensor:
        """(n,)"""

    @abstractmethod
    def integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        """(K,): integrals under each Gaussian."""

    def bind(self, x: Tensor) -> Callable[[Tensor], tuple[Tensor, Callable[[Tensor], Tensor]]]:
        """A function of the flat vector: m(x) and the pullback g (n,) -> d sum(g m) / d flat."""
        value = self.value(x)
        return lambda flat: (value, lambda g: flat)

    def default_priors(self, x: Tensor, y: Tensor, spread_of_y: float) -> list[NormalPrior]:
        return []

    def to(self, device: torch.device | str) -> Self:
        return self


@dataclass(frozen=True)
class Zero(Mean):
    def value(self, x: Tensor) -> Tensor:
        return x.new_zeros(x.shape[0])

    def integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return means.new_zeros(means.shape[0])


@dataclass(frozen=True)
class Constant(Mean):
    """A low constant C fixed before training (seed 000 sec 6.1.1.5): -10, -20 or -30 after zeromax scaling."""

    level: float

    def value(self, x: Tensor) -> Tensor:
        return x.new_full((x.shape[0],), self.level)

    def integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return means.new_full((means.shape[0],), self.level)


@dataclass(frozen=True)
class NegativeQuadratic(Mean):
    """m0 - 1/2 sum_d (x_d - c_d)^2 / w_d^2 (seed 001 eq S4). peak m0 (), centre c (D,), log_scales log w (D,).

    ``fitted`` False keeps it as it is during training (RECIPE 4 subtracts |b|^2 / 2 of the box frame).
    """

    peak: Tensor
    centre: Tensor
    log_scales: Tensor
    fitted: bool = True

    @classmethod
    def start(cls, dimension: int, fitted: bool = True) -> NegativeQuadratic:
        zeros = torch.zeros(dimension, dtype=torch.float64)
        return cls(torch.tensor(0.0, dtype=torch.float64), zeros, zeros, fitted)

    @property
    def names(self) -> tuple[str, ...]:
        if not self.fitted:
            return ()
        d = self.centre.shape[0]
        return ("peak", *(f"centre[{i}]" for i in range(d)), *(f"log_scale[{i}]" for i in range(d)))

    def hyperparameters(self) -> Tensor:
        if not self.fitted:
            return self.centre.new_zeros(0)
        return torch.cat([self.peak.reshape(1), self.centre, self.log_scales])

    def replace(self, flat: Tensor) -> Self:
        if not self.fitted:
            return self
        d = self.centre.shape[0]
        return type(self)(flat[0], flat[1 : d + 1], flat[d + 1 :], True)

    def value(self, x: Tensor) -> Tensor:
        return self.peak - 0.5 * (((x - self.centre) * (-self.log_scales).exp()) ** 2).sum(-1)

    def integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return quadrature.negative_quadratic(self.peak, self.centre, self.log_scales.exp(), means, covariances)

    def bind(self, x: Tensor) -> Callable[[Tensor], tuple[Tensor, Callable[[Tensor], Tensor]]]:
        if not self.fitted:
            return super().bind(x)
        d = self.centre.shape[0]

        def evaluate(flat: Tensor) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
            inverse = (-flat[d + 1 :]).exp()
            scaled = (x - flat[1 : d + 1]) * inverse
            value = flat[0] - 0.5 * (scaled * scaled).sum(-1)

            def pullback(g: Tensor) -> Tensor:
                return torch.cat([g.sum().reshape(1), (g @ scaled) * inverse, g @ (scaled * scaled)])

            return value, pullback

        return evaluate

    def default_priors(self, x: Tensor, y: Tensor, spread_of_y: float) -> list[NormalPrior]:
        """Peak around the best target, centre around the best input, scales around the spread of the inputs."""
        if not self.fitted:
            return []
        best = int(y.argmax())
        top, reach = float(y[best]), max(float(y.max() - y.min()), spread_of_y)
        priors = [NormalPrior(top, reach, top - 10.0 * reach, top + 10.0 * reach)]
        widths = spreads(x)
        for d, width in enumerate(widths):
            at = float(x[best, d])
            priors.append(NormalPrior(at, 2.0 * width, at - 20.0 * width, at + 20.0 * width))
        # Over the data's spread the quadratic should fall by about the spread of y.
        fall = 0.5 * math.log(max(spread_of_y, 1e-6))
        for width in widths:
            centre = math.log(width) - fall
            priors.append(NormalPrior(centre, 2.0, centre - 7.0, centre + 7.0))
        return priors

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.peak.to(device), self.centre.to(device), self.log_scales.to(device), self.fitted)
