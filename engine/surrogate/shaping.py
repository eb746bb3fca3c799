"""How very low values count: compressed (RECIPE 3), and with artificial noise (seed 001 section 3.5, B.3, eq S17).

How low exactly a place is that holds no mass need not be known; fitted exactly, drops of hundreds of nats decide the
hyperparameters, and the posterior is off by the misfit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

COMPRESSED_BEYOND = 40.0  # nats per dimension below the top (RECIPE 3)


@dataclass(frozen=True)
class NoiseShaping:
    """sd that grows with the drop: from ``smallest`` to ``medium`` variance at ``threshold``, then by ``slope`` per nat."""

    threshold: float  # nats per dimension below the top
    slope: float
    smallest: float = 0.0
    medium: float = 0.0

    def variance(self, drop: Array, dimension: int) -> Array:
        """(n,) to add to the noise of values ``drop`` (n,) nats below the top."""
        edge = self.threshold * dimension
        beyond = np.square(self.slope * np.maximum(drop - edge, 0.0))
        if self.smallest == 0.0:
            return np.asarray(beyond)
        growth = np.minimum(drop / edge, 1.0) if edge > 0.0 else np.ones_like(drop)
        return np.asarray(self.smallest * (self.medium / self.smallest) ** growth + beyond)


EXACT_VALUES = NoiseShaping(5.0, 0.2)  # the default loop; steeper than published (measured: Lotka-Volterra 8-D)
BOOSTED = NoiseShaping(10.0, 0.05, 1e-5, 0.1)  # BVBMC and VBMC: cliffs far below must not bend the surrogate near the top
PUBLISHED = NoiseShaping(10.0, 0.05, 1e-3, 1.0)  # seed 001 B.3


def compressed(y: Array, dimension: int) -> tuple[Array, float]:
    """(shaped y - ymax (n,), ymax). Drops below B = 40 D grow only logarithmically (RECIPE 3)."""
    top = float(y.max())
    limit = COMPRESSED_BEYOND * dimension
    drop = top - y
    far = drop > limit
    shaped = drop.copy()
    shaped[far] = limit * (1.0 + np.log(drop[far] / limit))
    return -shaped, top
