"""A Gaussian process model: kernel, mean, output scaling and noise scale, as one flat vector of hyperparameters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from .kernels.base import Kernel
from .means import Mean, Zero
from .scaling import OutputScaling

NOISELESS_VARIANCE = 1e-5  # jitter variance of exact targets (METHODS 1), in the units of y squared


@dataclass(frozen=True)
class Model:
    """Noise of a point: exp(2 log_noise_scale) times its stated variance; the scale is fitted only if asked."""

    kernel: Kernel
    mean: Mean = field(default_factory=Zero)
    scaling: OutputScaling = field(default_factory=OutputScaling)
    log_noise_scale: float = 0.0
    fit_noise_scale: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        noise = ("log_noise_scale",) if self.fit_noise_scale else ()
        return (*(f"kernel.{n}" for n in self.kernel.names), *(f"mean.{n}" for n in self.mean.names), *noise)

    def hyperparameters(self) -> Tensor:
        """Flat vector (p,)."""
        kernel = self.kernel.hyperparameters()
        parts = [kernel, self.mean.hyperparameters().to(kernel)]
        if self.fit_noise_scale:
            parts.append(kernel.new_tensor([self.log_noise_scale]))
        return torch.cat(parts)

    def split(self, flat: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Kernel's, mean's and noise's pieces of the flat vector."""
        sizes = [len(self.kernel.names), len(self.mean.names), int(self.fit_noise_scale)]
        kernel, mean, noise = torch.split(flat, sizes)
        return kernel, mean, noise

    def with_hyperparameters(self, flat: Tensor) -> Model:
        kernel, mean, noise = self.split(flat)
        return replace(
            self,
            kernel=self.kernel.replace(kernel),
            mean=self.mean.replace(mean),
            log_noise_scale=float(noise[0]) if self.fit_noise_scale else self.log_noise_scale,
        )

    def scaled_noise(self, noise_variance: Tensor) -> Tensor:
        """Noise variance (n,) of the scaled targets, the noise scale left out."""
        return noise_variance / (self.scaling.scale * self.scaling.scale)

    def to(self, device: torch.device | str) -> Model:
        if self.kernel.hyperparameters().device == torch.device(device):
            return self
        return replace(self, kernel=self.kernel.to(device), mean=self.mean.to(device))


def check_data(x: Tensor, y: Tensor, noise_variance: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """x (n, D), y (n,), noise variance (n,) as float64 on the device of x; ValueError in words when they do not fit."""
    if x.dim() != 2 or x.shape[0] == 0 or y.shape != (x.shape[0],):
        raise ValueError(f"The surrogate needs x (n, D) and y (n,) with n >= 1; got {tuple(x.shape)} and {tuple(y.shape)}.")
    x = x.to(torch.float64)
    y = y.to(x)
    noise = torch.full_like(y, NOISELESS_VARIANCE) if noise_variance is None else noise_variance.to(x).expand_as(y)
    if not (bool(torch.isfinite(x).all()) and bool(torch.isfinite(y).all()) and bool(torch.isfinite(noise).all())):
        raise ValueError("The surrogate was given an infinite or undefined number; failed runs must be left out.")
    if bool((noise < 0).any()):
        raise ValueError("A noise variance is negative.")
    return x, y, noise
