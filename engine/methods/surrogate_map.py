"""Where runs fail and where the density is zero, as the published loops know it: the map of every loop, of their values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bayescope.engine.feasibility.classifier import Feasibility
from bayescope.engine.surrogate.frames import BoxFrame, Whitening
from bayescope.engine.surrogate.values import Values
from bayescope.engine.variational.whitening import Frame

Array = NDArray[np.float64]

MOST_MAPPED = 1000  # good runs, the best, that the map is made of: archives have many more


class MapOfRuns:
    """Between the plausible ``lower`` (D,) and ``upper`` (D,); made once of the same values."""

    def __init__(self, lower: Array, upper: Array) -> None:
        self.box = BoxFrame.of(lower, upper)
        self._made: tuple[Values, Feasibility] | None = None

    def of(self, values: Values) -> Feasibility:
        if self._made is None or self._made[0] is not values:
            best = values.u[np.argsort(-values.level, kind="stable")[:MOST_MAPPED]]
            tried = self.box.into(best), self.box.into(values.impossible), self.box.into(values.failed)
            self._made = values, Feasibility(Whitening.none(values.u.shape[1]), *tried)
        return self._made[1]

    def worth_a_look(self, values: Values, frame: Frame, x: Array) -> Array:
        """Those of x (n, D), in the coordinates of ``frame``, at which a run may give a value; all where none may."""
        may = self.of(values).may_give_value(self.box.into(frame.back(x)))
        return x[may] if may.any() else x

    def log_possible(self, values: Values, frame: Frame) -> Callable[[Array], Array] | None:
        """log probability (n,) that the density at x (n, D), in the coordinates of ``frame``, is not zero; None: it never was."""
        if not len(values.impossible):
            return None
        runs = self.of(values)
        return lambda x: runs.log_possible(self.box.into(frame.back(x)))
