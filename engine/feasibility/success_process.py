"""The probability that a run succeeds: Gaussian process classification made conjugate by Polya-Gamma variables (seed 004 ch. 3).

    a run succeeds with probability (1 - chance) sigma(f(x)),    f ~ GP(0, k),    chance ~ Beta

A failure has one of two causes: the region, sigma(-f), or chance anywhere, chance sigma(f). Given the cause and the Polya-Gamma
variable of each run f is Gaussian, so that every update is in closed form:

    q(omega_i) = PG(1, c_i), c_i^2 = E f_i^2;    q(f) from pseudo-values kappa_i / theta_i, theta_i = tanh(c_i / 2) / (2 c_i);
    kappa_i = 1/2 (success), r_i - 1/2 (failure), r_i = sigma(E f_i + E log chance) its probability of being by chance

Where no failure is by chance q(f) is found by expectation propagation instead: mean-field sds are far too small there.
The bound on the evidence (eq. 10) is 13 to 20 nats loose where borders are sharp, and chooses far too short lengths; so
hyperparameters go by Laplace's evidence, whose own covariance is far too wide (both measured in tests/benchmarks/README.md).
f is known through inducing variables at pivots of the kernel matrix: exact where all runs are pivots (MOST_PIVOTS).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from ..numerics.linear_algebra import stable_cholesky
from ..numerics.parts import in_parts
from ..numerics.success_kernel import SuccessKernel
from . import causes, expectation_propagation
from .causes import Flags
from .laplace import Mode, Start, polya_gamma_mean, posterior_root, precision_factor

Array = NDArray[np.float64]

MOST_PIVOTS = 150  # runs up to which the process is exact
LEAST_PIVOT = 1e-6  # of the largest prior variance: what is left of it where all is known
STEPS, SETTLED = 40, 0.05  # updates at most, and the change of the log odds below which they end
SELDOM = 2  # of these, for how many the variances are made once
NARROW = 3.0  # by which mean-field sds are narrower than errors turned out (tests/benchmarks/README.md)
DEAR_STEPS = 12  # at most with more runs, where each costs a millisecond: probabilities change by .001 in the mean after them


@dataclass(frozen=True)
class LogOdds:
    """q(f) at inducing points: f(x) = g(x) v, g = L^-1 k(Z, x), v ~ N(mean, covariance)."""

    kernel: SuccessKernel
    pivots: Array  # (M, D)
    factor: Array  # (M, M) lower factor of the prior covariance there
    mean: Array  # (M,)
    covariance: Array  # (M, M)

    def log_odds(self, x: Array) -> tuple[Array, Array]:
        """Mean and sd (m,) of f at x (m, D)."""
        mean, sd = np.empty(len(x)), np.empty(len(x))
        for part in in_parts(len(x)):
            g = linalg.solve_triangular(self.factor, self.kernel(self.pivots, x[part]), lower=True, check_finite=False)
            mean[part] = self.mean @ g
            own = self.kernel.diagonal(x[part]) - np.square(g).sum(0) + np.einsum("mi,mi->i", g, self.covariance @ g)
            sd[part] = np.sqrt(np.maximum(own, 0.0))
        return mean, sd

    def mean_log_odds(self, x: Array) -> Array:
        """Mean (m,) of f at x (m, D): much cheaper."""
        weights = linalg.solve_triangular(self.factor, self.mean, lower=True, trans="T", check_finite=False)
        return np.concatenate([self.kernel(x[part], self.pivots) @ weights for part in in_parts(len(x))])

    def log_allowed(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) does not fail for its place."""
        mean, sd = self.log_odds(x)
        return np.asarray(special.log_expit(mean / np.sqrt(1.0 + np.pi * np.square(sd) / 8.0)))

    def _drawn(self, x: Array, count: int, rng: np.random.Generator, widened: float) -> Array:
        """(count, m) draws of f at x (m, D), jointly, their sds times ``widened``."""
        g = linalg.solve_triangular(self.factor, self.kernel(self.pivots, x), lower=True, check_finite=False)
        spread = self.kernel(x, x) - g.T @ g + g.T @ self.covariance @ g
        drawn = rng.standard_normal((count, len(x))) @ stable_cholesky(spread).T
        return np.asarray(self.mean @ g + widened * drawn)


