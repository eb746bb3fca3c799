"""Synthetic likelihood: summaries of R runs taken as normal (Wood 2010); estimators and their standard errors.

With s the measured summaries (k,), mu and S the mean and the covariance (divisor R - 1) of R simulated ones and
Q = (s - mu)' S^-1 (s - mu):
'plain' log N(s; mu, S); 'unbiased' the estimator of Ghurye and Olkin (1969) as in Price et al. (2018) eq 6, unbiased for the
density; 'unbiased_log' unbiased for the log density, by E log|S| and E S^-1 of a Wishart matrix.

With a measurement error of covariance E the summaries are N(mu, C) with C = S + E, E known: the plain estimator puts C for S, the
unbiased ones correct it to second order in the errors of mu and S (exactly where E is zero or outweighs S).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

from .dependent import dependences
from .errors import LikelihoodError
from .summaries import OTHER_RANGES, identical, never_reached, same_but, same_in_all

Array = NDArray[np.float64]
Estimator = Literal["plain", "unbiased", "unbiased_log"]

BOOTSTRAPS = 200


def log_likelihood(
    simulated: Array,
    measured: Array,
    estimator: Estimator = "unbiased_log",
    shrinkage: float = 0.0,
    names: Sequence[str] = (),
    error: Array | None = None,
) -> tuple[float, float]:
    """(estimate, standard error by the formula) from simulated (R, k) and measured (k,). Raises LikelihoodError in words.

    ``error`` (k, k): covariance of a measurement error that the simulated summaries lack.
    """
    r, k = simulated.shape
    _usable(simulated, measured, estimator, shrinkage, names, np.zeros(k) if error is None else np.diag(error))
    mean = simulated.mean(0)
    covariance = np.cov(simulated.T).reshape(k, k)
    if shrinkage > 0.0:
        covariance = shrunk(covariance, shrinkage)
    if error is not None:
        return _with_error(covariance, error, measured - mean, r, names, corrected=estimator != "plain" and shrinkage == 0.0)
    factor = _cholesky(covariance, r, names)
    z = scipy.linalg.solve_triangular(factor, measured - mean, lower=True)
    log_det, q = 2.0 * float(np.log(np.diag(factor)).sum()), float(z @ z)
    plain = float(-0.5 * (k * np.log(2 * np.pi) + log_det + q))
    sd = standard_error(q, r, k)
    if estimator == "plain" or shrinkage > 0.0:
        return plain, sd
    if estimator == "unbiased_log":
        corrected = (r - k - 2) / (r - 1) * q - k / r
        return float(-0.5 * (k * np.log(2 * np.pi) + log_det - log_det_bias(r, k) + corrected)), sd
    return _unbiased(log_det, q, r, k, plain), sd


def log_det_bias(r: float, k: int) -> float:
    """E log|S| - log|true covariance| of a sample covariance (k, k) of r draws: negative."""
    i = np.arange(1, k + 1)
    return float(scipy.special.digamma(0.5 * (r - i)).sum()) + k * float(np.log(2.0 / (r - 1)))


def _with_error(
    covariance: Array, error: Array, gap: Array, r: int, names: Sequence[str], corrected: bool
) -> tuple[float, float]:
    """(estimate, standard error) of log N(gap; 0, C), C = S + E with S (k, k) estimated from r draws and E known.

    With z = C^-1 gap the first-order error is tr(A dS) + z' dmu, A = (z z' - C^-1) / 2, whence the variance
    ((z'Sz)^2 - 2 z'S C^-1 S z + tr (C^-1 S)^2) / (2 (r - 1)) + z'Sz / r; the second-order terms are the bias.
    """
    k = len(gap)
    factor = _cholesky(covariance + error, r, names)
    share = scipy.linalg.cho_solve((factor, True), covariance)  # C^-1 S: which part of each spread had to be estimated
    z = scipy.linalg.cho_solve((factor, True), gap)
    q, own = float(gap @ z), float(z @ covariance @ z)
    mixed, trace, squared = float((covariance @ z) @ (share @ z)), float(np.trace(share)), float(np.trace(share @ share))
    log_det = 2.0 * float(np.log(np.diag(factor)).sum())
    bias_q = trace / r + (own * trace + mixed) / (r - 1)
    kept = min(1.0, max(q - bias_q, 0.0) / q) if q > 0.0 else 0.0
    variance = (np.square(kept * own) - 2.0 * kept * mixed + squared) / (2.0 * (r - 1)) + kept * own / r
    bias_det = log_det_bias(r, k) * (trace**2 + squared) / (k * (k + 1.0)) if corrected else 0.0
    value = -0.5 * (k * np.log(2 * np.pi) + log_det - bias_det + q - (bias_q if corrected else 0.0))
    return float(value), float(np.sqrt(max(variance, 0.0)))


def _unbiased(log_det: float, q: float, r: int, k: int, plain: float) -> float:
    """Log of the unbiased density estimate; where that is zero (s outside the simulated cloud) the plain one."""
    ratio = 1.0 - q / ((r - 1) * (1.0 - 1.0 / r))  # |M - d d' / (1 - 1/R)| / |M| with M = (R - 1) S
    if ratio <= 0.0:
        return plain
    log_m = log_det + k * np.log(r - 1)
    constants = _log_c(k, r - 2) - _log_c(k, r - 1) - 0.5 * k * (np.log(2 * np.pi) + np.log1p(-1.0 / r))
    return float(constants - 0.5 * (r - k - 2) * log_m + 0.5 * (r - k - 3) * (log_m + np.log(ratio)))


def _log_c(k: int, v: int) -> float:
    """log of 2^(-k v / 2) pi^(-k (k - 1) / 4) / prod_i Gamma((v - i + 1) / 2)."""
    i = np.arange(1, k + 1)
    gammas = float(scipy.special.gammaln(0.5 * (v - i + 1)).sum())
    return float(-0.5 * k * v * np.log(2.0) - 0.25 * k * (k - 1) * np.log(np.pi) - gammas)


def standard_error(q: float, r: int, k: int) -> float:
    """Asymptotic standard error of the log density, for normal summaries: first order in the errors of mean and covariance.

    d log N = -tr E / 2 + z' E z / 2 + z' m with E the relative error of the covariance and m that of the mean, whence the
    variance (k - 2 Q + Q^2) / (2 (R - 1)) + Q / R at the true Q, here corrected for its bias.
    """
    if r > k + 2:
        q = max((r - k - 2) / (r - 1) * q - k / r, 0.0)
    return float(np.sqrt(max((k - 2.0 * q + q * q) / (2.0 * (r - 1)) + q / r, 0.0)))


def bootstrap_error(
    simulated: Array,
    measured: Array,
    estimator: Estimator,
    shrinkage: float,
    rng: np.random.Generator,
    count: int = BOOTSTRAPS,
    error: Array | None = None,
) -> float:
    """Standard error from resampled runs; needs no normality. Falls back on the formula if most resamples are singular."""
    values = []
    for _ in range(count):
        rows = simulated[rng.integers(0, len(simulated), len(simulated))]
        try:
            values.append(log_likelihood(rows, measured, estimator, shrinkage, error=error)[0])
        except LikelihoodError:
            continue
    if len(values) < count // 2:
        return log_likelihood(simulated, measured, estimator, shrinkage, error=error)[1]
    return float(np.std(values, ddof=1))


def shrunk(covariance: Array, amount: float) -> Array:
    """Correlations times 1 - ``amount``, variances kept (Warton 2008)."""
    return covariance * (1.0 - amount) + np.diag(np.diag(covariance)) * amount


def _usable(
    simulated: Array, measured: Array, estimator: Estimator, shrinkage: float, names: Sequence[str], error: Array
) -> None:
    """``error`` (k,): variance that a measurement error adds to each summary."""
    r, k = simulated.shape
    if r < 2:
        raise LikelihoodError(
            "One run per point cannot show the spread of the summaries. Allow at least "
            f"{k + 4} repeats for {k} summaries, better ten times as many as summaries."
        )
    if identical(simulated):
        raise LikelihoodError(same_in_all(r))
    least = k + 2 if shrinkage == 0.0 and estimator == "plain" else k + 4 if shrinkage == 0.0 else 3
    if r < least:
        raise LikelihoodError(
            f"{r} good runs are too few for the covariance of {k} summaries; at least {least} are needed. "
            "Raise the repeats, use fewer summaries, or the plain estimator with shrinkage."
        )
    spread = simulated.std(0)
    flat = np.hypot(spread, np.sqrt(error)) <= 1e-13 * np.maximum(np.abs(simulated).max(0), 1e-300)
    if np.any(flat):
        missed = flat & never_reached(simulated, measured)
        at = int(np.argmax(missed if np.any(missed) else flat))
        which = names[at] if names else f"summary {at + 1}"
        if missed[at]:
            raise LikelihoodError(f"{same_but(which, simulated[:, at], float(measured[at]))} {OTHER_RANGES}")
        raise LikelihoodError(
            f"The {which} is the same in all {r} runs, so its spread is unknown and the covariance is singular. "
            "Leave this summary out, or raise the repeats."
        )


def _cholesky(covariance: Array, r: int, names: Sequence[str]) -> Array:
    """Lower factor; a covariance singular to rounding, or too large for numbers, is a LikelihoodError."""
    if not np.all(np.isfinite(covariance)):
        raise LikelihoodError("The summaries are too large: their covariance is beyond all numbers. Give scales, or other units.")
    scale = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(scale, scale)
    try:
        factor = scipy.linalg.cholesky(correlation, lower=True)
    except scipy.linalg.LinAlgError:
        factor = np.zeros_like(correlation)
    if np.diag(factor).min() < 1e-7:
        found = dependences(correlation)
        said = found[0].words(names) if found and names else "some of them say the same"
        raise LikelihoodError(
            f"The covariance of the summaries over {r} runs is singular: {said}. Leave one of them out, or use shrinkage."
        )
    return np.asarray(factor * scale[:, None])
