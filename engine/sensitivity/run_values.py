"""The log densities of the runs as functions are drawn that fit them, whatever method made them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..problem.transforms import ParameterSpace
from ..sampling.guarded_density import Hull
from ..surrogate.frames import BoxFrame
from ..surrogate.shaping import EXACT_VALUES, compressed
from .possible_functions import MOST_RUNS

Array = NDArray[np.float64]

FEWEST_PER_PARAMETER = 5  # runs with a value: fewer say next to nothing of what a parameter decides


@dataclass(frozen=True)
class RunValues:
    """``u`` (n, D) of inference space, log densities ``y`` (n,) in the user's units and the sds (n,) of their noise."""

    u: Array
    y: Array
    sds: Array
    box: BoxFrame

    @classmethod
    def of(cls, theta: Array, y: Array, sds: Array, space: ParameterSpace) -> Self | None:
        """Of runs at theta (n, D) in the user's units, values NaN or infinite where there are none; None: no box to judge by."""
        good = np.isfinite(y) & np.isfinite(theta).all(1) & np.isfinite(sds)
        try:
            return cls(space.to_inference(theta[good]), y[good], sds[good], BoxFrame.of(*space.plausible_box()))
        except ValueError:
            return None

    @property
    def few(self) -> bool:
        """Whether functions can be drawn: neither too many runs nor too few."""
        return FEWEST_PER_PARAMETER * int(self.u.shape[1]) <= len(self.y) <= MOST_RUNS

    @property
    def shaped(self) -> tuple[Array, Array, Array]:
        """Points, values and their variances as the recommended method gives them: how low exactly hardly counts."""
        below, top = compressed(self.y, self.u.shape[1])
        return self.u, below + top, EXACT_VALUES.variance(-below, self.u.shape[1]) + np.square(self.sds)

    def trusted(self, u: Array) -> Array:
        """(m,) 0 where the runs tell of the density, -inf elsewhere."""
        hull = Hull.of(self.box.into(self.u), self.y.max() - self.y)
        return np.where(hull.contains(self.box.into(u)), 0.0, -np.inf)
