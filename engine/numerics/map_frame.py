"""The coordinates in which runs are compared: the box's, finer where the successes crowd, coarser far away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CROWD = 6.0  # median deviations of the successes that become the unit, where that is less than half a side of the box
FINEST = 1e-12  # half sides of the box
REACH = 3.0  # times sqrt D: the radius beyond which distances are compressed to their logarithm


@dataclass(frozen=True)
class MapFrame:
    """``center``, ``scale`` (D,): of the box frame."""

    center: Array
    scale: Array

    @classmethod
    def of(cls, good: Array) -> MapFrame:
        """``good``: successes (n, D), in the box frame. Scales are powers of two, so that new runs seldom change them."""
        d = good.shape[1]
        if not len(good):
            return cls(np.zeros(d), np.ones(d))
        middle = np.median(good, axis=0)
        deviation = np.median(np.abs(good - middle), axis=0)
        scale = np.exp2(np.ceil(np.log2(np.clip(CROWD * deviation, FINEST, 1.0))))
        return cls(np.where(scale < 1.0, middle, 0.0), scale)

    def into(self, x: Array) -> Array:
        """x (m, D) in these coordinates."""
        z = (x - self.center) / self.scale
        reach = REACH * np.sqrt(x.shape[1])
        radius = np.maximum(np.sqrt(np.square(z).sum(1, keepdims=True)), reach)
        return np.asarray(z * (reach / radius) * (1.0 + np.log(radius / reach)))
