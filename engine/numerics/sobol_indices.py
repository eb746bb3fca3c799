"""Variance-based sensitivity indices of functions known at n points, each moved once along every coordinate.

First order: Var E(f | x_i) / Var f, total: E Var(f | x_-i) / Var f (Sobol 1993; Homma and Saltelli 1996). Both have a meaning
for inputs that depend on each other too (Kucherenko, Tarantola and Annoni 2012; the total is Mara and Tarantola's independent
one, 2012): the first order counts what x_i says through others, the total what it adds to all others. With independent inputs
the first order is never above the total; with dependent ones it may be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

DEGREE = 12  # of the polynomial in the rank: a cosine of two periods to 1 in 1000
LEAST_ROWS = 8  # points for each coefficient: with fewer, the degree is lower


@dataclass(frozen=True)
class Variances:
    """Of q functions: ``whole`` (q,), ``first`` and ``total`` (D, q), all in squared units of the functions."""

    whole: Array
    first: Array
    total: Array

    def indices(self) -> tuple[Array, Array]:
        """First order and total (D,) of all functions together, by sums of their variances (Lamboni et al. 2011; Gamboa et al.
        2014). Between 0 and 1."""
        return _share(self.first.sum(1), self.whole.sum()), _share(self.total.sum(1), self.whole.sum())

    def each(self) -> tuple[Array, Array]:
        """... (D, q) of each."""
        return _share(self.first, self.whole), _share(self.total, self.whole)


def rank_bases(x: Array) -> Array:
    """Legendre polynomials (D, n, p + 1) of the ranks of each coordinate of x (n, D)."""
    n = len(x)
    degree = int(min(DEGREE, max(n // LEAST_ROWS, 1)))
    ranks = np.argsort(np.argsort(x, axis=0, kind="stable"), axis=0, kind="stable")
    return np.stack([np.polynomial.legendre.legvander((2.0 * r + 1.0) / n - 1.0, degree) for r in ranks.T])


def variances(f: Array, moved: Array, bases: Array) -> Variances:
    """f (n, q) at the points, moved (D, n, q) at those whose coordinate i alone was drawn anew given the others.

    Total: Jansen's estimator (1999). First order: regression on the ranks of x_i, adjusted for the number of coefficients, from
    the same values (Plischke, Borgonovo and Smith 2013, given-data estimators). ``bases``: of ``rank_bases``, rows as f.
    """
    n = len(f)
    centred = f - f.mean(0)
    whole = np.square(centred).sum(0) / max(n - 1, 1)
    total = 0.5 * np.square(f[None] - moved).mean(1)
    first = np.empty_like(total)
    for i, basis in enumerate(bases):
        orthonormal = np.linalg.qr(basis)[0]
        left = np.square(centred - orthonormal @ (orthonormal.T @ centred)).sum(0) / max(n - basis.shape[1], 1)
        first[i] = whole - left
    return Variances(whole, first, total)


def _share(part: Array, whole: Array) -> Array:
    return np.clip(part / np.maximum(whole, 1e-300), 0.0, 1.0)
