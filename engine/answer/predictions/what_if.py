"""What the program would return at any parameter values, from learnt outputs that are stored with an answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...problem.checks.program_inputs import seen_by_program, smooth_inputs
from ...problem.definition import Problem
from ...problem.transforms import ParameterSpace
from ...session.stored_arrays import Arrays, NotEmulated
from .emulated import LightEmulator
from .predictive import Predicted, emulated

Array = NDArray[np.float64]

NO_NOISE = 0.01  # of the largest noise of an output: a rare count can have none


@dataclass(frozen=True)
class Curve:
    """One output at the measured points (m,): low end, middle and high end of what the emulator thinks possible (90 %).

    ``misfit``: root mean square distance from the data, in standard deviations of the noise.
    """

    low: Array
    middle: Array
    high: Array
    misfit: float


@dataclass(frozen=True)
class WhatIf:
    """``seen``: the parameters that the program sees, as columns of points of inference space."""

    space: ParameterSpace
    seen: tuple[int, ...]
    outputs: list[Predicted]
    emulator: LightEmulator

    @classmethod
    def of(cls, problem: Problem, space: ParameterSpace, arrays: Arrays) -> WhatIf | None:
        """From the arrays of an answer; None where outputs were not learnt."""
        outputs, seen = emulated(problem, arrays), seen_by_program(problem, space)
        try:
            return cls(space, seen, outputs, LightEmulator.of(arrays, len(seen), sum(len(p.x) for p in outputs)))
        except NotEmulated:
            return None

    def at(self, u: Array) -> list[Curve]:
        """Every output at one point (D,) of inference space."""
        low, middle, high = (a[0] for a in self.emulator.band(smooth_inputs(self.space, self.seen, u[None])))
        found, first = [], 0
        for p in self.outputs:
            cells, first = slice(first, first + len(p.x)), first + len(p.x)
            assert p.bands is not None
            least = max(NO_NOISE * float(p.bands.noise.max()), np.finfo(float).tiny)
            away = (middle[cells] - p.measured) / np.maximum(p.bands.noise, least)
            found.append(Curve(low[cells], middle[cells], high[cells], float(np.sqrt(np.mean(np.square(away))))))
        return found
