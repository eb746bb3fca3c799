"""How sharply a log density falls about a place, measured over a good part of its own width and never over less.

Second differences over small steps see the ripples of a kernel or of a mixture, and those over steps along the coordinates miss
the long directions of correlated parameters: the steps are taken in a frame in which the density is about as wide in every
direction, and the frame is made from the curvature found until both agree. Differences over two lengths are combined so that
fourth derivatives cancel (Richardson's extrapolation; Abramowitz and Stegun 25.3.23).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .linear_algebra import stable_factors

Array = NDArray[np.float64]
Density = Callable[[Array], Array]  # (m, D) -> (m,)

SHORT, LONG = 1.0, 2.0  # sds of the normal found, from the place: ends of the two differences
ROUNDS = 8  # of frame and measurement
WEAKEST, STRONGEST = 0.5, 2.0  # curvature in the frame between which it is wide enough, and not too wide
LEAST = 0.1  # curvature without what is of fourth order, in the same frame: below, too little is left of it
STEEPEST = 1e100  # beyond, eigenvalues of matrices that hold such numbers are not found
LARGEST_CHANGE = 16.0  # of a curvature in one round: four times as wide or narrow


@dataclass(frozen=True)
class Curvature:
    """``root`` (D, D): columns along which the density falls by half a nat, so that root root^T is the covariance of the normal
    as sharp as the density at ``place`` (D,)."""

    place: Array
    root: Array

    @property
    def covariance(self) -> Array:
        return np.asarray(self.root @ self.root.T)

    @property
    def sds(self) -> Array:
        """(D,) of the normal."""
        return np.asarray(np.sqrt(np.square(self.root).sum(axis=1)))

    def stencils(self) -> tuple[Array, Array]:
        """Points (D, 5, D) and weights (5,): how much the sd of each coordinate grows, relative to itself, is the weighted sum
        over its points of what is added to the density.

        To first order d sd / sd = - v^T dP v / 2 with v = C e_i / sd_i, for a precision P = C^-1 that changes by dP.
        """
        along = self.covariance / self.sds  # its columns
        steps = np.array([-LONG, -SHORT, 0.0, SHORT, LONG])
        share, rest = _shares()
        outer, inner = rest / LONG**2, share / SHORT**2
        weights = 0.5 * np.array([outer, inner, -2.0 * (outer + inner), inner, outer])
        return self.place + steps[None, :, None] * along.T[:, None, :], weights


def second_derivatives(density: Density, place: Array, steps: Array) -> Array:
    """(D, D) in units of the columns of ``steps`` (D, D): by differences over half of each to either side of ``place`` (D,).

    Not finite values count as no curvature.
    """
    d = len(place)
    rows, columns = np.triu_indices(d)
    e = 0.5 * steps.T
    one, other = np.array([1.0, 1.0, -1.0, -1.0]), np.array([1.0, -1.0, 1.0, -1.0])
    corners = place + one[:, None] * e[rows][:, None] + other[:, None] * e[columns][:, None]
    value = density(corners.reshape(-1, d)).reshape(-1, 4)
    with np.errstate(invalid="ignore"):
        second = value[:, 0] - value[:, 1] - value[:, 2] + value[:, 3]
    found = np.zeros((d, d))
    second = np.clip(np.where(np.isfinite(second), second, 0.0), -STEEPEST, STEEPEST)
    found[rows, columns] = found[columns, rows] = second
    return found


def _shares() -> tuple[float, float]:
    """Of the short and of the long difference."""
    rest = -(SHORT**2) / (LONG**2 - SHORT**2)
    return 1.0 - rest, rest


def curvature_at(density: Density, place: Array, root: Array) -> Curvature | None:
    """``root`` (D, D): of a covariance about as wide as the density, to begin with. None: the density does not fall away from
    the place along some direction, as far as it was followed."""
    root = np.asarray(root, dtype=float)
    for _ in range(ROUNDS):
        share, rest = _shares()
        short, long = (-second_derivatives(density, place, s * root) / s**2 for s in (SHORT, LONG))
        size, axes = np.linalg.eigh(short)
        if size.min() > WEAKEST and size.max() < STRONGEST:
            return _normal(place, root, share * short + rest * long, short)
        size = np.clip(size, 1.0 / LARGEST_CHANGE, LARGEST_CHANGE)
        root = root @ axes / np.sqrt(size)
    return None


def _normal(place: Array, root: Array, bend: Array, plain: Array) -> Curvature:
    """``bend`` (D, D): minus the second derivatives along the columns of ``root``; ``plain``: as good as can be had without."""
    if np.linalg.eigh(bend)[0][0] < LEAST:
        bend = plain
    size, axes = np.linalg.eigh(bend)
    return Curvature(place, stable_factors(root @ (axes / size) @ axes.T @ root.T))
