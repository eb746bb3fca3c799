"""Spectral mixture kernel (seed 000 eq 3.14)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature import spectral_mixture as quadrature
from .base import Bound, Kernel, NormalPrior, Pullback, pulled_back, spreads
from .pairs import Pairs


@dataclass(frozen=True)
class SpectralMixture(Kernel):
    """sum_q w_q prod_d exp(-2 pi^2 t_d^2 v_qd) cos(2 pi t_d m_qd); logs of w (Q,), m (Q, D), v (Q, D)."""

    log_weights: Tensor
    log_frequencies: Tensor
    log_bandwidths: Tensor

    @classmethod
    def start(cls, dimension: int, components: int = 2, scale: float = 1.0, lengthscale: float = 1.0) -> SpectralMixture:
        """Component q at q / (8 l) cycles per unit, each with the bandwidth of a squared exponential of length l."""
        one = torch.ones(components, dimension, dtype=torch.float64)
        steps = torch.arange(1, components + 1, dtype=torch.float64).unsqueeze(1) / (8.0 * lengthscale)
        return cls(
            torch.full((components,), math.log(scale * scale / components), dtype=torch.float64),
            (steps * one).log(),
            one * math.log(1.0 / (2.0 * math.pi * lengthscale) ** 2),
        )

    @property
    def names(self) -> tuple[str, ...]:
        q, d = self.log_frequencies.shape
        return (
            *(f"log_weight[{i}]" for i in range(q)),
            *(f"log_frequency[{i},{j}]" for i in range(q) for j in range(d)),
            *(f"log_bandwidth[{i},{j}]" for i in range(q) for j in range(d)),
        )

    def hyperparameters(self) -> Tensor:
        return torch.cat([self.log_weights, self.log_frequencies.flatten(), self.log_bandwidths.flatten()])

    def replace(self, flat: Tensor) -> Self:
        q, d = self.log_frequencies.shape
        weights, frequencies, bandwidths = torch.split(flat, [q, q * d, q * d])
        return type(self)(weights, frequencies.reshape(q, d), bandwidths.reshape(q, d))

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        return self._profile(x1.unsqueeze(1) - x2)

    def _profile(self, delta: Tensor) -> Tensor:
        """k at differences (..., D)."""
        squares = delta * delta
        total = delta.new_zeros(delta.shape[:-1])
        parts = zip(self.log_weights.exp(), self.log_frequencies.exp(), self.log_bandwidths.exp(), strict=True)
        for weight, frequency, bandwidth in parts:
            decay = torch.exp(-2.0 * math.pi**2 * (squares @ bandwidth))
            total = total + weight * decay * torch.cos(2.0 * math.pi * delta * frequency).prod(-1)
        return total

    def diagonal(self, x: Tensor) -> Tensor:
        return self.log_weights.exp().sum().expand(x.shape[0])

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        w, m, v = self.log_weights.exp(), self.log_frequencies.exp(), self.log_bandwidths.exp()
        return quadrature.kernel_mean(x, w, m, v, means, covariances)

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        w, m, v = self.log_weights.exp(), self.log_frequencies.exp(), self.log_bandwidths.exp()
        return quadrature.double_integral(w, m, v, means, covariances)

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        pairs = Pairs(x1, x2)

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            with torch.enable_grad():
                leaf = flat.detach().requires_grad_(True)
                kernel = self.replace(leaf)
                values, top = kernel._profile(pairs.differences), kernel.log_weights.exp().sum()

            def pullback(g: Tensor) -> Tensor:
                return pulled_back((values, top), leaf, pairs.pack(g))

            return pairs.unpack(values.detach(), top.detach()), pullback

        return evaluate

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        q = self.log_weights.shape[0]
        weight = 2.0 * math.log(spread_of_y) - math.log(q)
        priors = [NormalPrior(weight, 3.0, weight - 20.0, weight + 14.0)] * q
        lengths = [math.sqrt(x.shape[1]) * spread for spread in spreads(x)]
        for i in range(q):
            for length in lengths:
                centre = math.log((i + 1) / (8.0 * length))
                priors.append(NormalPrior(centre, 1.0, centre - 5.0, centre + 3.0))
        for _ in range(q):
            for length in lengths:
                centre = -2.0 * math.log(2.0 * math.pi * length)
                priors.append(NormalPrior(centre, 2.0, centre - 9.0, centre + 9.0))
        return priors
