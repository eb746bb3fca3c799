"""Failures in a thin sheet: where a quadratic function q of the place is nearly zero. Stripes, shells and bent layers are such.

A stationary process of long lengths takes a shell for a stripe or a disk, and one of short lengths says nothing beyond its runs.
Of a sheet a run at z fails with probability about sigma(SHARP (1 - |q| / (|grad q| w))): |q| / |grad q| is, to first order, the
distance from where q is zero (Sampson 1982), w half the thickness; the coefficients of q are standard normal where the successes
have mean 0 and sd 1, log w is normal. Their posterior is sampled by tempering (Neal 2001; Del Moral, Doucet and Jasra 2006) from
coefficients for which q is small at the failed runs: directions of angular central normal distributions (Tyler 1987), whose
density is known; their size says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from ..numerics.parts import in_parts
from ..numerics.quadrics import monomials, sheet_log_odds, slopes
from ..numerics.randomness import generator
from ..numerics.tempering import tempered
from .causes import Flags

Array = NDArray[np.float64]

ONE_SIDED = -20.0  # log prior of a sheet beside which runs succeed on one side alone: what that is, a region says
ERROR = 0.01  # probability of an outcome that the sheet does not explain
SHARP = 8.0  # log odds between the middle of a sheet and its edge
THIN, THIN_SPREAD = float(np.log(0.25)), 0.7  # prior of log w, in sds of the successes: thicker ones are regions
NEAR = 1.5  # distances of failed runs from where q is zero, in w, with which tempering begins
PARTICLES, FEWEST, RUNS = 256, 96, 100  # ... so many up to RUNS runs, then in proportion fewer
THINNED = 4  # of which every so manieth makes a probability: it is asked at thousands of places
FEWEST_FAILED = 0.5  # places apart at which runs failed, for each coefficient: through fewer a sheet goes wherever they lie
APART = 0.3  # sds of the successes, from which on two places are
AT_A_TIME = 100  # probabilities of ERROR or more whose product is a number
SD_OF_MEDIAN_DEVIATION = 1.4826


@dataclass(frozen=True)
class Sheets:
    """As ``success_process.SuccessProcess`` without chance: ``coefficients`` (N, P) of q in ``basis`` (P, P) of the monomials of
    (x - center) / scale, ``widths`` (N,); ``points`` (n, D), ``good`` (n,): the runs; ``evidence``: its logarithm."""

    center: Array
    scale: Array
    basis: Array
    coefficients: Array
    widths: Array
    points: Array
    good: Flags
    evidence: float

    @classmethod
    def of(cls, good: Array, failed: Array, least: float = -np.inf) -> Sheets | None:
        """Of runs (n, D), (m, D), in the frame of the map; None where there are too few to speak of a sheet, or the evidence is
        under ``least``."""
        if len(good) <= good.shape[1]:
            return None
        center = np.median(good, axis=0)
        scale = SD_OF_MEDIAN_DEVIATION * np.median(np.abs(good - center), axis=0)
        if not (scale > 0.0).all():
            return None
        points, ok = np.concatenate([good, failed]), np.arange(len(good) + len(failed)) < len(good)
        z = (points - center) / scale
        lost = monomials(z[~ok])
        if _places(z[~ok]) < FEWEST_FAILED * lost.shape[1]:
            return None
        spread, basis = np.linalg.eigh(lost.T @ lost)
        search = _Search(monomials(z) @ basis, slopes(z) @ basis, ok, np.maximum(spread, 0.0))
        rng = generator(len(ok), "sheets", len(failed))
        count = max(FEWEST, PARTICLES * min(RUNS, len(ok)) // len(ok))
        found, evidence = tempered(search.first(count, rng), search.log_likelihood, search.log_nearness, rng, least)
        if evidence < least:
            return None
        return cls(center, scale, basis, found[:, :-1], widths(found), points, ok, evidence)

    @property
    def chance(self) -> None:
        return None

    @cached_property
    def failed_by_chance(self) -> Array:
        """The probability (m,) of each failed run that no sheet explains it."""
        fails = special.expit(-self._odds(self.points[~self.good], slice(None)))
        return np.asarray((ERROR / _with_errors(fails)).mean(0))

    def log_allowed(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) does not fail for its place."""
        return np.log(self._works(x))

    def log_success(self, x: Array) -> Array:
        return self.log_allowed(x)

    def mean_log_odds(self, x: Array) -> Array:
        """(m,) at x (m, D): of the probability."""
        return np.asarray(special.logit(self._works(x)))

    def functions(self, x: Array, count: int, rng: np.random.Generator) -> Array:
        """(count, m) draws of the log odds at x (m, D), jointly."""
        n = len(self.widths)
        return self._odds(x, rng.permutation(n)[:count] if count <= n else rng.integers(0, n, count))

    def _works(self, x: Array) -> Array:
        parts = [special.expit(self._odds(x[part], slice(None, None, THINNED))).mean(0) for part in in_parts(len(x))]
        return np.asarray(_with_errors(np.concatenate(parts)) if parts else np.zeros(0))

    def _odds(self, x: Array, which: NDArray[np.intp] | slice) -> Array:
        z = (x - self.center) / self.scale
        at = monomials(z) @ self.basis, slopes(z) @ self.basis
        return sheet_log_odds(self.coefficients[which], self.widths[which], *at, SHARP)


