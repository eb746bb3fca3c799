"""The level of an evaluation: its value with the noise smoothed out, by a local linear regression on its neighbours.

What decides which evaluations count must not be the noise: of thousands of values with an sd of 5 the best is 17 nats too
high, and those that were lucky would be believed more than those that were not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from bayescope.engine.numerics.linear_algebra import stable_factors

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

NEGLIGIBLE_SD = 0.3  # nats: noise that decides nothing; such a value is its own level
WANTED_SD = 1.0  # nats, of a level
MOST_NEIGHBOURS = 200
SLOPE_SD = 20.0  # nats per spread of the better half: the prior of a slope, for neighbours on a line or too few of them
SURE_OF_TOP = 2.0  # sds below which a level counts for the highest one: the maximum of many is not lucky
AT_ONCE = 4_096  # points whose neighbours are in memory together


@dataclass(frozen=True)
class Levels:
    """value (n,) nats, sd (n,) of it: 0 where the noise is negligible."""

    value: Array
    sd: Array

    @property
    def top(self) -> float:
        """The highest level that is surely reached."""
        return float((self.value - SURE_OF_TOP * self.sd).max())

    def where(self, rows: Array | slice | NDArray[np.bool_]) -> Levels:
        return Levels(self.value[rows], self.sd[rows])

    def then(self, more: Levels) -> Levels:
        return Levels(np.concatenate([self.value, more.value]), np.concatenate([self.sd, more.sd]))


def levels(u: Array, y: Array, noise: Array, start: int = 0) -> Levels:
    """Of the evaluations u (n, D), y (n,) with noise variance (n,), those from index ``start`` on, by all of them.

    Local linear least squares in coordinates whitened by the better half, weights 1 / noise variance, as many neighbours as
    bring the sd of the level to about ``WANTED_SD``.
    """
    sd = np.sqrt(noise[start:])
    found = Levels(y[start:].copy(), np.zeros(len(sd)))
    noisy = np.flatnonzero(sd > NEGLIGIBLE_SD)
    if len(noisy) == 0:
        return found
    d = u.shape[1]
    better = u[y >= np.median(y)]
    spread = np.cov(better.T).reshape(d, d) if len(better) > 1 else np.eye(d)
    spread += (1e-9 * np.trace(spread) / d + 1e-300) * np.eye(d)
    x = np.linalg.solve(stable_factors(spread), (u - better.mean(axis=0)).T).T
    tree, weight = cKDTree(x), 1.0 / np.maximum(noise, NEGLIGIBLE_SD**2)
    wanted = np.ceil(np.square(sd[noisy] / WANTED_SD)) + 2 * (d + 1)
    wanted = np.minimum(wanted, min(MOST_NEIGHBOURS, len(x))).astype(int)
    for part in np.array_split(np.argsort(wanted, kind="stable"), -(-len(noisy) // AT_ONCE)):
        rows = noisy[part]
        found.value[rows], found.sd[rows] = _regressed(tree, x, y, weight, start + rows, wanted[part])
    return found


def _regressed(tree: cKDTree, x: Array, y: Array, weight: Array, rows: Indices, count: Indices) -> tuple[Array, Array]:
    """Value and sd at x[rows], each by its ``count`` nearest."""
    most = int(count.max())
    near = tree.query(x[rows], k=most)[1].reshape(len(rows), most)
    w = np.where(np.arange(most) < count[:, None], weight[near], 0.0)
    design = np.concatenate([np.ones((*near.shape, 1)), x[near] - x[rows][:, None]], axis=2)
    precision = np.einsum("nk,nki,nkj->nij", w, design, design, optimize=True)
    slopes = np.arange(1, design.shape[2])
    precision[:, slopes, slopes] += SLOPE_SD**-2
    # Relative to the mean of the neighbours, so that large log densities lose no digits and a slope's prior pulls to nothing.
    middle = (w * y[near]).sum(axis=1) / w.sum(axis=1)
    right = np.einsum("nk,nki->ni", w * (y[near] - middle[:, None]), design)
    first = np.zeros(right.shape)
    first[:, 0] = 1.0
    row = np.linalg.solve(precision, first[:, :, None])[:, :, 0]
    return middle + (row * right).sum(axis=1), np.sqrt(np.maximum(row[:, 0], 0.0))
