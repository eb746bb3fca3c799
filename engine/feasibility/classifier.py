"""Where the density is zero and where runs fail: a kernel logistic classifier in the posterior's whitened coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special
from scipy.spatial import cKDTree

from ..numerics.linear_algebra import stable_cholesky
from ..numerics.parts import in_parts
from ..surrogate.evaluations import Evaluations
from ..surrogate.frames import Whitening

Array = NDArray[np.float64]

NEWTON_STEPS = 12
LINEAR, SMOOTH = 3.0, 10.0  # prior sds of the straight and of the curved part of the log odds
UNLIKELY = -1.0  # log probability of being possible below which a place is not looked at again
FAILS_BELOW = -1.0  # log chance of running under which a place counts as one where runs fail
NEIGHBOURS = 5  # evaluations nearest to a place, most of which must have failed for it to count as one where runs fail
FAR = 1e4  # posterior sds: beyond, places differ by direction alone to the classifier (larger squares swamp its unit noise)
QUIET = 0.5  # failed runs only repel the acquisition within this distance (whitened units) of where one happened


@dataclass(frozen=True)
class Feasibility:
    """Points in the box frame: good (n, D), impossible (i, D), failed (f, D)."""

    whitening: Whitening
    good: Array
    impossible: Array
    failed: Array
    _points: Array = field(init=False, repr=False)
    _weights: Array = field(init=False, repr=False)
    _factor: Array = field(init=False, repr=False)
    _root: Array = field(init=False, repr=False)

    @classmethod
    def of(cls, known: Evaluations, whitening: Whitening | None = None) -> Feasibility:
        """What ``known``, in the box frame, says; ``whitening``: of the posterior, None while there is none."""
        white = whitening or Whitening.none(known.impossible.shape[1])
        return cls(white, known.points, known.impossible, known.failed)

    def __post_init__(self) -> None:
        """Laplace approximation of a Gaussian process classifier (possible: +1, impossible: -1)."""
        x = self._place(np.concatenate([self.good, self.impossible]))
        sign = np.concatenate([np.ones(len(self.good)), -np.ones(len(self.impossible))])
        weights, factor, root = np.zeros(0), np.zeros((0, 0)), np.zeros(0)
        if len(self.impossible):
            k = self._kernel(x, x) + 1e-6 * np.eye(len(x))
            f = np.zeros(len(x))
            for _ in range(NEWTON_STEPS):
                p = special.expit(f)
                slope = (sign + 1) / 2 - p
                root = np.sqrt(np.maximum(p * (1 - p), 1e-10))
                b = np.eye(len(x)) + root[:, None] * k * root
                factor = stable_cholesky(b)
                target = root**2 * f + slope
                weights = target - root * linalg.cho_solve((factor, True), root * (k @ target))
                f = k @ weights
        object.__setattr__(self, "_points", x)
        object.__setattr__(self, "_weights", weights)
        object.__setattr__(self, "_factor", factor)
        object.__setattr__(self, "_root", root)

    def _place(self, b: Array) -> Array:
        """Whitened coordinates of b (m, D), drawn in to FAR along their direction."""
        z: Array = self.whitening.into(b)
        radius = np.sqrt(np.square(z).sum(1, keepdims=True))
        return np.where(radius > FAR, z * (FAR / np.maximum(radius, FAR)), z)

    def _kernel(self, x: Array, y: Array) -> Array:
        d = x.shape[1]
        inner = x @ y.T
        gap = np.square(x).sum(1)[:, None] + np.square(y).sum(1)[None, :] - 2.0 * inner
        return np.asarray(SMOOTH**2 * np.exp(-0.25 / d * np.maximum(gap, 0.0)) + LINEAR**2 * (1.0 + inner))

    def _log_odds(self, b: Array) -> tuple[Array, Array]:
        """Mean and standard deviation of the log odds of being possible (m,)."""
        z = self._place(b)
        mean, explained = np.empty(len(z)), np.empty(len(z))
        for part in in_parts(len(z)):
            cross = self._kernel(self._points, z[part])
            v = linalg.solve_triangular(self._factor, self._root[:, None] * cross, lower=True)
            mean[part], explained[part] = cross.T @ self._weights, np.square(v).sum(0)
        own = SMOOTH**2 + LINEAR**2 * (1.0 + np.square(z).sum(1))
        return mean, np.sqrt(np.maximum(own - explained, 0.0))

    def log_possible(self, b: Array) -> Array:
        """log probability that the density at b (m, D) is not zero, decided by the mean log odds, steeply: (m,)."""
        if len(self.impossible) == 0:
            return np.zeros(len(b))
        z = self._place(b)
        odds = np.concatenate([self._kernel(z[part], self._points) @ self._weights for part in in_parts(len(z))])
        return np.asarray(special.log_expit(4.0 * odds))

    def may_be_possible(self, b: Array) -> NDArray[np.bool_]:
        """Where the density is not known to be zero (m,): what may be worth a look."""
        return np.asarray(self.log_possible(b) > UNLIKELY)

    def log_runs(self, b: Array) -> Array:
        """Very negative next to failed runs, for the acquisition, so that it does not ask there again: (m,)."""
        if len(self.failed) == 0:
            return np.zeros(len(b))
        z = self.whitening.into(b)
        no = cKDTree(self.whitening.into(self.failed)).query(z)[0]
        yes = cKDTree(self.whitening.into(self.good)).query(z)[0] if len(self.good) else np.ones(len(b))
        nearer = 8.0 * (np.log(yes + 1e-12) - np.log(no + 1e-12))
        return np.asarray(-np.logaddexp(0.0, nearer) - 20.0 * np.exp(-0.5 * np.square(no / (0.1 * QUIET))))

    def runs_fail(self, b: Array) -> NDArray[np.bool_]:
        """Where runs fail (m,): most of the nearest evaluations did. One that failed by chance among good ones does not count."""
        return self._most_near(b, self.failed, self.good, self.impossible)

    def _most_near(self, b: Array, of: Array, *others: Array) -> NDArray[np.bool_]:
        """Whether most of the evaluations nearest to b (m, D) are ``of`` a kind (k, D): (m,)."""
        if len(of) == 0:
            return np.zeros(len(b), dtype=bool)
        evaluated = self.whitening.into(np.concatenate([of, *others]))
        count = min(NEIGHBOURS, len(evaluated))
        nearest = cKDTree(evaluated).query(self.whitening.into(b), k=count)[1].reshape(len(b), count)
        return np.asarray((nearest < len(of)).sum(1) > count / 2)

    def walled_mass(self, b: Array, weights: Array) -> float:
        """Posterior mass where most of the nearest evaluations were impossible, from draws b (n, D) with weights (n,)."""
        return float(weights @ self._most_near(b, self.impossible, self.good, self.failed))

    def failing_mass(self, b: Array, weights: Array) -> float:
        """Posterior mass where runs fail, from draws b (n, D) with weights (n,): nothing is known of the density there."""
        return float(weights @ self.runs_fail(b))

    def doubt(self, b: Array) -> Array:
        """p (1 - p) of being possible, the log odds' own uncertainty averaged in: largest at the unknown edge (m,)."""
        if len(self.impossible) == 0:
            return np.zeros(len(b))
        mean, sd = self._log_odds(b)
        p = special.expit(mean / np.sqrt(1.0 + np.pi * np.square(sd) / 8.0))
        return np.asarray(p * (1.0 - p))

    def evidence_sd(self, b: Array, log_weights: Array) -> float:
        """sd of log Z from not knowing where the impossible region begins: doubt times weight at the draws b (n, D).

        As if the errors all along the edge were one error: the mean doubt.
        """
        if len(self.impossible) == 0:
            return 0.0
        w = np.exp(log_weights - log_weights.max())
        return float(w @ self.doubt(b) / w.sum())
