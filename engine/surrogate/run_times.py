"""How long a run takes, by its place: the default loop's Gaussian process on log seconds; time-outs count as "at least".

A run that was stopped at t seconds says log T > log t. Its log T is a latent variable: normal about the process and cut at log t,
replaced by its expectation in turn with the process (mean-field updates, as for probit; seed 004 chapters 3 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .frames import Whitening
from .quadratic.hyperparameters import fit_in
from .quadratic.kernel import Frames, Kernel, prior_of
from .quadratic.posterior import QuadraticSurrogate

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

MATTERS = 1.0  # s: below, a run takes no longer than our computing
DIFFERS = 3.0  # times between quick and slow runs (10 % and 90 %) from which on it is worth learning
NEWEST = 150  # runs it is learnt from
GROWTH = 1.15  # hyperparameters and all are made anew when there are so many times more runs
SCATTERS = (0.03, 0.1, 0.3)  # sds of log seconds at one place, of which the likeliest is taken
ROUNDS, AT_REST = 60, 1e-3  # of the mean-field updates at most, and the change of a log second that ends them
BEYOND = 2.0  # times quicker than the quickest run, or slower than the slowest, that are believed


@dataclass(frozen=True)
class RunTimes:
    """``process``: of log seconds less their median (``middle``) less half the squared radius, as its mean function wants it."""

    process: QuadraticSurrogate
    middle: float
    scatter: float
    ends: tuple[float, float]

    @classmethod
    def of(cls, points: Array, seconds: Array, at_least: Flags) -> RunTimes | None:
        """points (n, D) in the box frame, ``seconds`` (n,) that runs took, ``at_least`` (n,) before they were stopped.

        None: there are too few, or they take about as long everywhere, or no time at all."""
        n, d = points.shape
        fewest = 2 * d + 8
        if n < fewest or np.median(seconds) < MATTERS:
            return None
        low, high = np.quantile(seconds, [0.1, 0.9])
        if high < DIFFERS * low:
            return None
        known = int(fewest * GROWTH ** np.floor(np.log(n / fewest) / np.log(GROWTH) + 1e-9))
        first = max(0, known - NEWEST)
        parts = (np.ascontiguousarray(a[first:known]) for a in (points, seconds, at_least))
        return _learnt(d, *(a.tobytes() for a in parts))

    def log_seconds(self, b: Array) -> Array:
        """(m,) at b (m, D), the mean."""
        found = self.middle + self.process.mean(b) + 0.5 * np.square(b).sum(1)
        return np.asarray(np.clip(found, *self.ends))

    def seconds(self, b: Array) -> Array:
        """Expected (m,) at b (m, D)."""
        return np.exp(self.log_seconds(b) + 0.5 * self.scatter**2)


@lru_cache(maxsize=4)
def _learnt(dimension: int, points: bytes, seconds: bytes, at_least: bytes) -> RunTimes:
    """The same of the bytes of the arrays: the loop asks after every run, and it is made anew only now and then."""
    b = np.frombuffer(points).reshape(-1, dimension)
    logs, censored = np.log(np.maximum(np.frombuffer(seconds), 1e-3)), np.frombuffer(at_least, dtype=bool)
    middle = float(np.median(logs))
    process, scatter = censored_process(b, logs - middle, censored)
    ends = float(logs.min() - np.log(BEYOND)), float(logs.max() + np.log(BEYOND))
    return RunTimes(process, middle, scatter, ends)


def censored_process(b: Array, y: Array, at_least: Flags) -> tuple[QuadraticSurrogate, float]:
    """Of values y (n,) about 0, of size about 1, at b (n, D), some known to be ``at_least`` (n,) that large: less half the
    squared radius, as the process's mean function wants it; and their scatter, of ``SCATTERS``."""
    dimension = b.shape[1]
    frames, fits = Frames(None, Whitening.none(dimension)), []
    for scatter in SCATTERS:
        imputed = y + scatter * np.sqrt(2.0 / np.pi) * at_least  # those stopped, half a normal beyond
        fit = fit_in(frames, b, _less_bowl(b, imputed), np.full(len(y), scatter**2), [prior_of(dimension)[0]])
        fits.append((fit.value, scatter, fit.theta))
    _, scatter, theta = min(fits, key=lambda f: f[0])
    return _conditioned(Kernel(theta, frames), b, y, at_least, scatter), scatter


def _conditioned(kernel: Kernel, b: Array, y: Array, censored: Flags, scatter: float) -> QuadraticSurrogate:
    """The process given all log seconds, those cut replaced by what they are expected to be."""
    noise, value = np.full(len(y), scatter**2), y.copy()
    for _ in range(ROUNDS if censored.any() else 0):
        process = QuadraticSurrogate(kernel, b, _less_bowl(b, value), noise)
        mean = process.mean(b[censored]) + 0.5 * np.square(b[censored]).sum(1)
        before, value[censored] = value[censored], mean + scatter * _mills((y[censored] - mean) / scatter)
        if np.abs(value[censored] - before).max() < AT_REST:
            break
    return QuadraticSurrogate(kernel, b, _less_bowl(b, value), noise)


def _mills(a: Array) -> Array:
    """E[x | x > a] of a standard normal (n,)."""
    return np.asarray(np.exp(-0.5 * np.square(a) - 0.5 * np.log(2.0 * np.pi) - special.log_ndtr(-a)))


def _less_bowl(b: Array, y: Array) -> Array:
    """The surrogate's mean function is -|b|^2 / 2; log seconds have none."""
    return np.asarray(y - 0.5 * np.square(b).sum(1))
