"""Design points around a mode that an ascent has found: one on each half-line along its own axes, where it should have fallen.

The surrogate takes the shape of a new mode from what it knows of the first one and is sure of it; draws from it then do not
reach the mass that it misses (mixtures in D = 5, 6: half of a second mode was lost with all checks passed).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..loop_interface import State
from ..sampling.guarded_density import Hull
from .probes import first_fall

Array = NDArray[np.float64]

DROP = 3.0  # nats below the mode, by the surrogate, at which a place is evaluated
REACH, STEPS = 3.0, 61  # box frame: how far out it is looked for, and points on the line
DIFFERENCE = 0.05  # box frame, of the second differences


@dataclass
class AxialDesign:
    """``done`` of the 2 D places around ``centre`` (D,), in the box frame, have been asked."""

    centre: Array
    done: int = 0

    @property
    def complete(self) -> bool:
        return self.done >= 2 * len(self.centre)

    def next_place(self, mean: Callable[[Array], Array], region: Hull) -> Array:
        """The next place (D,); mean: of the surrogate as it stands now, (n, D) -> (n,)."""
        axis, backwards = divmod(self.done, 2)
        direction = own_axes(mean, self.centre)[:, axis] * (-1.0 if backwards else 1.0)
        line = self.centre + np.linspace(0.0, REACH, STEPS)[:, None] * direction
        line = np.clip(line, np.minimum(region.lower, -2.0), np.maximum(region.upper, 2.0))
        self.done += 1
        return np.asarray(line[first_fall(mean(line), 0, DROP)], dtype=float)

    def to_state(self) -> State:
        return {"centre": self.centre.copy(), "done": self.done}

    @classmethod
    def of_state(cls, s: State) -> AxialDesign:
        return cls(np.array(s["centre"], dtype=float), int(s["done"]))


def own_axes(mean: Callable[[Array], Array], centre: Array) -> Array:
    """Columns (D, D): principal axes of the surrogate's curvature at ``centre``, the narrowest first."""
    d = len(centre)
    step = DIFFERENCE * np.eye(d)
    together, against = step[:, None] + step[None], step[:, None] - step[None]
    around = [s.reshape(-1, d) for s in (together, -together, against, -against)]
    value = mean(centre + np.concatenate(around)).reshape(4, d, d)
    return np.asarray(np.linalg.eigh(value[0] + value[1] - value[2] - value[3])[1], dtype=float)
