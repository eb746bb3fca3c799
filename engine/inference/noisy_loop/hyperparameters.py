"""MAP hyperparameters of the noisy surrogate: those of the default loop and log a, the scale of the noise.

Under noise the data leave the kernel's lengths open, and short ones make a posterior of accidents. The prior here prefers
long lengths (log l - log sqrt D: .8, sd 2 above and .7 below) and lets the amplitude grow with long ones; cubic and quartic
shapes (bananas) have blocks of their own (polynomial.py). Mean MMTV of the posterior mean from the same 170 evaluations of a
Rosenbrock with noise sd 3, 14 data sets: .146 without those blocks, .097 with them (least squares on the 15 monomials up to
degree 4, knowing that there are no others: .10).

Noise variance_i = floor + a^2 base_i with base_i = sd_i^2 over the value's precision factor (noise.py, heteroscedastic.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from ..default_loop.kernel import Coordinates, box_of, prior_of
from . import polynomial

Array = NDArray[np.float64]

FLOOR = 1e-5
SHORTEST = 0.3  # length below which the surrogate would take noise for signal
LENGTH, LONGER, SHORTER = 0.8, 2.0, 0.7  # prior of log l - log sqrt D: its mode, and the sds on both sides
AMPLITUDE, AMPLITUDE_SD, AMPLITUDE_POWER, ROUNDING = 0.5, 2.0, 1.0, 0.25
LARGEST_AMPLITUDE = 11.0  # log; the default loop's 8 cuts off what a quartic needs
NOISIER_START, SMOOTHER_START = 1.5, (1.5, 4.5)  # log a; log l over the prior's and log sf
SCALE_DOF = 4.0  # Student-t prior of log a: an sd misreported tenfold is rare, not impossible


@dataclass(frozen=True)
class NoisyFit:
    theta: Array  # (D + 10,) kernel
    log_a: float
    value: float


def variance_of(log_a: float, base: Array) -> Array:
    """Noise variances (n,) from base variances (n,)."""
    return np.asarray(FLOOR + base * np.exp(2.0 * log_a))


def starts(dimension: int) -> list[tuple[Array, float]]:
    """Where the search begins: the prior's middle; more noise (else an sd given too small is explained by a surrogate that
    follows every value); a smoother surrogate.
    """
    middle = np.append(prior_of(dimension)[0], polynomial.MIDDLE)
    smooth = middle.copy()
    smooth[:dimension] += SMOOTHER_START[0]
    smooth[dimension] = SMOOTHER_START[1]
    return [(middle, 0.0), (smooth, 0.0), (middle, NOISIER_START)]


def smoothness_penalty(theta: Array, dimension: int) -> tuple[float, Array]:
    """Negative log prior of lengths and amplitude, and its gradient (len(theta),)."""
    d = dimension
    gradient = np.zeros_like(theta)
    longer = theta[:d] - 0.5 * np.log(d)
    z = longer - LENGTH
    weight = 1.0 / np.square(np.where(z > 0.0, LONGER, SHORTER))
    gradient[:d] = z * weight
    root = np.sqrt(np.square(longer) + ROUNDING)
    grown = 0.5 * (longer + root)  # the length where it is long, about 0 where it is short
    gap = (float(theta[d]) - AMPLITUDE - AMPLITUDE_POWER * float(grown.mean())) / AMPLITUDE_SD
    gradient[d] += gap / AMPLITUDE_SD
    gradient[:d] -= gap / AMPLITUDE_SD * AMPLITUDE_POWER / d * 0.5 * (1.0 + longer / root)
    return 0.5 * float(z * weight @ z) + 0.5 * gap * gap, gradient


class NoisyObjective:
    """Negative log posterior of (kernel hyperparameters, log a) and its gradient.

    ``scale_sd``: prior sd of log a. ``known``: the noise was told, and less of it is not believed from few values: with them a
    flexible surrogate takes noise for signal (correlated Gaussian 6-D, sd 1, 52 values: a = .46, errors 5 times those predicted).
    """

    def __init__(self, c: Coordinates, y: Array, base: Array, scale_sd: float, known: bool = True) -> None:
        self.inner = polynomial.QuarticObjective(c, y, base)
        self.inner.prior_sd = self.inner.prior_sd.copy()
        self.inner.prior_sd[: self.inner.d + 1] = np.inf  # lengths and amplitude have the prior above
        self.base, self.scale_sd, self.known = base, scale_sd, known

    def __call__(self, full: Array) -> tuple[float, Array]:
        self.inner.noise = variance_of(float(full[-1]), self.base)
        value, gradient = self.inner(full[:-1])
        penalty, pull = smoothness_penalty(full[:-1], self.inner.d)
        value, gradient = value + penalty, gradient + pull
        slope = -float((self.inner.noise - FLOOR) @ self.inner.noise_slope)
        z = float(full[-1]) / self.scale_sd
        tail = 1.0 + z * z / SCALE_DOF
        slope += (SCALE_DOF + 1.0) / SCALE_DOF * z / tail / self.scale_sd
        return value + 0.5 * (SCALE_DOF + 1.0) * float(np.log(tail)), np.append(gradient, slope)


def lowest_scale(count: int, dimension: int) -> float:
    """Lower limit of log a where the noise was told, given so many values: 0 while noise and shape cannot be told apart."""
    few = (dimension + 1) * (dimension + 2) + 10  # twice the coefficients of a quadratic
    return -float(np.clip((count - few) / few, 0.0, 7.0))


def fit(objective: NoisyObjective, beginnings: list[tuple[Array, float]], iterations: int = 40) -> NoisyFit:
    """The best of L-BFGS-B runs from ``beginnings`` (kernel hyperparameters, log a)."""
    d = objective.inner.d
    box = [(np.log(SHORTEST), high) for _, high in box_of(d)[:d]] + box_of(d)[d:]
    box += [(polynomial.LOWEST, polynomial.HIGHEST)] * polynomial.BLOCKS + [(-7.0, 7.0)]
    box[d] = (box[d][0], LARGEST_AMPLITUDE)
    if objective.known:
        box[-1] = (lowest_scale(len(objective.base), d), 7.0)
    low, high = np.array(box).T
    best: NoisyFit | None = None
    for theta, log_a in beginnings:
        found = optimize.minimize(
            objective, np.clip(np.append(theta, log_a), low, high), jac=True, method="L-BFGS-B", bounds=box,
            options={"maxiter": iterations, "ftol": 1e-6, "gtol": 1e-3},
        )  # fmt: skip
        if best is None or found.fun < best.value:
            x = np.asarray(found.x, dtype=float)
            best = NoisyFit(x[:-1], float(x[-1]), float(found.fun))
    assert best is not None
    return best
