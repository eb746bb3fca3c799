"""Particles of a posterior by tempering: reweighted, chosen and moved, from a distribution between prior and posterior to it
(sequential Monte Carlo samplers, Del Moral, Doucet and Jasra 2006), with an estimate of the evidence."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special

from .linear_algebra import stable_cholesky

Array = NDArray[np.float64]
LogOf = Callable[[Array], Array]  # particles (N, P) -> (N,)

KEPT = 0.5  # effective share of the particles after each reweighting
MOVES = 10  # of each particle after it
HALVINGS = 20  # of the exponent's step
STEP, ACCEPTED = 2.38, 0.25  # of random walks on normal densities, times 1 / sqrt P (Roberts, Gelman and Gilks 1997)
SHORTER, VARIED = -0.7, 0.7  # mean and sd of the logarithm of the length of a move: parts of a posterior differ in size
JITTER = 1e-4  # of differences, in sds of the prior


def tempered(
    first: Array, log_likelihood: LogOf, log_first: LogOf, rng: np.random.Generator, least: float = -np.inf
) -> tuple[Array, float]:
    """(N, P) particles of N(0, I) exp(log likelihood), and the logarithm of its integral. ``first`` (N, P): of the density
    N(0, I) exp(log_first), where tempering begins. Ended as soon as the integral so far, which falls where the likelihood is
    below exp(log_first), is under ``least``: the logarithm of that."""
    x = first.copy()
    level, start = log_likelihood(x), log_first(x)
    done, log_evidence, step = 0.0, 0.0, STEP / np.sqrt(x.shape[1])
    while done < 1.0 and log_evidence >= least:
        gain = level - start
        add = _step(gain, 1.0 - done)
        done, log_evidence = done + add, log_evidence + float(special.logsumexp(add * gain)) - float(np.log(len(x)))
        chosen = _chosen(special.softmax(add * gain), rng)
        x, level, start = x[chosen], level[chosen], start[chosen]
        for turn in range(MOVES):
            moved = x + (_difference(x, rng) if turn % 2 else step * _walk(x, rng))
            there, from_start = log_likelihood(moved), log_first(moved)
            rise = done * (there - level) + (1.0 - done) * (from_start - start) + 0.5 * (np.square(x) - np.square(moved)).sum(1)
            taken = np.log(rng.random(len(x))) < rise
            x, level, start = (np.where(taken, new.T, old.T).T for new, old in ((moved, x), (there, level), (from_start, start)))
            if not turn % 2:
                step *= float(np.exp(taken.mean() - ACCEPTED))
    return x, log_evidence


def _step(gain: Array, most: float) -> float:
    """By how much the exponent grows: ``most``, or until KEPT of the particles are left."""

    def left(add: float) -> float:
        w = np.exp(add * (gain - gain.max()))
        return float(w.sum() ** 2 / (w @ w)) / len(w)

    if left(most) >= KEPT:
        return most
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if left(middle) < KEPT else (middle, high)
    return high if low == 0.0 else low


def _chosen(weights: Array, rng: np.random.Generator) -> NDArray[np.intp]:
    """Rows (N,), systematically."""
    at = (np.arange(len(weights)) + rng.random()) / len(weights)
    return np.minimum(np.searchsorted(np.cumsum(weights), at), len(weights) - 1)


def _lengths(count: int, middle: float, rng: np.random.Generator) -> Array:
    return np.exp(rng.normal(middle, VARIED, (count, 1)))


def _walk(x: Array, rng: np.random.Generator) -> Array:
    """Of all directions as the particles spread."""
    root = stable_cholesky(np.atleast_2d(np.cov(x.T)))
    return np.asarray(_lengths(len(x), 0.0, rng) * rng.standard_normal(x.shape) @ root.T)


def _difference(x: Array, rng: np.random.Generator) -> Array:
    """Along the differences of two others (Ter Braak 2006)."""
    one, other = rng.integers(0, len(x), (2, len(x)))
    length = STEP / np.sqrt(2.0 * x.shape[1]) * _lengths(len(x), SHORTER, rng)
    return np.asarray(length * (x[one] - x[other]) + JITTER * rng.standard_normal(x.shape))
