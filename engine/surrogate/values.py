"""The evaluations with the noise and the compression that BVBMC, VBMC and SVBMC give them, in inference space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.loop_interface import Tell
from bayescope.engine.surrogate.evaluations import NOISE_VARIANCE, Evaluations
from bayescope.engine.surrogate.levels import Levels
from bayescope.engine.surrogate.shaping import BOOSTED, compressed

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Values:
    """u (n, D), y (n,) true log joint, shaped (n,) the same with very low values compressed, noise variance (n,)."""

    u: Array
    y: Array
    shaped: Array
    noise: Array
    failed: Array  # (f, D) nothing is known there
    impossible: Array  # (i, D) the density is zero there
    levels: Levels | None = None  # None: the noise is negligible, each value is its own level

    @property
    def count(self) -> int:
        return int(self.y.shape[0])

    @property
    def top(self) -> float:
        return float(self.y.max()) if self.levels is None else self.levels.top

    @property
    def level(self) -> Array:
        """(n,) at most ``top``: what decides which values count, see ``levels``."""
        return self.y if self.levels is None else np.minimum(self.levels.value, self.top)

    @staticmethod
    def of(told: Sequence[Tell], dimension: int, *, shaped_noise: bool = True) -> Values:
        """A value whose noise is not known counts as a failure. ``shaped_noise``: more of it far below the top."""
        known = [t if math.isfinite(t.sd) else replace(t, y=None) for t in told]
        found = Evaluations.of(known, dimension, lambda u: u)
        y = found.y
        shaped = sum(compressed(y, dimension)) if len(y) else y
        drop = y.max() - y if len(y) else y
        own = BOOSTED.variance(drop, dimension) if shaped_noise else NOISE_VARIANCE
        noise = own + np.square(found.sd)
        return Values(found.points, y, np.asarray(shaped), noise, found.failed, found.impossible)
