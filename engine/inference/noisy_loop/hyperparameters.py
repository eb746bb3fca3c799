"""MAP hyperparameters of the noisy surrogate: those of the default loop and log a, the scale of the noise.

Noise variance_i = floor + a^2 base_i with base_i = sd_i^2 over the value's precision factor (noise.py, heteroscedastic.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from ..default_loop.hyperparameters import MapObjective
from ..default_loop.kernel import Coordinates, box_of

Array = NDArray[np.float64]

FLOOR = 1e-5
SHORTEST = 0.3  # length below which the surrogate would take noise for signal
SCALE_DOF = 4.0  # Student-t prior of log a: an sd misreported tenfold is rare, not impossible


@dataclass(frozen=True)
class NoisyFit:
    theta: Array  # (D + 8,) kernel
    log_a: float
    value: float


def variance_of(log_a: float, base: Array) -> Array:
    """Noise variances (n,) from base variances (n,)."""
    return np.asarray(FLOOR + base * np.exp(2.0 * log_a))


class NoisyObjective:
    """Negative log posterior of (kernel hyperparameters, log a) and its gradient."""

    def __init__(self, c: Coordinates, y: Array, base: Array, scale_sd: float) -> None:
        self.inner = MapObjective(c, y, base)
        self.base, self.scale_sd = base, scale_sd

    def __call__(self, full: Array) -> tuple[float, Array]:
        self.inner.noise = variance_of(float(full[-1]), self.base)
        value, gradient = self.inner(full[:-1])
        slope = -float((self.inner.noise - FLOOR) @ self.inner.noise_slope)
        z = float(full[-1]) / self.scale_sd
        tail = 1.0 + z * z / SCALE_DOF
        slope += (SCALE_DOF + 1.0) / SCALE_DOF * z / tail / self.scale_sd
        return value + 0.5 * (SCALE_DOF + 1.0) * float(np.log(tail)), np.append(gradient, slope)


def fit(objective: NoisyObjective, starts: list[tuple[Array, float]], iterations: int = 40) -> NoisyFit:
    """The best of L-BFGS-B runs from ``starts`` (kernel hyperparameters, log a)."""
    d = objective.inner.d
    box = [(np.log(SHORTEST), high) for _, high in box_of(d)[:d]] + box_of(d)[d:] + [(-7.0, 7.0)]
    low, high = np.array(box).T
    best: NoisyFit | None = None
    for theta, log_a in starts:
        found = optimize.minimize(
            objective, np.clip(np.append(theta, log_a), low, high), jac=True, method="L-BFGS-B", bounds=box,
            options={"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-3},
        )  # fmt: skip
        if best is None or found.fun < best.value:
            x = np.asarray(found.x, dtype=float)
            best = NoisyFit(x[:-1], float(x[-1]), float(found.fun))
    assert best is not None
    return best
