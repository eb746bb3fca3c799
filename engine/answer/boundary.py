"""Densities beside a hard bound.

A plain kernel estimate loses half of its mass over the bound; one made in inference space has nothing where the draws run
out, and a Gaussian component falls off towards a bound however much mass lies there: all dip where the true density does not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def reflected(density: Callable[[Array], Array], distance: Array, width: float, nodes: int = 24) -> Array:
    """``density`` (n,) -> (n,) of the distance from a bound, smoothed at ``distance`` (m,) by a normal reflected at the bound."""
    z, weight = np.polynomial.hermite_e.hermegauss(nodes)
    at = np.abs(distance[:, None] + width * z)
    return np.asarray(density(at.ravel()).reshape(at.shape) @ (weight / weight.sum()))


def locally_linear(theta: Array, cells: Array, mass: Array, width: Array, lower: float, upper: float) -> Array:
    """Density at theta (m,) of masses (c,) at cells (c,), smoothed by a normal of widths (m,).

    The linear boundary kernel (a2 - a1 z) K(z) / (a0 a2 - a1^2), a_l the moments of the normal K within the bounds (Jones 1993,
    Statistics and Computing 3, 135, section 3.4), keeps the slope at a bound.
    """
    from scipy.special import ndtr

    z = (theta[:, None] - cells) / width[:, None]
    kernel = np.exp(-0.5 * z * z) * (mass / np.sqrt(2.0 * np.pi))
    low, high = (theta - upper) / width, (theta - lower) / width  # z of the two bounds; infinite where open
    a0 = ndtr(high) - ndtr(low)
    a1 = _normal(low) - _normal(high)
    a2 = a0 + _times_normal(low) - _times_normal(high)
    found = (a2 * kernel.sum(axis=1) - a1 * (z * kernel).sum(axis=1)) / (width * (a0 * a2 - a1 * a1))
    return np.asarray(np.maximum(found, 0.0))


def _normal(z: Array) -> Array:
    return np.asarray(np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi))


def _times_normal(z: Array) -> Array:
    return np.where(np.isfinite(z), z, 0.0) * _normal(z)


def with_marginals(density: Array, rows: Array, columns: Array, rounds: int = 4) -> Array:
    """``density`` (n, m) on an even grid, scaled row by row and column by column until its sums are in proportion to the
    densities ``rows`` (n,) and ``columns`` (m,) of the two parameters (iterative proportional fitting); its volume is kept.
    """
    total = float(density.sum())
    if not total > 0.0:
        return density
    for _ in range(rounds):
        for axis, wanted in ((1, rows), (0, columns)):
            now = density.sum(axis=axis)
            factor = np.divide(wanted, now, out=np.zeros_like(now), where=now > 0.0)
            density = density * np.expand_dims(factor, axis)
    left = float(density.sum())
    return density * (total / left) if left > 0.0 else density
