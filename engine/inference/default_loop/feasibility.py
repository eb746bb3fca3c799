"""Where the density is zero and where runs fail: a soft nearest-neighbour vote in the posterior's whitened coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from .frames import Whitening

Array = NDArray[np.float64]

SHARPNESS = 8.0


@dataclass(frozen=True)
class Feasibility:
    """Points in the box frame: good (n, D), impossible (i, D), failed (f, D)."""

    whitening: Whitening
    good: Array
    impossible: Array
    failed: Array

    def log_possible(self, b: Array) -> Array:
        """About 0 where the nearest evaluation had a density, very negative where it was impossible: (m,)."""
        return self._vote(b, self.impossible)

    def log_runs(self, b: Array) -> Array:
        """As ``log_possible``, counting failed runs too: for the acquisition, so that it does not ask there again."""
        return self.log_possible(b) + self._vote(b, self.failed)

    def _vote(self, b: Array, against: Array) -> Array:
        if len(against) == 0:
            return np.zeros(len(b))
        z = self.whitening.into(b)
        no = cKDTree(self.whitening.into(against)).query(z)[0]
        if len(self.good) == 0:
            return np.log(np.minimum(no, 1.0) + 1e-6)
        yes = cKDTree(self.whitening.into(self.good)).query(z)[0]
        ratio = SHARPNESS * (np.log(yes + 1e-12) - np.log(no + 1e-12))
        return -np.logaddexp(0.0, ratio)
