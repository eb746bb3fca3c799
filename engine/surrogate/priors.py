"""Proper priors on hyperparameters: independent normals inside a search box."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from .kernels.base import NormalPrior
from .model import Model

Array = NDArray[np.float64]


@dataclass(frozen=True)
class HyperPrior:
    """sum_i log N(theta_i; mean_i, sd_i^2) inside the box [lower, upper]."""

    lower: Array  # (p,)
    upper: Array  # (p,)
    mean: Array  # (p,)
    sd: Array  # (p,)

    @classmethod
    def of(cls, priors: Sequence[NormalPrior]) -> HyperPrior:
        return cls(
            np.array([p.lower for p in priors]),
            np.array([p.upper for p in priors]),
            np.array([p.mean for p in priors]),
            np.array([p.sd for p in priors]),
        )

    @classmethod
    def default(
        cls, model: Model, x: Tensor, y: Tensor, overrides: Mapping[str, NormalPrior] | None = None
    ) -> HyperPrior:
        """The model's own default priors; ``overrides`` by name, or by a name's beginning ('kernel.1.log_lengthscale')."""
        scaled = model.scaling.scaled(y)
        spread = typical_spread(scaled)
        priors = model.kernel.default_priors(x, spread) + model.mean.default_priors(x, scaled, spread)
        if model.fit_noise_scale:
            priors.append(NormalPrior(0.0, 0.5, -4.0, 4.0))
        for name, prior in (overrides or {}).items():
            matches = [i for i, own in enumerate(model.names) if own.startswith(name)]
            if not matches:
                raise ValueError(f"No hyperparameter begins with {name!r}; there are {', '.join(model.names)}.")
            for i in matches:
                priors[i] = prior
        return cls.of(priors)

    def log_density(self, theta: Array) -> tuple[float, Array]:
        """Log density, the box left out, and its gradient (p,)."""
        z = (theta - self.mean) / self.sd
        value = -0.5 * float(z @ z) - float(np.log(self.sd).sum()) - 0.5 * len(z) * math.log(2 * math.pi)
        return value, -z / self.sd

    def centre(self) -> Array:
        """The normals' means, inside the box."""
        return np.clip(self.mean, self.lower, self.upper)

    def draw(self, rng: np.random.Generator) -> Array:
        """One draw from the normals, inside the box."""
        return np.clip(self.mean + self.sd * rng.standard_normal(len(self.mean)), self.lower, self.upper)


def typical_spread(y: Tensor) -> float:
    """Standard deviation of the better half of the targets, at least 1e-3 of the whole and never zero.

    Log densities fall without end: their far tail says nothing about the scale that matters.
    """
    whole = float(y.std(correction=0))
    upper = y[y >= y.median()]
    spread = max(float(upper.std(correction=0)), 1e-3 * whole)
    return spread if spread > 0.0 and math.isfinite(spread) else 1.0
