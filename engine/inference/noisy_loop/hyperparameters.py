"""MAP hyperparameters of the noisy surrogate: those of the default loop and the noise, scaled and perhaps tilted.

Noise variance_i = floor + base_i exp(2 (log a + t . g_i)), base_i = sd_i^2 / lambda_i and g (n, G) the noise field's features
(G = 0: the same scale everywhere).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from ..default_loop.hyperparameters import MapObjective
from ..default_loop.kernel import Coordinates, box_of, prior_of

Array = NDArray[np.float64]

FLOOR = 1e-5
TILT_SD = 0.5  # prior sd of each coefficient of the noise field
SHORTEST = 0.3  # length below which the surrogate would take noise for signal
SCALE_DOF = 4.0  # Student-t prior of the noise hyperparameters: an sd misreported tenfold is rare, not impossible


@dataclass(frozen=True)
class NoisyFit:
    theta: Array  # (D + 8,) kernel
    noise: Array  # (1 + G,): log a, then the field's coefficients
    value: float


def variance_of(noise: Array, base: Array, field: Array) -> Array:
    """Noise variances (n,) from the noise hyperparameters (1 + G,), base (n,) and field features (n, G)."""
    return np.asarray(FLOOR + base * np.exp(2.0 * np.clip(noise[0] + field @ noise[1:], -12.0, 12.0)))


class NoisyObjective:
    """Negative log posterior of (kernel, noise) hyperparameters and its gradient."""

    def __init__(self, c: Coordinates, y: Array, base: Array, field: Array, scale_sd: float) -> None:
        self.inner = MapObjective(c, y, base)
        self.base, self.field = base, field
        self.noise_sd = np.concatenate([[scale_sd], np.full(field.shape[1], TILT_SD)])
        self.size = len(prior_of(self.inner.d)[0])

    def __call__(self, full: Array) -> tuple[float, Array]:
        theta, noise = full[: self.size], full[self.size :]
        self.inner.noise = variance_of(noise, self.base, self.field)
        value, gradient = self.inner(theta)
        slope = -(self.inner.noise - FLOOR) * self.inner.noise_slope  # d value / d log a of each point
        z = noise / self.noise_sd
        gradient = np.concatenate([gradient, [slope.sum()], self.field.T @ slope])
        tail = 1.0 + np.square(z) / SCALE_DOF
        gradient[self.size :] += (SCALE_DOF + 1.0) / SCALE_DOF * z / tail / self.noise_sd
        return value + 0.5 * (SCALE_DOF + 1.0) * float(np.log(tail).sum()), gradient


def fit(objective: NoisyObjective, starts: list[tuple[Array, Array]], iterations: int = 40) -> NoisyFit:
    """The best of L-BFGS-B runs from ``starts`` (kernel, noise)."""
    d = objective.inner.d
    box = [(np.log(SHORTEST), high) for _, high in box_of(d)[:d]] + box_of(d)[d:]
    box += [(-7.0, 7.0)] + [(-3.0, 3.0)] * objective.field.shape[1]
    low, high = np.array(box).T
    best: NoisyFit | None = None
    for theta, noise in starts:
        found = optimize.minimize(
            objective, np.clip(np.concatenate([theta, noise]), low, high), jac=True, method="L-BFGS-B", bounds=box,
            options={"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-3},
        )  # fmt: skip
        if best is None or found.fun < best.value:
            x = np.asarray(found.x, dtype=float)
            best = NoisyFit(x[: objective.size], x[objective.size :], float(found.fun))
    assert best is not None
    return best
