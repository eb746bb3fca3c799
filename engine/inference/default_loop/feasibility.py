"""Where the density is zero and where runs fail: a soft nearest-neighbour vote in the posterior's whitened coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from .frames import Whitening

Array = NDArray[np.float64]

SHARPNESS = 8.0
EDGE_SHIFT = np.log(1.5)  # moves the edge by a tenth of the gap between its two nearest evaluations


@dataclass(frozen=True)
class Feasibility:
    """Points in the box frame: good (n, D), impossible (i, D), failed (f, D)."""

    whitening: Whitening
    good: Array
    impossible: Array
    failed: Array

    def log_possible(self, b: Array) -> Array:
        """About 0 where the nearest evaluation had a density, very negative where it was impossible: (m,)."""
        return _log_share(self._log_ratio(b, self.impossible))

    def log_runs(self, b: Array) -> Array:
        """As ``log_possible`` for failed runs: for the acquisition, so that it does not ask there again."""
        return _log_share(self._log_ratio(b, self.failed))

    def doubt(self, b: Array) -> Array:
        """p (1 - p) of being possible: largest half way between a possible and an impossible evaluation (m,)."""
        p = np.exp(self.log_possible(b))
        return np.asarray(p * (1.0 - p))

    def evidence_sd(self, b: Array, log_weights: Array) -> float:
        """sd of log Z from not knowing where the impossible region begins: its edge moved some way to either side.

        b (n, D): draws with log weights that include ``log_possible``.
        """
        if len(self.impossible) == 0:
            return 0.0
        ratio = self._log_ratio(b, self.impossible)
        raw = log_weights - np.maximum(_log_share(ratio), -30.0)
        shifts = [np.exp(raw - raw.max()) @ np.exp(_log_share(ratio + s)) for s in (-EDGE_SHIFT, EDGE_SHIFT)]
        return 0.5 * float(np.log(shifts[0] + 1e-300) - np.log(shifts[1] + 1e-300))

    def _log_ratio(self, b: Array, against: Array) -> Array:
        """log of (distance to the nearest good evaluation / distance to the nearest one in ``against``)."""
        if len(against) == 0:
            return np.full(len(b), -np.inf)
        z = self.whitening.into(b)
        no = cKDTree(self.whitening.into(against)).query(z)[0]
        yes = cKDTree(self.whitening.into(self.good)).query(z)[0] if len(self.good) else np.ones(len(b))
        return np.asarray(np.log(yes + 1e-12) - np.log(no + 1e-12))


def _log_share(log_ratio: Array) -> Array:
    return -np.logaddexp(0.0, SHARPNESS * log_ratio)
