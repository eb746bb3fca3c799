"""The stated sd of the log evidence: what the fresh draws of a check leave in doubt, and quadrature (RECIPE 8)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ...sampling.importance import sd_of_log_mean
from ...sampling.population_monte_carlo import PosteriorDraws
from ...surrogate.log_joint import LogJoint
from ...surrogate.tail_penalty import TRUSTED_SD
from . import stopping
from .certification import Checked, at_odds, both
from .stage import LoopState
from .stopping import Fresh

Array = NDArray[np.float64]

SECOND_ORDER_DRAWS = 300  # posterior draws over which the surrogate's covariance is averaged for the sd of log Z
MOST_SDS = 30.0  # of a difference that is looked at: beyond it is the error


def sd_of_mean(surrogate: LogJoint, draws: PosteriorDraws, emulated: bool, rng: np.random.Generator) -> float:
    """The surrogate's sd of its mean over the posterior, to first order that of log Z, by SECOND_ORDER_DRAWS of the ``draws``.

    Of outputs by covariances of different draws alone: each draw's own variance adds an m-th of the mean variance, as if errors
    were independent from place to place, and of outputs, hardly known in the tails, that is as much as all else.
    """
    some, m = draws.points[draws.resample(SECOND_ORDER_DRAWS, rng)], SECOND_ORDER_DRAWS
    if not emulated:
        return float(np.sqrt(surrogate.mean_functional_variance(some, np.full(m, 1.0 / m))))
    return float(np.sqrt(between(surrogate.joint_covariance(some))))


def between(covariance: Array) -> float:
    """Mean of the covariances of different places, not below 0; covariance (m, m)."""
    m = len(covariance)
    return float(max((covariance.sum() - np.trace(covariance)) / (m * (m - 1)), 0.0))


def evidence_floor(dimension: int, emulated: bool = False) -> float:
    """Error that nothing shows: .005 up to D = 6, .03 from D = 10; of outputs, whose check shows nearly all of it, .001 first."""
    return float(np.interp(dimension, [6, 10], [0.001 if emulated else 0.005, 0.03]))


def chance_of(draws: PosteriorDraws, emulated: bool) -> float:
    """The sd of log Z by the chance of the draws. Of outputs, where it may be most of the error, by how much blocks of the draws
    differ, each of which is nearly as evenly spread as all: independent draws would err 2 to 20 times as much."""
    if emulated:
        return sd_of_log_mean(draws.log_weights)
    return float(np.sqrt((1.0 / draws.ess - 1.0) / len(draws.points))) if 0.0 < draws.ess < 1.0 else 0.0


def stated(now: LoopState, check: Checked | None, log_z: float) -> float:
    """``stated_sd`` of the answer as it is."""
    m = now.memory
    beside = float(np.hypot(chance_of(now.draws, m.emulated), evidence_floor(m.dimension, m.emulated)))
    return stated_sd(m.history, check, log_z, m.dimension, beside, m.outputs.scatters)


def stated_with(now: LoopState, check: Checked | None) -> float:
    """The sd of the log evidence that would be stated with what a check said."""
    m = now.memory
    log_z = m.history[-1].log_z + of_variance(now) if m.history else float("nan")
    return float(np.hypot(stated(now, check, log_z), m.missed))


def stated_sd(
    history: list[Fresh], check: Checked | None, log_z: float, dimension: int, beside: float, scatters: bool = False
) -> float:
    """Of an answer that states ``log_z``; infinite before the first fresh residual. ``scatters``: outputs do.

    Checked: sqrt(e^2 + x^2 + b^2), e see ``error_left``, x the mass that tails lack, b what is ``beside``: chance and floor.
    Unchecked: the surrogate's own sd, and what the last residuals would leave if they were of one sign in six.
    """
    if not history:
        return float("inf")
    if check is None:
        parts = history[-1].log_z_sd, stopping.residual_rms(history, dimension) / np.sqrt(6.0)
    else:
        parts = error_left(check, log_z, history[-1].log_z_sd, scatters), check.excess
    return float(np.sqrt(np.square((*parts, beside)).sum()))


def error_left(check: Checked, log_z: float, log_z_sd: float, scatters: bool = False) -> float:
    """Of an answer that has learnt from the draws that checked it: the rms error of its log evidence ``log_z``.

    By the surrogate's own sd times what the draws missed it by, or by how the answer now differs from the evidence that the
    draws alone give: the larger of the two, which tell of one error. A surrogate's own sd never suffices (OUTPUTS): what it
    has learnt from the draws may make it surer than it is right. Where its sd before that counted in the check, the two are
    estimates of one error (``both``), unless they are at odds. Where outputs scatter, what draws are compared with is smoothed by
    the emulator of all runs, draws too: the two are no independent estimates, and the larger counts.
    """
    differs, own = log_z - check.log_z, check.scale * log_z_sd
    error = shrunk_error(differs, check.se)
    if scatters:
        return max(max(check.scale, 1.0) * log_z_sd, error)
    if not np.isfinite(check.own):
        return max(own, error)
    return error if at_odds(differs, check.se, own) else float(np.hypot(*both(differs, check.se, own)))


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
