"""Logarithms of distribution functions that stay right far in their tails, where the functions themselves are no number."""

from __future__ import annotations

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

SMALL = 1e-290  # of a probability: below it digits are lost, and its logarithm is found by a series
FRACTIONS = 400  # steps of the continued fraction: it is used beyond 30 standard deviations, where 100 are enough


def log_betainc(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> Array:
    """log I_x(a, b), the regularized incomplete beta function; a, b > 0, x in [0, 1]. Series: DLMF 8.17.8."""
    a, b, x = (np.asarray(v, dtype=float) for v in np.broadcast_arrays(a, b, x))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        plain = scipy.special.betainc(a, b, x)
        found = np.asarray(np.log(plain))
        low = np.asarray(plain < SMALL)
        if np.any(low):
            p, q, at = a[low], b[low], x[low]
            series = scipy.special.hyp2f1(p + q, 1.0, p + 1.0, at)
            powers = scipy.special.xlogy(p, at) + scipy.special.xlog1py(q, -at)
            found[low] = powers - np.log(p) - scipy.special.betaln(p, q) + np.log(series)
    return np.asarray(found)


def log_stdtr(t: ArrayLike, dof: float) -> Array:
    """log P(T < t) of Student's t with ``dof`` degrees of freedom."""
    t = np.asarray(t, dtype=float)
    share = dof / (dof + np.square(np.clip(t, -1e150, 1e150)))
    below = log_betainc(0.5 * dof, 0.5, share) - np.log(2.0)  # of -|t|
    return np.asarray(np.where(t > 0.0, np.log1p(-np.exp(below)), below))


def log_poisson_below(n: ArrayLike, mean: ArrayLike) -> Array:
    """log P(N <= n) of a Poisson count N; n a whole number (below 0: impossible), mean >= 0."""
    n, mean = (np.asarray(v, dtype=float) for v in np.broadcast_arrays(n, mean))
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.maximum(n, 0.0) + 1.0
        plain = scipy.special.gammaincc(a, mean)
        found = np.asarray(np.log(plain))
        low = np.asarray(plain < SMALL)
        if np.any(low):
            p, x = a[low], mean[low]
            found[low] = scipy.special.xlogy(p, x) - x - scipy.special.gammaln(p) - np.log(_gamma_fraction(p, x))
    return np.asarray(np.where(n < 0.0, -np.inf, found))


def log_poisson_above(n: ArrayLike, mean: ArrayLike) -> Array:
    """log P(N >= n) of a Poisson count N; n a whole number (up to 0: certain), mean >= 0."""
    n, mean = (np.asarray(v, dtype=float) for v in np.broadcast_arrays(n, mean))
    with np.errstate(divide="ignore", invalid="ignore"):
        a = np.maximum(n, 1.0)
        plain = scipy.special.gammainc(a, mean)
        found = np.asarray(np.log(plain))
        low = np.asarray(plain < SMALL)
        if np.any(low):
            p, x = a[low], mean[low]
            series = np.log(scipy.special.hyp1f1(1.0, p + 1.0, x))
            found[low] = scipy.special.xlogy(p, x) - x - scipy.special.gammaln(p + 1.0) + series
    return np.asarray(np.where(n <= 0.0, 0.0, found))


def log_negative_binomial_below(n: ArrayLike, mean: ArrayLike, size: ArrayLike) -> Array:
    """log P(N <= n) of a negative binomial count of variance mean + mean^2 / size."""
    n, mean, size = (np.asarray(v, dtype=float) for v in np.broadcast_arrays(n, mean, size))
    found = log_betainc(size, np.maximum(n, 0.0) + 1.0, size / (size + mean))
    return np.asarray(np.where(n < 0.0, -np.inf, found))


def log_negative_binomial_above(n: ArrayLike, mean: ArrayLike, size: ArrayLike) -> Array:
    """log P(N >= n) of a negative binomial count of variance mean + mean^2 / size."""
    n, mean, size = (np.asarray(v, dtype=float) for v in np.broadcast_arrays(n, mean, size))
    found = log_betainc(np.maximum(n, 1.0), size, mean / (size + mean))
    return np.asarray(np.where(n <= 0.0, 0.0, found))


def _gamma_fraction(a: Array, x: Array) -> Array:
    """x^a e^-x / Gamma(a, x) for x above a, by Lentz's method. DLMF 8.9.2."""
    f = x + 1.0 - a
    c, d = f.copy(), np.zeros_like(f)
    for k in range(1, FRACTIONS):
        up, right = -k * (k - a), x + 2.0 * k + 1.0 - a
        d = 1.0 / (right + up * d)
        c = right + up / c
        f = f * c * d
    return np.asarray(f)
