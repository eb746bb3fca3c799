"""Quadratic functions of a place by their monomials, 1, z_i, z_i z_j for i <= j, and thin sheets about where one is zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def monomials(z: Array) -> Array:
    """(n, P) at z (n, D), P = (D + 1) (D + 2) / 2."""
    i, j = np.triu_indices(z.shape[1])
    return np.column_stack([np.ones(len(z)), z, z[:, i] * z[:, j]])


def slopes(z: Array) -> Array:
    """(D, n, P): the derivatives of the monomials in each coordinate at z (n, D)."""
    n, d = z.shape
    i, j = np.triu_indices(d)
    found = np.zeros((d, n, 1 + d + len(i)))
    for k in range(d):
        found[k, :, 1 + k] = 1.0
        found[k, :, 1 + d :] = z[:, j] * (i == k) + z[:, i] * (j == k)
    return found


def sheet_log_odds(coefficients: Array, half: Array, features: Array, derivatives: Array, sharp: float) -> Array:
    """(N, n) log odds of lying outside of sheets, sharp (distance / half - 1): functions with coefficients (N, P), half
    thicknesses ``half`` (N,); features (n, P) and derivatives (D, n, P) of monomials. The distance from where q is zero is, to
    first order, |q| / |grad q| (Sampson 1982)."""
    square = np.full((len(coefficients), len(features)), np.finfo(float).tiny)
    for derivative in derivatives:  # in place: as large as the caches, each array made anew costs as much as what is done with it
        slope = coefficients @ derivative.T
        square += np.square(slope, out=slope)
    found = coefficients @ features.T
    np.abs(found, out=found)
    found /= np.sqrt(square, out=square)
    found *= sharp / half[:, None]
    found -= sharp
    return np.asarray(found)
