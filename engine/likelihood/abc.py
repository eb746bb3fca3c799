"""Approximate Bayesian computation: density of R simulated summaries at the measured ones, by a kernel (seed 000 section 2.5.2).

p = mean_r K_h(s_r - s), distances in units of the scales. A fixed width h is the classical ABC likelihood; an adaptive one is the
distance that holds a given share of the runs (a nearest-neighbour density estimate), so no point is without a run within reach.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .errors import LikelihoodError
from .summaries import identical, same_in_all

Array = NDArray[np.float64]
Kernel = Literal["gaussian", "epanechnikov"]


def log_likelihood(
    simulated: Array, measured: Array, scales: Array, kernel: Kernel, width: float | None, quantile: float = 0.2
) -> tuple[float, float]:
    """(log density, its standard error) from simulated (R, k), measured (k,), scales (k,). Raises LikelihoodError in words."""
    r, k = simulated.shape
    if r < 2:
        raise LikelihoodError(
            "One run per point is not enough for ABC: its standard error cannot be told. Raise the repeats."
        )
    if identical(simulated):
        raise LikelihoodError(same_in_all(r))
    distance = np.sqrt(np.square((simulated - measured) / scales).sum(1))
    h = width if width is not None else float(np.quantile(distance, quantile, method="higher"))
    if h <= 0.0:
        raise LikelihoodError(
            f"{100 * quantile:g} % of the runs hit the measured summaries exactly, so no kernel width follows from them. "
            "Give a width."
        )
    log_k = log_kernel(distance / h, k, kernel)
    if not np.any(np.isfinite(log_k)):
        raise LikelihoodError(
            f"None of the {r} runs came within the kernel's width of the measured summaries (the nearest at "
            f"{distance.min():.3g}, the width is {h:.3g}). Use a wider or a Gaussian kernel, more repeats, or the adaptive width."
        )
    top = float(log_k.max())
    w = np.exp(log_k - top)
    mean = float(w.mean())
    value = top + np.log(mean) - k * np.log(h) - float(np.log(scales).sum())
    error = float(w.std(ddof=1) / (np.sqrt(r) * mean))
    return float(value), max(error, 1.0 / r)


def log_kernel(u: Array, k: int, kernel: Kernel) -> Array:
    """Log of the k-dimensional kernel at distances u (n,), integrating to one; -inf outside its reach."""
    if kernel == "gaussian":
        return np.asarray(-0.5 * np.square(u) - 0.5 * k * np.log(2 * np.pi))
    log_ball = 0.5 * k * np.log(np.pi) - special.gammaln(0.5 * k + 1.0)  # volume of the unit ball
    with np.errstate(divide="ignore"):
        return np.asarray(np.log((k + 2.0) / 2.0) - log_ball + np.log(np.maximum(1.0 - np.square(u), 0.0)))
