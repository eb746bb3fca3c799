"""What the program would return at any parameter values, from learnt outputs that are stored with an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...problem.checks.program_inputs import seen_by_program, smooth_inputs
from ...problem.definition import Problem
from ...problem.transforms import ParameterSpace
from ...session.stored_arrays import Arrays, NotEmulated
from .emulated import LightEmulator
from .learnt_runs import LearntOutput, RunsMade
from .off_runs import OffRuns, cells_of
from .predictive import Predicted, emulated

Array = NDArray[np.float64]

NO_NOISE = 0.01  # of the largest noise of an output: a rare count can have none


@dataclass(frozen=True)
class Curve:
    """One output at the measured points (m,): low end, middle and high end of what the emulator thinks possible (90 %).

    ``known``: whether runs were made near enough; else the band is wide, and the curve is no more than a guess.
    ``misfit``: root mean square distance from the data, in standard deviations of the noise; NaN without data.
    """

    low: Array
    middle: Array
    high: Array
    misfit: float
    known: bool = True


@dataclass(frozen=True)
class WhatIf:
    """``seen``: the parameters that the program sees, as columns of points of inference space."""

    space: ParameterSpace
    seen: tuple[int, ...]
    outputs: list[Predicted]
    emulator: LightEmulator
    tested: OffRuns | None = None  # how far from the runs it may be believed
    others: tuple[LearntOutput | None, ...] = ()  # outputs that are compared with nothing; None: not learnt

    @classmethod
    def of(
        cls, problem: Problem, space: ParameterSpace, arrays: Arrays, runs: RunsMade | None = None,
        others: Sequence[LearntOutput | None] = (),
    ) -> WhatIf | None:  # fmt: skip
        """From the arrays of an answer; None where outputs were not learnt. ``runs``: they tell its errors."""
        outputs, seen = emulated(problem, arrays), seen_by_program(problem, space)
        try:
            emulator = LightEmulator.of(arrays, len(seen), sum(len(p.x) for p in outputs))
        except NotEmulated:
            return None
        found = cls(space, seen, outputs, emulator, None, tuple(others))
        return found if runs is None else replace(found, tested=found._tested(problem, runs))

    def _tested(self, problem: Problem, runs: RunsMade) -> OffRuns | None:
        cells = cells_of(problem, runs.outputs)
        rows = [k for k, i in enumerate(runs.indices) if i in cells]
        if not rows:
            return None
        with np.errstate(all="ignore"):  # a file may hold absurd numbers
            inputs = smooth_inputs(self.space, self.seen, self.space.to_inference(runs.theta[rows]))
            units = np.concatenate([_units(p) for p in self.outputs])
            try:
                return OffRuns.of(self.emulator, units, self._parts, inputs, np.array([cells[runs.indices[k]] for k in rows]))
            except (ValueError, np.linalg.LinAlgError):
                return None

    @property
    def _parts(self) -> tuple[slice, ...]:
        """The cells of each output."""
        ends = np.cumsum([0, *(len(p.x) for p in self.outputs)])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    def at(self, u: Array) -> list[Curve]:
        """Every output at one point (D,) of inference space, then the others: of those not learnt a curve without places."""
        x = smooth_inputs(self.space, self.seen, u[None])
        low, middle, high = (a[0] for a in self.emulator.band(x))
        known, at = True, (x[0] - self.emulator.centre) / self.emulator.width
        if self.tested is not None:
            least, known = self.tested.at(at, middle)
            low, high = middle - np.hypot(middle - low, least), middle + np.hypot(high - middle, least)
        found = []
        for p, cells in zip(self.outputs, self._parts, strict=True):
            z = (middle[cells] - p.measured) / _units(p)
            kept = p.limited & (p.sides * z > 0.0) if p.limited.any() else np.zeros(len(z), dtype=bool)  # its side of a limit
            misfit = float(np.sqrt(np.mean(np.square(np.where(kept, 0.0, z)))))
            found.append(Curve(low[cells], middle[cells], high[cells], misfit, known))
        nothing = (np.empty(0),) * 3
        return [*found, *(Curve(*(nothing if o is None else o.band_at(at)), np.nan, known) for o in self.others)]


def _units(p: Predicted) -> Array:
    """Sizes (m,) of the noise."""
    assert p.bands is not None
    return np.maximum(p.bands.noise, max(NO_NOISE * float(p.bands.noise.max()), np.finfo(float).tiny))