@dataclass(frozen=True)
class Begun:
    """An explanation of the runs before its updates, which are dear; ``mode``, the likeliest log odds, tells how probable it is.
    ``points`` (n, D), ``good`` (n,): the runs; ``by_chance``: may some have failed so."""

    kernel: SuccessKernel
    points: Array
    good: Flags
    by_chance: bool
    features: Array  # (n, M)
    pivots: Array  # (M, D)
    factor: Array  # (M, M)
    mode: Mode

    @classmethod
    def of(cls, kernel: SuccessKernel, points: Array, good: Flags, start: Start | None = None, by_chance: bool = True) -> Begun:
        """``start``: None begins with no failure by chance."""
        features, chosen, factor = pivoted(kernel, points)
        mode = Mode.of(features, good, start or Start.none(len(points)), by_chance)
        return cls(kernel, points, good, by_chance, features, points[chosen], factor, mode)

    @property
    def _left(self) -> Array:
        """Prior variance (n,) of the runs that the pivots leave."""
        return np.asarray(np.maximum(self.kernel.diagonal(self.points) - np.square(self.features).sum(1), 0.0))

    def with_moments(self) -> SuccessProcess:
        """By expectation propagation, where nothing fails by chance."""
        good, mode = self.good, self.mode
        known = expectation_propagation.moments(self.features, self._left, good, mode.log_odds, mode.variance)
        return SuccessProcess(self.kernel, self.pivots, self.factor, *known, self.points, good, np.zeros(len(good)), None, 1.0)

    def settled(self) -> SuccessProcess:
        """Updated until nothing moves."""
        features, good, mode, left = self.features, self.good, self.mode, self._left
        f, r, c = mode.log_odds, mode.by_chance, np.sqrt(mode.variance + left + np.square(mode.log_odds))
        spread = mode.variance + left
        dear = len(good) > MOST_PIVOTS
        for step in range(DEAR_STEPS if dear else STEPS):
            lower = precision_factor(features, weights := polya_gamma_mean(c))
            mean = linalg.cho_solve((lower, True), features.T @ np.where(good, 0.5, r - 0.5), check_finite=False)
            moved, f = float(np.abs(features @ mean - f).max()), features @ mean
            if not dear or step % SELDOM == 0:
                half = linalg.solve_triangular(lower, features.T, lower=True, check_finite=False)
                spread = left + np.square(half).sum(0)
            c = np.sqrt(spread + np.square(f))
            r = causes.by_chance(good, f, r) if self.by_chance else r
            if moved < SETTLED:
                break
        chance, root = causes.chance_of(good, r) if self.by_chance else None, posterior_root(features, weights)
        return SuccessProcess(self.kernel, self.pivots, self.factor, mean, root @ root.T, self.points, good, r, chance)


@dataclass(frozen=True)
class SuccessProcess(LogOdds):
    """``points`` (n, D), ``good`` (n,): the runs. ``by_chance`` (n,): the probability that chance and not the place made it fail.
    ``chance``: parameters of its Beta posterior, None where there is none. ``widened``: by how much sds of functions are.
    """

    points: Array
    good: Flags
    by_chance: Array  # (n,)
    chance: causes.Beta | None
    widened: float = NARROW

    def functions(self, x: Array, count: int, rng: np.random.Generator) -> Array:
        """(count, m) draws of f at x (m, D), jointly, with sds as errors turned out."""
        return self._drawn(x, count, rng, self.widened)

    @property
    def log_works(self) -> float:
        """log probability that nothing fails by chance."""
        return 0.0 if self.chance is None else float(np.log(self.chance[1] / sum(self.chance)))

    def log_success(self, x: Array) -> Array:
        """log probability (m,) that a run at x (m, D) succeeds."""
        return self.log_allowed(x) + self.log_works

    @property
    def failed_by_chance(self) -> Array:
        """The probability (m,) of each failed run that it was by chance: by that cause, or where most runs would succeed, by the
        mean. Without chance the wide sds at a border say that it is not known, not that a run failed there by chance."""
        lost = ~self.good
        mean, sd = self.log_odds(self.points[lost])
        r = self.by_chance[lost]
        return np.asarray(r + (1.0 - r) * special.ndtr(NARROW / self.widened * mean / np.maximum(sd, 1e-9)))


def pivoted(kernel: SuccessKernel, points: Array) -> tuple[Array, NDArray[np.intp], Array]:
    """g (n, M) of the points, rows chosen as pivots (M,), factor (M, M): greedily, most prior variance left first."""
    left, column_of = kernel.diagonal(points).copy(), kernel.columns(points)
    most, least = min(len(points), MOST_PIVOTS), LEAST_PIVOT * float(left.max())
    g, chosen = np.zeros((len(points), most)), []
    for k in range(most):
        i = int(np.argmax(left))
        if left[i] < least:
            break
        column = column_of(i) - g[:, :k] @ g[i, :k]
        g[:, k] = column / np.sqrt(left[i])
        left = np.maximum(left - np.square(g[:, k]), 0.0)
        left[i] = 0.0
        chosen.append(i)
    rows = np.array(chosen, dtype=np.intp)
    factor = np.tril(g[rows, : len(rows)])
    return g[:, : len(rows)], rows, factor
