"""Approximate Bayesian computation: density of R simulated summaries at the measured ones, by a kernel (seed 000 section 2.5.2).

p = mean_r K_h(s_r - s), distances in units of the scales. A fixed width h is the classical ABC likelihood; an adaptive one is the
distance that holds a given share of the runs (a nearest-neighbour density estimate), so no point is without a run within reach.

With a measurement error of covariance E the kernel at a run is the density of what would have been measured, N(s; s_r, E), and
the likelihood is exact without any width (Wilkinson 2013). The Gaussian kernel is added, N(s; s_r, E + h^2), where that leaves
too few runs: the adaptive width is then the smallest with which enough of them count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy  # its parts are imported when they are first used: most runs need none
from numpy.typing import NDArray

from ..problem.numbers.shown_digits import spoken
from .errors import LikelihoodError
from .summaries import identical, same_in_all

Array = NDArray[np.float64]
Kernel = Literal["gaussian", "epanechnikov"]

BISECTIONS = 40  # of the adaptive width: to 12 digits


def log_likelihood(
    simulated: Array,
    measured: Array,
    scales: Array,
    kernel: Kernel,
    width: float | None,
    quantile: float = 0.2,
    error: Array | None = None,
) -> tuple[float, float]:
    """(log density, its standard error) from simulated (R, k), measured (k,), scales (k,). Raises LikelihoodError in words.

    ``error`` (k, k): covariance of a measurement error that the simulated summaries lack; for the Gaussian kernel.
    """
    r, k = simulated.shape
    if r < 2:
        raise LikelihoodError(
            "One run per point is not enough for ABC: its standard error cannot be told. Raise the repeats."
        )
    if identical(simulated):
        raise LikelihoodError(same_in_all(r))
    distance = np.sqrt(np.square((simulated - measured) / scales).sum(1))
    h = width if width is not None else float(np.quantile(distance, quantile, method="higher"))
    if error is not None:
        with_error = _WithError((measured - simulated) / scales, error / np.outer(scales, scales))
        return _estimate(with_error.log_densities(h, quantile, adaptive=width is None) - float(np.log(scales).sum()))
    if h <= 0.0:
        raise LikelihoodError(
            f"{spoken(100 * quantile)} % of the runs hit the measured summaries exactly, so no kernel width follows from them. "
            "Give a width."
        )
    log_k = log_kernel(distance / h, k, kernel)
    if not np.any(np.isfinite(log_k)):
        raise LikelihoodError(
            f"None of the {r} runs came within the kernel's width of the measured summaries (the nearest at "
            f"{spoken(distance.min(), 3)}, the width is {spoken(h, 3)}). Use a wider or a Gaussian kernel, more repeats, or "
            "the adaptive width."
        )
    return _estimate(log_k - k * np.log(h) - float(np.log(scales).sum()))


def _estimate(log_k: Array) -> tuple[float, float]:
    """Log of the mean of exp(log_k (R,)), and its standard error."""
    r, top = len(log_k), float(log_k.max())
    w = np.exp(log_k - top)
    mean = float(w.mean())
    return top + float(np.log(mean)), max(float(w.std(ddof=1) / (np.sqrt(r) * mean)), 1.0 / r)


@dataclass(frozen=True)
class _WithError:
    """Gaps (R, k) and the covariance (k, k) of the measurement error, both in units of the scales."""

    gaps: Array
    error: Array

    def log_densities(self, h: float, quantile: float, adaptive: bool) -> Array:
        """Log N(gap; 0, error + h^2) (R,); ``adaptive``: with the smallest width up to ``h`` at which enough runs count.

        Enough are as many as without an error: those of the ``quantile`` nearest weigh exp(-1/2) or more.
        """
        if not adaptive:
            return self._at(h, must=True)
        enough = float(np.exp(-0.5)) * quantile * len(self.gaps)
        low, high = 0.0, h
        if self._counting(0.0) >= enough:
            return self._at(0.0, must=True)
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self._counting(middle) >= enough else (middle, high)
        return self._at(high, must=True)

    def _counting(self, h: float) -> float:
        """Kish's effective number of runs; 0 where the covariance is singular."""
        log_k = self._at(h)
        w = np.exp(log_k - log_k.max()) if len(log_k) else np.zeros(1)
        return float(np.square(w.sum()) / max(float(np.square(w).sum()), 1e-300))

    def _at(self, h: float, must: bool = False) -> Array:
        """Log N(gap; 0, error + h^2) (R,); empty where that is singular, a LikelihoodError if it ``must`` not be."""
        k = self.gaps.shape[1]
        try:
            factor = scipy.linalg.cholesky(self.error + h * h * np.eye(k), lower=True)
        except scipy.linalg.LinAlgError:
            factor = np.zeros((k, k))
        if np.diag(factor).min() <= 0.0:
            if must:
                raise LikelihoodError("The kernel has no width for summaries without a measurement error. Give a width.")
            return np.zeros(0)
        z = scipy.linalg.solve_triangular(factor, self.gaps.T, lower=True)
        log_det = float(np.log(np.diag(factor)).sum())
        return np.asarray(-0.5 * np.square(z).sum(0) - 0.5 * k * np.log(2 * np.pi) - log_det)


def log_kernel(u: Array, k: int, kernel: Kernel) -> Array:
    """Log of the k-dimensional kernel at distances u (n,), integrating to one; -inf outside its reach."""
    if kernel == "gaussian":
        return np.asarray(-0.5 * np.square(u) - 0.5 * k * np.log(2 * np.pi))
    log_ball = 0.5 * k * np.log(np.pi) - scipy.special.gammaln(0.5 * k + 1.0)  # volume of the unit ball
    with np.errstate(divide="ignore"):
        return np.asarray(np.log((k + 2.0) / 2.0) - log_ball + np.log(np.maximum(1.0 - np.square(u), 0.0)))
