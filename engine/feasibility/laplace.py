"""The most probable log odds of success, and Laplace's evidence of the hyperparameters.

With targets t_i = 1 (success) or r_i (failure, by chance with probability r_i) the log likelihood is sum t f - log(1 + exp f).
Its mode is found by Newton steps; where one does not climb, by the expectation step of the Polya-Gamma variables, which does:

    E omega_i = tanh(f_i / 2) / (2 f_i);    f from pseudo-values (t_i - 1/2) / omega_i of variance 1 / omega_i
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from ..numerics.linear_algebra import stable_cholesky
from ..numerics.success_kernel import SuccessKernel
from . import causes
from .causes import Flags

Array = NDArray[np.float64]

STEPS, SETTLED = 40, 0.05  # updates at most, and the change of the log odds below which they end
LEAST_WEIGHT = 1e-9  # of a run whose outcome is certain


@dataclass(frozen=True)
class Start:
    """Where updates begin: log odds (n,) of each run, and how probably each was a failure by chance (n,)."""

    log_odds: Array
    by_chance: Array

    @classmethod
    def none(cls, count: int) -> Start:
        return cls(np.zeros(count), np.zeros(count))


@dataclass(frozen=True)
class Mode:
    """Log odds (n,) and causes (n,) of the runs, the variance (n,) of the former, and the log evidence."""

    log_odds: Array
    by_chance: Array
    variance: Array
    evidence: float

    @classmethod
    def of(cls, features: Array, good: Flags, start: Start, by_chance: bool) -> Mode:
        """f = G v, v ~ N(0, 1): features G (n, M), outcomes (n,); ``by_chance``: may failures be so?"""
        f, r = start.log_odds, np.where(good | (not by_chance), 0.0, start.by_chance)
        height = -np.inf
        for step in range(STEPS):
            target = np.where(good, 1.0, r)
            v = _newton(features, f, target)
            if step and _height(features @ v, v, target) < height:
                v = _augmented(features, f, target)
            moved, f = float(np.abs(features @ v - f).max()), features @ v
            r = causes.by_chance(good, f, r) if by_chance else r
            height = _height(f, v, np.where(good, 1.0, r))
            if moved < SETTLED:
                break
        root = posterior_root(features, _weights(f))
        value = height + float(np.log(np.diag(root)).sum())
        value += causes.log_evidence(good, r, causes.chance_of(good, r) if by_chance else None)
        return cls(f, r, np.square(features @ root).sum(1), value)


def slope(kernel: SuccessKernel, points: Array, good: Flags, mode: Mode) -> Array:
    """Of the log evidence in theta (D + 2,), where features are exact; points (n, D)."""
    k = kernel(points, points)
    p = special.expit(mode.log_odds)
    w = p * (1.0 - p)
    pull = np.where(good, 1.0, mode.by_chance) - p
    root = np.sqrt(w)
    lower = stable_cholesky(np.eye(len(k)) + root[:, None] * k * root)
    half = linalg.solve_triangular(lower, np.diag(root), lower=True, check_finite=False)
    inverse = half.T @ half  # (K + 1 / w)^-1
    variance = np.diag(k) - np.square(half @ k).sum(0)
    moves = -0.5 * variance * w * (1.0 - 2.0 * p)  # of half the log determinant, as the mode moves
    moves -= inverse @ (k @ moves)
    weight = 0.5 * (np.outer(pull, pull) - inverse + np.outer(moves, pull) + np.outer(pull, moves))
    return kernel.gradients(points, weight)


def posterior_root(features: Array, weights: Array) -> Array:
    """A root (M, M), upper, of (I + G' W G)^-1 for weights W (n,)."""
    lower = precision_factor(features, weights)
    return linalg.solve_triangular(lower, np.eye(len(lower)), lower=True, check_finite=False).T


def precision_factor(features: Array, weights: Array) -> Array:
    """The lower factor (M, M) of I + G' W G."""
    scaled = np.sqrt(weights)[:, None] * features
    precision = scaled.T @ scaled  # of one array with itself: half the work
    precision[np.diag_indices_from(precision)] += 1.0
    return stable_cholesky(precision)


def polya_gamma_mean(c: Array) -> Array:
    """E omega (n,) under PG(1, c)."""
    half = np.maximum(np.abs(c), 1e-6) / 2.0
    return np.asarray(np.tanh(half) / (4.0 * half))


def _weights(f: Array) -> Array:
    """p (1 - p) (n,) at log odds f: the curvature of the log likelihood."""
    return np.maximum(special.expit(f) * special.expit(-f), LEAST_WEIGHT)


def _newton(features: Array, f: Array, target: Array) -> Array:
    """v (M,) after a Newton step from log odds f (n,)."""
    w = _weights(f)
    right = features.T @ (w * f + target - special.expit(f))
    return np.asarray(linalg.cho_solve((precision_factor(features, w), True), right, check_finite=False))


def _augmented(features: Array, f: Array, target: Array) -> Array:
    """v (M,) of largest joint density, the Polya-Gamma variables at their means given log odds f (n,)."""
    lower = precision_factor(features, polya_gamma_mean(f))
    return np.asarray(linalg.cho_solve((lower, True), features.T @ (target - 0.5), check_finite=False))


def _height(f: Array, v: Array, target: Array) -> float:
    """Log likelihood and log prior of v, without constants."""
    return float((target * f - np.logaddexp(0.0, f)).sum() - 0.5 * v @ v)
