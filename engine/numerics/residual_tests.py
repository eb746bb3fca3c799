"""Whether standardized residuals look like chance: long runs of one sign, and a distribution that is not normal (numpy).

Each test compares the measured residuals with those of data sets drawn as the model makes them and fitted alike, so that its
p-value is uniform where the model holds, however many parameters were fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tested:
    """``runs`` of one sign and how many are expected; ``p_runs``: share of data sets with as few, and
    of those with as many with neighbours as alike; ``p_shape``: share of data sets
    whose normal plot is as crooked. ``low``, ``high`` (L,): where 90 % of sorted residuals lie, place by place."""

    runs: int
    expected_runs: float
    p_runs: float
    p_shape: float
    low: Array
    high: Array


def runs_of_one_sign(z: Array) -> Array:
    """How many there are in each row of z (..., L), in order (Wald and Wolfowitz 1940)."""
    up = z >= 0.0
    return np.asarray(1.0 + (up[..., 1:] != up[..., :-1]).sum(-1))


def alike(z: Array) -> Array:
    """Correlation of neighbours in each row of z (..., L)."""
    return np.asarray((z[..., 1:] * z[..., :-1]).sum(-1) / np.maximum((z**2).sum(-1), 1e-300))


def normal_places(count: int) -> Array:
    """About the medians (L,) of sorted standard normal numbers (Blom 1958)."""
    from scipy.special import ndtri

    return np.asarray(ndtri((np.arange(1.0, count + 1.0) - 0.375) / (count + 0.25)))


def straightness(z: Array) -> Array:
    """Correlation of sorted residuals with those of a normal distribution, for each row of z (..., L) (Filliben 1975)."""
    ordered, places = np.sort(z, -1), normal_places(z.shape[-1])
    away = ordered - ordered.mean(-1, keepdims=True)
    return np.asarray(away @ places / np.sqrt(np.maximum((away**2).sum(-1) * (places @ places), 1e-300)))


def fitted_away(e: Array, moved: Array) -> Array:
    """Residuals (r, L) that data sets with errors e (r, L) leave: (I - P)^(1/2) e.

    ``moved`` (m, L): draws of the posterior of what is predicted, in standard deviations of the noise; their covariance is P, by
    which errors are fitted (the hat matrix; with a prior, less than it). The covariance of what is left is I - P, averaged over
    what may be true beforehand.
    """
    away = moved - moved.mean(0)
    _, size, directions = np.linalg.svd(away / np.sqrt(len(away)), full_matrices=False)
    left = np.sqrt(1.0 - np.minimum(size**2, 1.0))
    return np.asarray(e - ((e @ directions.T) * (1.0 - left)) @ directions)


def judge_residuals(z: Array, drawn: Array) -> Tested:
    """Measured residuals z (L,) against those of data sets (r, L), along the key. Runs that are equally many are told apart by
    how alike neighbours are."""
    few = runs_of_one_sign(drawn) - 0.5 * alike(drawn)
    runs = int(runs_of_one_sign(z))
    low, high = np.quantile(np.sort(drawn, -1), (0.05, 0.95), axis=0)
    return Tested(
        runs, float(runs_of_one_sign(drawn).mean()), _share(few, runs - 0.5 * float(alike(z))),
        _share(straightness(drawn), float(straightness(z))), low, high,
    )  # fmt: skip


def _share(drawn: Array, measured: float) -> float:
    """Of data sets (r,) at or below the measured one, which is one of them."""
    return float((1.0 + (drawn <= measured).sum()) / (1.0 + len(drawn)))
