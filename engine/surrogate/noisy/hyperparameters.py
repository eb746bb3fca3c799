"""MAP hyperparameters of the noisy surrogate: those of the default loop and log a, the scale of the noise.

Under noise the data leave the kernel's lengths open, and short ones make a posterior of accidents. The prior here prefers
long lengths (log l - log sqrt D: .8, sd 2 above and .7 below) and lets the amplitude grow with long ones; cubic and quartic
shapes (bananas) have blocks of their own (polynomial.py). Mean MMTV of the posterior mean from the same 170 evaluations of a
Rosenbrock with noise sd 3, 14 data sets: .146 without those blocks, .097 with them (least squares on the 15 monomials up to
degree 4, knowing that there are no others: .10).

The default loop's radial block (sines of the distance from the posterior's centre) can be left out (``radial``): where the
posterior lies far from the first evaluations it holds on to whatever centre is believed so far.

The noise has two scales of its own, log a and log s (noise.py: NoiseModel).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ...numerics.minimization import lowest
from ..quadratic.kernel import Coordinates, box_of, prior_of
from . import polynomial
from .noise import NoiseModel

Array = NDArray[np.float64]

SHORTEST = 0.3  # length below which the surrogate would take noise for signal
LENGTH, LONGER, SHORTER = 0.8, 2.0, 0.7  # prior of log l - log sqrt D: its mode, and the sds on both sides
AMPLITUDE, AMPLITUDE_SD, AMPLITUDE_POWER, ROUNDING = 0.5, 2.0, 1.0, 0.25
RADIAL, NO_RADIAL = 6, -7.0  # place of the radial block's log amplitude after the lengths, and its value
RADIAL_SD = 2.0  # of its prior (RECIPE 4)
LARGEST_AMPLITUDE = 11.0  # log; the default loop's 8 cuts off what a quartic needs
NOISIER_START, STEEPER_START = 1.5, np.log(0.3)  # log a; log s
SMOOTHER_START = (1.5, 4.5)  # log l over the prior's and log sf
SLOPE, SLOPE_SD = np.log(0.05), 1.5  # prior of log s, the share of a drop beyond the edge
SLOPE_BOX = (np.log(0.005), np.log(1.0 / 3.0))  # a value still excludes, by 3 sd, that its place is at the top
RIGHT_SD = 0.1  # of log a where the standard errors told are right
SCALE_DOF = 4.0  # Student-t prior of log a: an sd misreported tenfold is rare, not impossible
LOG_STUDENT = float(stats.t(SCALE_DOF).logpdf(0.0))


@dataclass(frozen=True)
class NoisyFit:
    theta: Array  # (D + 10,) kernel
    scales: Array  # (2,) log a, log s
    value: float


def starts(dimension: int) -> list[tuple[Array, Array]]:
    """Where the search begins: the prior's middle; more noise (else an sd given too small is explained by a surrogate that
    follows every value); a smoother surrogate.
    """
    middle = np.append(prior_of(dimension)[0], polynomial.MIDDLE)
    smooth = middle.copy()
    smooth[:dimension] += SMOOTHER_START[0]
    smooth[dimension] = SMOOTHER_START[1]
    usual = np.array([0.0, SLOPE])
    steeper, noisier = np.array([0.0, STEEPER_START]), np.array([NOISIER_START, SLOPE])
    return [(middle, usual), (smooth, usual), (middle, steeper), (middle, noisier)]


def other_beginning(dimension: int, scales: Array, turn: int) -> tuple[Array, Array]:
    """Where to look besides the last optimum: in turn at the noise's other explanation and at one of ``starts``.

    The other explanation begins at the middle: a surrogate that has followed every value does not let go of them.
    """
    usual, *others, noisier = starts(dimension)
    if turn % 2:
        return noisier if scales[0] < 0.5 * NOISIER_START else usual
    return others[turn // 2 % len(others)]


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


def scale_penalty(log_a: float, sd: float, known: bool) -> tuple[float, float]:
    """Negative log prior of log a and its slope: a Student-t of width ``sd``; where the noise was told, in even parts with a
    narrow normal (it is right); with ``sd`` up to RIGHT_SD a normal alone.
    """
    z = log_a / sd
    if known and sd <= RIGHT_SD:
        return 0.5 * z * z, z / sd
    tail = 1.0 + z * z / SCALE_DOF
    wrong = LOG_STUDENT - 0.5 * (SCALE_DOF + 1.0) * float(np.log(tail)) - float(np.log(sd))
    slope = -(SCALE_DOF + 1.0) / SCALE_DOF * z / tail / sd
    if not known:
        return -wrong, -slope
    right = -0.5 * (log_a / RIGHT_SD) ** 2 - float(np.log(RIGHT_SD * np.sqrt(2.0 * np.pi)))
    total = float(np.logaddexp(right, wrong))
    share = np.exp(right - total)
    return np.log(2.0) - total, float(share * log_a / RIGHT_SD**2 - (1.0 - share) * slope)


class NoisyObjective:
    """Negative log posterior of (kernel hyperparameters, log a, log s) and its gradient.

    ``scale_sd``: prior sd of log a. ``known``: the noise was told, and less of it is not believed from few values
    (correlated Gaussian 6-D, sd 1, 52 values: a = .46, errors 5 times those predicted).
    """

    def __init__(self, c: Coordinates, y: Array, model: NoiseModel, scale_sd: float, known: bool = True) -> None:
        self.inner = polynomial.QuarticObjective(c, y, model.base)
        self.inner.prior_sd = self.inner.prior_sd.copy()
        self.inner.prior_sd[: self.inner.d + 1] = np.inf  # lengths and amplitude have the prior above
        self.inner.prior_sd[self.inner.d + RADIAL] = RADIAL_SD
        self.model, self.scale_sd, self.known = model, scale_sd, known

    def __call__(self, full: Array) -> tuple[float, Array]:
        scales = full[-2:]
        self.inner.noise = self.model.variance(scales)
        value, gradient = self.inner(full[:-2])
        penalty, pull = smoothness_penalty(full[:-2], self.inner.d)
        value, gradient = value + penalty, gradient + pull
        slopes = -np.array([part @ self.inner.noise_slope for part in self.model.scaled(scales)])
        penalty, pull_a = scale_penalty(float(scales[0]), self.scale_sd, self.known)
        slopes[0] += pull_a
        gap = (float(scales[1]) - SLOPE) / SLOPE_SD
        slopes[1] += gap / SLOPE_SD
        value += penalty + 0.5 * gap * gap
        return value, np.concatenate([gradient, slopes])


def lowest_scale(count: int, dimension: int) -> float:
    """Lower limit of log a where the noise was told, given so many values: 0 while noise and shape cannot be told apart."""
    few = (dimension + 1) * (dimension + 2) + 10  # twice the coefficients of a quadratic
    return -float(np.clip((count - few) / few, 0.0, 7.0))


def fit(
    objective: NoisyObjective, beginnings: list[tuple[Array, Array]], iterations: int = 40, radial: bool = True
) -> NoisyFit:
    """The best of descents from ``beginnings`` (kernel hyperparameters; log a, log s)."""
    d = objective.inner.d
    box = [(np.log(SHORTEST), high) for _, high in box_of(d)[:d]] + box_of(d)[d:]
    box += [(polynomial.LOWEST, polynomial.HIGHEST)] * polynomial.BLOCKS + [(-7.0, 7.0), SLOPE_BOX]
    box[d] = (box[d][0], LARGEST_AMPLITUDE)
    if not radial:
        box[d + RADIAL] = (NO_RADIAL, NO_RADIAL)
    if objective.known:
        box[-2] = (lowest_scale(len(objective.model.base), d), 7.0)
    low, high = np.array(box).T
    found = lowest(objective, [np.append(theta, scales) for theta, scales in beginnings], low, high, iterations)
    return NoisyFit(found.x[:-2], found.x[-2:], found.value)
