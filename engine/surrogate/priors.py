"""Proper priors on hyperparameters: independent normals, relations between them, and a search box."""

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
    """sum_r log N(rows_r . theta; mean_r, sd_r^2) inside the box [lower, upper]. The first p rows are the identity."""

    lower: Array  # (p,)
    upper: Array  # (p,)
    rows: Array  # (q, p)
    mean: Array  # (q,)
    sd: Array  # (q,)

    @classmethod
    def of(cls, priors: Sequence[NormalPrior]) -> HyperPrior:
        return cls(
            np.array([p.lower for p in priors]),
            np.array([p.upper for p in priors]),
            np.eye(len(priors)),
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

    def relate(self, row: Array, mean: float, sd: float) -> HyperPrior:
        """One more factor N(row . theta; mean, sd^2), such as log s3 - log s2 ~ N(0, 1)."""
        return HyperPrior(
            self.lower, self.upper, np.vstack([self.rows, row]), np.append(self.mean, mean), np.append(self.sd, sd)
        )

    def log_density(self, theta: Array) -> tuple[float, Array]:
        """Log density, relations unnormalized, and its gradient (p,)."""
        z = (self.rows @ theta - self.mean) / self.sd
        value = -0.5 * float(z @ z) - float(np.log(self.sd).sum()) - 0.5 * len(z) * math.log(2 * math.pi)
        return value, -self.rows.T @ (z / self.sd)

    def centre(self) -> Array:
        """The independent normals' means, inside the box."""
        return np.clip(self.mean[: len(self.lower)], self.lower, self.upper)

    def draw(self, rng: np.random.Generator) -> Array:
        """One draw from the independent normals, inside the box."""
        p = len(self.lower)
        return np.clip(self.mean[:p] + self.sd[:p] * rng.standard_normal(p), self.lower, self.upper)


def typical_spread(y: Tensor) -> float:
    """Standard deviation of the better half of the targets, at least 1e-3 of the whole and never zero.

    Log densities fall without end: their far tail says nothing about the scale that matters.
    """
    whole = float(y.std(correction=0))
    upper = y[y >= y.median()]
    spread = max(float(upper.std(correction=0)), 1e-3 * whole)
    return spread if spread > 0.0 and math.isfinite(spread) else 1.0
