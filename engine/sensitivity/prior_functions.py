"""Functions drawn from the prior of a Gaussian process: random Fourier features (seed 002 appendix A) of its radial part and,
exactly, its linear and quadratic parts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Array = NDArray[np.float64]

AT_ONCE = 512  # points: their waves, in single precision, stay in the processor's cache
MATERN_DOF = 5  # of the Student-t spectral density of Matern 5/2


@dataclass(frozen=True)
class PriorFunctions:
    """F of them: coefficients ``radial`` (2 M, F) of a cosine and a sine of each of ``frequencies`` (M, d), ``linear`` (1 + d, F)
    and ``square`` (d^2, F)."""

    frequencies: Array
    radial: Array
    linear: Array
    square: Array

    def at(self, here: Array) -> Array:
        """(m, F) at standardized inputs (m, d)."""
        turns = (here @ self.frequencies.T).astype(np.float32)
        waves = np.concatenate([np.cos(turns), np.sin(turns)], axis=1) @ self.radial.astype(np.float32)
        one = np.concatenate([np.ones((len(here), 1)), here], axis=1)
        two = (here[:, :, None] * here[:, None, :]).reshape(len(here), -1)
        return np.asarray(waves + one @ self.linear + two @ self.square)


def rough_spread(uniform: Array) -> Array:
    """By what normal frequencies, of the squared exponential, are multiplied for Matern 5/2; ``uniform`` draws, same shape."""
    return np.asarray(np.sqrt(MATERN_DOF / (2.0 * special.gammaincinv(MATERN_DOF / 2.0, uniform))))
