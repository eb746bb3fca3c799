"""What every kernel can do, sums of kernels, and a kernel seen in another affine frame.

A kernel's hyperparameters are one flat float64 vector of unconstrained numbers (logarithms of positive ones), so that a
model is a vector to the optimizer. ``bind`` is the fast inner path of training: everything that depends on the data
alone is computed once, and gradients come by hand-written pullbacks instead of a recorded graph.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from ...quadrature.gaussians import affine

Pullback = Callable[[Tensor], Tensor]
Bound = Callable[[Tensor], tuple[Tensor, Pullback]]


@dataclass(frozen=True)
class NormalPrior:
    """Normal prior N(mean, sd^2) on one unconstrained hyperparameter, searched within [lower, upper]."""

    mean: float
    sd: float
    lower: float
    upper: float


class Kernel(ABC):
    """k(x, x') on float64 tensors."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """One name per hyperparameter, in the order of the flat vector."""

    @abstractmethod
    def hyperparameters(self) -> Tensor:
        """Flat vector (p,)."""

    @abstractmethod
    def replace(self, flat: Tensor) -> Self:
        """The same kernel with other hyperparameters; differentiable in them."""

    @abstractmethod
    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        """(n1, n2)"""

    @abstractmethod
    def diagonal(self, x: Tensor) -> Tensor:
        """k(x, x) (n,)"""

    @abstractmethod
    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        """z (K, n): integrals of k(x, x_i) under each Gaussian."""

    @abstractmethod
    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        """Gamma (K, K): integrals of k(x, x') under each pair of Gaussians."""

    @abstractmethod
    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        """Proper, weakly informative priors scaled to inputs x (n, D) and to the typical spread of the targets."""

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        """A function of the flat vector: K(x1, x2) and the pullback G -> d sum(G * K) / d flat. Here by autograd."""
        other = x1 if x2 is None else x2

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            with torch.enable_grad():
                leaf = flat.detach().requires_grad_(True)
                k = self.replace(leaf).matrix(x1, other)

            def pullback(g: Tensor) -> Tensor:
                return pulled_back((k,), leaf, (g,))

            return k.detach(), pullback

        return evaluate

    def bind_diagonal(self, x: Tensor) -> Bound:
        """As ``bind`` for k(x, x) (n,)."""

        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            with torch.enable_grad():
                leaf = flat.detach().requires_grad_(True)
                k = self.replace(leaf).diagonal(x)

            def pullback(g: Tensor) -> Tensor:
                return pulled_back((k,), leaf, (g,))

            return k.detach(), pullback

        return evaluate

    def to(self, device: torch.device | str) -> Self:
        return self.replace(self.hyperparameters().to(device))


@dataclass(frozen=True)
class Sum(Kernel):
    """k_1 + k_2 + ...; the flat vector is theirs, one after the other."""

    parts: tuple[Kernel, ...]

    @classmethod
    def of(cls, *parts: Kernel) -> Sum:
        return cls(tuple(parts))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{i}.{name}" for i, part in enumerate(self.parts) for name in part.names)

    def hyperparameters(self) -> Tensor:
        return torch.cat([part.hyperparameters() for part in self.parts])

    def replace(self, flat: Tensor) -> Self:
        return type(self)(tuple(part.replace(piece) for part, piece in zip(self.parts, self._split(flat), strict=True)))

    def to(self, device: torch.device | str) -> Self:
        return type(self)(tuple(part.to(device) for part in self.parts))

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        return _total(part.matrix(x1, x2) for part in self.parts)

    def diagonal(self, x: Tensor) -> Tensor:
        return _total([part.diagonal(x) for part in self.parts])

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        return _total([part.kernel_mean(x, means, covariances) for part in self.parts])

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return _total([part.double_integral(means, covariances) for part in self.parts])

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        return [prior for part in self.parts for prior in part.default_priors(x, spread_of_y)]

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        return self._together([part.bind(x1, x2) for part in self.parts])

    def bind_diagonal(self, x: Tensor) -> Bound:
        return self._together([part.bind_diagonal(x) for part in self.parts])

    def _split(self, flat: Tensor) -> Sequence[Tensor]:
        return torch.split(flat, [len(part.names) for part in self.parts])

    def _together(self, bounds: list[Bound]) -> Bound:
        def evaluate(flat: Tensor) -> tuple[Tensor, Pullback]:
            pairs = [bound(piece) for bound, piece in zip(bounds, self._split(flat), strict=True)]
            return _total([k for k, _ in pairs]), lambda g: torch.cat([pull(g) for _, pull in pairs])

        return evaluate


@dataclass(frozen=True)
class Framed(Kernel):
    """``inner`` in the coordinates (x - shift) A' (``matrix`` A (E, D)) or (x - shift) * a (``matrix`` a (D,))."""

    inner: Kernel
    shift: Tensor
    frame: Tensor

    @property
    def names(self) -> tuple[str, ...]:
        return self.inner.names

    def hyperparameters(self) -> Tensor:
        return self.inner.hyperparameters()

    def replace(self, flat: Tensor) -> Self:
        return type(self)(self.inner.replace(flat), self.shift, self.frame)

    def matrix(self, x1: Tensor, x2: Tensor) -> Tensor:
        return self.inner.matrix(self._moved(x1), self._moved(x2))

    def diagonal(self, x: Tensor) -> Tensor:
        return self.inner.diagonal(self._moved(x))

    def kernel_mean(self, x: Tensor, means: Tensor, covariances: Tensor) -> Tensor:
        return self.inner.kernel_mean(self._moved(x), *affine(means, covariances, self.shift, self.frame))

    def double_integral(self, means: Tensor, covariances: Tensor) -> Tensor:
        return self.inner.double_integral(*affine(means, covariances, self.shift, self.frame))

    def default_priors(self, x: Tensor, spread_of_y: float) -> list[NormalPrior]:
        return self.inner.default_priors(self._moved(x), spread_of_y)

    def bind(self, x1: Tensor, x2: Tensor | None = None) -> Bound:
        return self.inner.bind(self._moved(x1), None if x2 is None else self._moved(x2))

    def bind_diagonal(self, x: Tensor) -> Bound:
        return self.inner.bind_diagonal(self._moved(x))

    def to(self, device: torch.device | str) -> Self:
        return type(self)(self.inner.to(device), self.shift.to(device), self.frame.to(device))

    def _moved(self, x: Tensor) -> Tensor:
        return (x - self.shift) * self.frame if self.frame.dim() == 1 else (x - self.shift) @ self.frame.T


def spreads(x: Tensor) -> list[float]:
    """Typical spread of each input column (D,), never zero."""
    sd = x.std(0, correction=0)
    floor = 1e-3 * float(sd.max()) if float(sd.max()) > 0 else 1.0
    return [max(float(s), floor) for s in sd]


def pulled_back(outputs: Sequence[Tensor], leaf: Tensor, weights: Sequence[Tensor]) -> Tensor:
    """d sum(weights * outputs) / d leaf, by autograd. As one number: given weights, torch loads sympy first."""
    with torch.enable_grad():
        total = _total(torch.dot(k.reshape(-1), g.reshape(-1)) for k, g in zip(outputs, weights, strict=True))
    (gradient,) = torch.autograd.grad(total, leaf)
    return gradient


def _total(terms: Iterable[Tensor]) -> Tensor:
    """Their sum, made while they are: no more than two at a time are held where no gradient is asked for."""
    total: Tensor | None = None
    for term in terms:
        total = term if total is None else total + term
    assert total is not None
    return total