@dataclass(frozen=True)
class _Search:
    """For the sampler: features (n, P) and slopes (D, n, P) of the runs in a basis in which the sum of squares of q at the failed
    ones is that of the coefficients times ``spread`` (P,). A particle (P + 1,): coefficients and the standardized log w."""

    features: Array
    slopes: Array
    good: Flags
    spread: Array

    def first(self, count: int, rng: np.random.Generator) -> Array:
        """(count, P + 1): of the prior times exp of ``log_nearness``."""
        particles = rng.standard_normal((count, len(self.spread) + 1))
        a = particles[:, :-1] / np.sqrt(self._narrower(particles))
        sizes = np.sqrt(rng.chisquare(a.shape[1], count))
        particles[:, :-1] = a * (sizes / np.linalg.norm(a, axis=1))[:, None]
        return particles

    def log_nearness(self, particles: Array) -> Array:
        """log density (N,) of directions with which tempering begins, over that of the prior."""
        narrower, square = self._narrower(particles), np.square(particles[:, :-1])
        ratio = (square * narrower).sum(1) / square.sum(1)
        return np.asarray(0.5 * np.log(narrower).sum(1) - 0.5 * square.shape[1] * np.log(ratio))

    def log_likelihood(self, particles: Array) -> Array:
        """(N,) of the runs' outcomes."""
        f = sheet_log_odds(particles[:, :-1], widths(particles), self.features, self.slopes, SHARP)
        side = particles[:, :-1] @ self.features.T
        side *= self.good & (f > 0.0)
        f *= np.where(self.good, 1.0, -1.0)
        special.expit(f, out=f)
        f *= 1.0 - 2.0 * ERROR
        f += ERROR
        told = _log_product(f)
        return np.asarray(np.where((side.min(1) < 0.0) & (side.max(1) > 0.0), told, told + ONE_SIDED))

    def _narrower(self, particles: Array) -> Array:
        """(N, P) by how much the variances of coefficients are smaller where q is nearly zero at the failed runs."""
        return np.asarray(1.0 + self.spread / np.square(NEAR * widths(particles))[:, None])


def _places(z: Array) -> int:
    """How many of z (m, D) are APART from all before them."""
    kept: list[Array] = []
    for place in z:
        if all(np.linalg.norm(place - other) >= APART for other in kept):
            kept.append(place)
    return len(kept)


def widths(particles: Array) -> Array:
    """w (N,) of particles (N, P + 1)."""
    return np.asarray(np.exp(THIN + THIN_SPREAD * particles[:, -1]))


def _log_product(p: Array) -> Array:
    """(N,) of p (N, n), each ERROR or more: of so many at a time that no product is nothing."""
    return np.asarray(np.log(np.multiply.reduceat(p, np.arange(0, p.shape[1], AT_A_TIME), axis=1)).sum(1))


def _with_errors(p: Array) -> Array:
    return np.asarray(ERROR + (1.0 - 2.0 * ERROR) * p)
