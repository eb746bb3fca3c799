"""Standardized residuals of the measured values and their tests, as stored with an answer, in plain words.

Made by ``surrogate.outputs.residuals``; the tests are those of ``numerics.residual_tests``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ...numerics.residual_tests import normal_places
from ...problem.numbers.shown_digits import spoken
from ...session.stored_arrays import Arrays, NotEmulated, arrays_of, part_of, read_arrays
from .judge import TESTS, of_any_test, surprising

Array = NDArray[np.float64]

PREFIX = "residuals."
RUNS, SHAPE = 0, 1  # columns of ``shares``
OUTLIERS = "A few outliers ask for Student t errors."
TOO_NEAR = 0.7  # root mean square of standardized residuals below which errors look too large, whatever their shape
OUTLYING = 2.0  # sds from which a residual is called an outlier: one in 20 is further off by chance


@dataclass(frozen=True)
class Residuals:
    """``z`` (L,): measured less predicted median, in standard deviations of the noise. ``low``, ``high`` (L,): of each output,
    where 90 % of its sorted residuals lie if the model holds. ``runs`` (outputs, 2): of one sign along the key, and how many are
    expected. ``shares`` (outputs, 2): p-values, of as few runs and of as crooked a normal plot; NaN where there are too few
    values. ``drawn`` (1,): how many data sets they are from."""

    z: Array
    low: Array
    high: Array
    runs: Array
    shares: Array
    drawn: Array

    @classmethod
    def of(cls, arrays: Arrays, cells: int, outputs: int) -> Self:
        """Raises NotEmulated."""
        shapes = {**dict.fromkeys(("z", "low", "high"), (cells,)), "runs": (outputs, 2), "shares": (outputs, 2), "drawn": (1,)}
        found = read_arrays(cls, arrays, PREFIX, shapes, ("low", "high", "runs", "shares"))
        if not found.drawn[0] >= 1.0 or ((found.shares < 0.0) | (found.shares > 1.0)).any():
            raise NotEmulated("the p-values are no shares")
        return found

    def part(self, cells: slice, output: int) -> Self:
        """Of one output."""
        return part_of(self, cells, output, ("runs", "shares"), ("drawn",))

    def arrays(self) -> dict[str, Array]:
        return arrays_of(self, PREFIX)

    def of_values(self, measured: NDArray[np.bool_]) -> Self:
        """Without cells (L,) that give a limit only: these have none, and are no part of what is sorted."""
        count = int(measured.sum())
        return self if measured.all() else replace(self, z=self.z[measured], low=self.low[:count], high=self.high[:count])

    # ---------------------------------------------------------------- of one output

    @property
    def tested(self) -> bool:
        return not bool(np.isnan(self.shares[0]).any())

    @property
    def long_runs(self) -> bool:
        """Whether residuals come in longer runs of one sign than chance gives."""
        return self.odd(RUNS)

    def odd(self, which: int, among: int = 1) -> bool:
        """Whether chance hardly gives what that test found, of so many outputs that are judged at once."""
        return surprising(float(self.shares[0, which]), among)

    @property
    def ordered(self) -> tuple[Array, Array]:
        """Places of a standard normal (L,) and the sorted residuals (L,)."""
        return normal_places(len(self.z)), np.sort(self.z)

    def surprises(self, off: bool = False, among: int = 1, cure: str = OUTLIERS) -> list[str]:
        """What chance would hardly give, sentences; ``off``: the program may be off already. ``among``: as ``odd``. ``cure``:
        what residuals of another shape ask for."""
        said = []
        if self.odd(RUNS, among):
            runs, expected = self.runs[0]
            why = "what it misses may change faster than the discrepancy can" if off else "the program may miss something"
            said.append(
                f"The residuals come in long runs of one sign, {runs:.0f} where about {expected:.0f} are expected (so few, with "
                f"neighbours so alike: {self.p_words(RUNS, among)}): {why}, or errors hang together."
            )
        if self.odd(SHAPE, among):
            worst = float(self.z[int(np.argmax(np.abs(self.z)))])
            rms = float(np.sqrt(np.mean(np.square(self.z))))
            if rms < TOO_NEAR and abs(worst) < OUTLYING:
                said.append(
                    f"The residuals are smaller than the errors you gave, {spoken(rms, 2)} of them in root mean square "
                    f"({self.p_words(SHAPE, among)}): are the errors too large, or a percentage?"
                )
            else:
                found = f"The residuals are not distributed as the noise is said to be ({self.p_words(SHAPE, among)})"
                said.append(f"{found}; the farthest is {worst:+.1f} standard deviations off. {cure}")
        return said

    def p_words(self, which: int, among: int = 1) -> str:
        """'p = 0.0040; up to 0.016 for any of 4 tests'."""
        least = 1.0 / (1.0 + float(self.drawn[0]))
        p = float(self.shares[0, which])
        known = p >= 1.5 * least
        any_of = of_any_test(p if known else 2.0 * least, among)
        said = f"p = {_p(p)}" if known else f"p < {spoken(2.0 * least, 1)}"
        tests = f"{TESTS * max(among, 1):,} tests"
        return f"{said}; up to {_p(any_of)} for any of {tests}" if any_of < 1.0 else f"{said}, one of {tests}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Of every test, what it found."""
        return self.sentences_among(1)

    def sentences_among(self, among: int) -> tuple[str, ...]:
        """The same of one of so many outputs that are judged at once."""
        if not self.tested:
            return ("Too few values to test the order and the shape of their residuals; how much they scatter is tested.",)
        runs, expected = self.runs[0]
        kept = (
            f"Runs of one sign, row after row: {runs:.0f}, where about {expected:.0f} are expected (so few with "
            f"neighbours so alike: {self.p_words(RUNS, among)})",
            f"Normal plot ({self.p_words(SHAPE, among)})",
        )
        good = ("as chance gives.", "as straight as chance gives.")
        bad = ("the residuals come in long runs of one sign.", "more crooked than chance gives.")
        return tuple(
            f"{words}: {bad[k] if self.odd(k, among) else good[k]}" for k, words in enumerate(kept)
        )


def _p(value: float) -> str:
    digits = max(2, 1 - math.floor(math.log10(max(value, 1e-9)))) if value < 0.1 else 2
    return f"{value:.{digits}f}"
