"""The stated sd of the log evidence: quadrature, surrogate and hyperparameter error, all counted (RECIPE 8 and certification)."""

from __future__ import annotations

import numpy as np

from ...surrogate.tail_penalty import TRUSTED_SD
from . import stopping
from .stage import LoopState
from .stopping import Fresh

EMULATED_FLOOR = 0.01  # what learnt outputs leave unsaid


def evidence_floor(dimension: int) -> float:
    """Half of the last digit that is printed up to D = 6, .03 from D = 10: error that nothing shows."""
    return float(np.interp(dimension, [6, 10], [0.005, 0.03]))


def evidence_sd(gp_sd: float, residual_rms: float, checked: float, chance: float, floor: float) -> float:
    """sqrt(sdZ^2 + rw^2 / 6 + k^2 + c^2 + f^2); ``checked``: what a check says, ``chance``: of the draws."""
    return float(np.sqrt(np.square((gp_sd, residual_rms / np.sqrt(6.0), checked, chance, floor)).sum()))


def stated_sd(
    history: list[Fresh], checked: float, checked_sd: float, draws: int, dimension: int, emulated: bool = False
) -> float:
    """``evidence_sd`` of the answer as it stands; infinite before the first fresh residual.

    Residuals and checks tell of a surrogate that did not know them; they count by as much as its own sd of log Z has fallen
    since. ``checked``: by how much a check found the evidence off, or its standard error where it is to be judged whether the
    check is exact enough; ``checked_sd``: the surrogate's sd then, 0 if it is not known; ``draws``: how many the answer has.
    ``emulated``: outputs are learnt, whose emulator's own sd never suffices (OUTPUTS), so what was found counts whole.
    """
    if not history:
        return float("inf")
    now, floor = history[-1], evidence_floor(dimension)
    if emulated:
        rms = stopping.residual_rms(history, dimension)
        return evidence_sd(now.log_z_sd, rms, checked, 0.0, max(floor, EMULATED_FLOOR))
    chance = np.sqrt((1.0 / now.ess - 1.0) / draws) if 0.0 < now.ess < 1.0 and draws else 0.0
    found = checked * left(checked_sd, now)
    return evidence_sd(now.log_z_sd, residuals_left(history, dimension), found, float(chance), floor)


def left(sd_then: float, now: Fresh) -> float:
    """The share of an error found when the surrogate's sd of log Z was ``sd_then`` that is left now that it knows of it."""
    return min(1.0, now.log_z_sd / sd_then) if sd_then > 0.0 else 1.0


def residuals_left(history: list[Fresh], dimension: int) -> float:
    """``stopping.residual_rms``, of each fresh residual what is left of it."""
    first = max(0, len(history) - stopping.window_length(dimension))
    before = [history[i - 1].log_z_sd if i else 0.0 for i in range(first, len(history))]
    counted = [stopping.counted(f) * left(sd, history[-1]) for f, sd in zip(history[first:], before, strict=True)]
    return float(np.sqrt(np.mean(np.square(counted))))


def log_of_mean(now: LoopState) -> float:
    """By how much the log evidence of a surrogate's mean is too low, in nats: (mean variance over the posterior - sdZ^2) / 2.

    The surrogate is off by as much up as down, from place to place, and a density gains more by the one than it loses by the
    other: log E[Z] is that of mean + variance / 2, and the median of log Z lies sdZ^2 / 2 below. Of outputs the emulator's
    variance is in the likelihood already; an answer that was not checked may have variances that mean nothing.
    """
    m = now.memory
    if not m.converged or m.emulated or not m.history:
        return 0.0
    variance = np.minimum(now.surrogate.variance(now.draws.points), TRUSTED_SD**2)
    return max(0.0, 0.5 * (float(now.draws.weights @ variance) - m.history[-1].log_z_sd ** 2))
