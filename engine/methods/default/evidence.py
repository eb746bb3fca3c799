"""The stated sd of the log evidence: what the fresh draws of a check leave in doubt, and quadrature (RECIPE 8)."""

from __future__ import annotations

import numpy as np
from scipy import special

from ...surrogate.tail_penalty import TRUSTED_SD
from . import stopping
from .certification import Checked, both
from .stage import LoopState
from .stopping import Fresh

MOST_SDS = 30.0  # of a difference that is looked at: beyond it is the error


def evidence_floor(dimension: int) -> float:
    """Half of the last digit that is printed up to D = 6, .03 from D = 10: error that nothing shows."""
    return float(np.interp(dimension, [6, 10], [0.005, 0.03]))


def stated_sd(history: list[Fresh], check: Checked | None, log_z: float, draws: int, dimension: int) -> float:
    """Of an answer that states ``log_z``; infinite before the first fresh residual.

    Checked: sqrt(e^2 + x^2 + c^2 + f^2), e see ``error_left``, x the mass that tails lack, c the chance of ``draws`` draws, f the
    floor. Unchecked: the surrogate's own sd, and what the last residuals would leave if they were of one sign in six.
    """
    if not history:
        return float("inf")
    now = history[-1]
    chance = np.sqrt((1.0 / now.ess - 1.0) / draws) if 0.0 < now.ess < 1.0 and draws else 0.0
    if check is None:
        parts = now.log_z_sd, stopping.residual_rms(history, dimension) / np.sqrt(6.0)
    else:
        parts = error_left(check, log_z, now.log_z_sd), check.excess
    return float(np.sqrt(np.square((*parts, chance, evidence_floor(dimension))).sum()))


def error_left(check: Checked, log_z: float, log_z_sd: float) -> float:
    """Of an answer that has learnt from the draws that checked it: the rms error of its log evidence ``log_z``.

    By the surrogate's own sd times what the draws missed it by, or by how the answer now differs from the evidence that the
    draws alone give: the larger of the two, which tell of one error. A surrogate's own sd never suffices (OUTPUTS): what it
    has learnt from the draws may make it surer than it is right. Where its sd before that, multiplied by what the draws missed
    it by, tells more of the evidence than they do, that counts (``both``).
    """
    differs = log_z - check.log_z
    error = shrunk_error(differs, check.se)
    if np.isfinite(check.own):
        error = min(error, float(np.hypot(*both(differs, check.se, check.own))))
    return max(check.scale * log_z_sd, error)


def shrunk_error(difference: float, se: float) -> float:
    """The rms error of an estimate that differs by ``difference`` from another one, unbiased with standard error ``se``.

    Nothing else is known of it: a normal error whose variance t^2 has se^2 / (se^2 + t^2) uniform beforehand (the uniform
    shrinkage prior, Strawderman 1971, Daniels 1999). .63 se where they agree, ``difference`` where that is many se.
    """
    if se <= 0.0 or abs(difference) > MOST_SDS * se:
        return abs(difference)
    half = 0.5 * (difference / se) ** 2
    whole, once, twice = (special.hyp1f1(a, a + 1.0, -half) / a for a in (1.5, 2.5, 3.5))
    shrunk, both = once / whole, twice / whole  # means of the share s and of s^2
    return float(se * np.sqrt(max(0.0, 2.0 * half * (1.0 - 2.0 * shrunk + both) + 1.0 - shrunk)))


def log_of_mean(now: LoopState) -> float:
    """By how much the log evidence of a surrogate's mean is too low, in nats: (mean variance over the posterior - sdZ^2) / 2.

    The surrogate is off by as much up as down, from place to place, and a density gains more by the one than it loses by the
    other: log E[Z] is that of mean + variance / 2, and the median of log Z lies sdZ^2 / 2 below. Of outputs the emulator's
    variance is in the likelihood already; an answer that was not checked may have variances that mean nothing.
    """
    return of_variance(now) if now.memory.converged else 0.0


def of_variance(now: LoopState) -> float:
    """``log_of_mean`` of an answer that has been checked, or is about to pass."""
    m = now.memory
    if m.emulated or not m.history:
        return 0.0
    variance = np.minimum(now.surrogate.variance(now.draws.points), TRUSTED_SD**2)
    return max(0.0, 0.5 * (float(now.draws.weights @ variance) - m.history[-1].log_z_sd ** 2))
