"""What the program misses, as it is stored with an answer: the posterior of the discrepancy over the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...problem.numbers.shown_digits import spoken
from ...session.stored_arrays import Arrays, arrays_of, part_of, read_arrays

Array = NDArray[np.float64]

PREFIX = "missed."


@dataclass(frozen=True)
class Missed:
    """At each of L cells: 90 % band and median of the discrepancy, and of program and discrepancy together.

    ``size`` (outputs, 3): its root mean square over the cells of an output, low end, median, high end of 90 %; NaN where an
    output has none (the discrepancy then is 0).
    """

    low: Array
    middle: Array
    high: Array
    whole_low: Array
    whole_middle: Array
    whole_high: Array
    size: Array

    @classmethod
    def of(cls, arrays: Arrays, cells: int, outputs: int) -> Self:
        """Raises NotEmulated."""
        lines = ("low", "middle", "high", "whole_low", "whole_middle", "whole_high")
        return read_arrays(cls, arrays, PREFIX, {**dict.fromkeys(lines, (cells,)), "size": (outputs, 3)}, ("size",))

    def part(self, cells: slice, output: int) -> Self | None:
        """Of one output; None where its program is right."""
        if np.isnan(self.size[output]).any():
            return None
        return part_of(self, cells, output, ("size",))

    def arrays(self) -> dict[str, Array]:
        return arrays_of(self, PREFIX)

    @property
    def words(self) -> str:
        """Of one output."""
        low, middle, high = (float(v) for v in self.size[0])
        here = np.sign(self.low) == np.sign(self.high)
        found = f"The program is off by about {_two(middle)} (90 %: {_two(low)} to {_two(high)})"
        if not here.any():
            return f"{found}; nowhere is it certain in which direction."
        return f"{found}; at {here.sum()} of {len(here)} points it is certain (95 %) in which direction."


def _two(value: float) -> str:
    return spoken(value, 2)
