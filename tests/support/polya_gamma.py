"""Draws of Polya-Gamma variables, for Gibbs sampling as an oracle."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def polya_gamma(c: Array, rng: np.random.Generator, terms: int = 60, count: Array | int = 1) -> Array:
    """Of PG(count, c), shapes (n,), from its defining sum of gamma variables (Polson, Scott and Windle 2013 eq. 2)."""
    k = np.arange(1, terms + 1) - 0.5
    scale = k**2 + np.square(c / (2 * np.pi))[:, None]
    shape = np.broadcast_to(np.asarray(count, dtype=float)[..., None], scale.shape)
    return np.asarray((rng.standard_gamma(shape) / scale).sum(1) / (2 * np.pi**2))
