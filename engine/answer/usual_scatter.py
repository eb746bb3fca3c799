"""By how much the values of one run scatter about what is learnt of the outputs from all runs, as stored with an answer.

Two runs of such a program differ by chance: one of them alone says little of how well the program fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..problem.definition import Predictions, Problem
from .digits import rough

Array = NDArray[np.float64]
MOST_NAMED = 3  # comparisons in a sentence
SIZE, ERROR, LEFT = "scatter.size", "scatter.error", "scatter.left"  # names of the arrays
WIDENS = 0.5  # of the measurement's error, what is left unknown, from which on intervals are an eighth wider


@dataclass(frozen=True)
class UsualScatter:
    """``size``, ``error`` (outputs,) of each comparison: root mean squares over its measured values of the scatter of one run and
    of the measurement's error, in the data's unit. ``left`` (outputs,): what all runs leave unknown of the averages, over the
    posterior; none in files of earlier versions."""

    size: Array
    error: Array
    left: Array | None = None

    @classmethod
    def over(cls, size: Array, error: Array, outputs: Sequence[slice], left: Array | None = None) -> Self:
        """From those of each measured value (L,)."""
        means = [
            None if a is None else np.array([float(np.sqrt(np.mean(np.square(a[cells])))) for cells in outputs])
            for a in (size, error, left)
        ]
        assert means[0] is not None
        assert means[1] is not None
        return cls(means[0], means[1], means[2])

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self | None:
        """None where nothing is stored, or what is makes no sense: a file may come from a stranger."""
        size, error = (np.asarray(stored.get(name, ()), dtype=float) for name in (SIZE, ERROR))
        if size.ndim != 1 or size.shape != error.shape or not len(size):
            return None
        sound = bool(np.isfinite([size, error]).all() and (size > 0.0).all() and (error > 0.0).all())
        left = np.asarray(stored.get(LEFT, ()), dtype=float)
        told = left.shape == size.shape and bool(np.isfinite(left).all() and (left >= 0.0).all())
        return cls(size, error, left if told else None) if sound else None

    def arrays(self) -> dict[str, Array]:
        return {SIZE: self.size, ERROR: self.error} | ({} if self.left is None else {LEFT: self.left})

    def widening(self, names: Sequence[str], runs: int) -> str:
        """That scatter which ``runs`` have not averaged out makes the answer wider, and what narrows it, sentences; "": it hardly
        does. ``names`` of the comparisons."""
        if self.left is None:
            return ""
        k = int(np.argmax(self.left / self.error))
        share = float(self.left[k] / self.error[k])
        if share < WIDENS:
            return ""
        of = f" of “{names[k]}”" if len(names) == len(self.left) > 1 else ""
        wider = rough(100.0 * (np.sqrt(1.0 + share**2) - 1.0))
        known, error = rough(float(self.left[k])), rough(float(self.error[k]))
        return (
            f"The program's own scatter widens this answer: from {runs} runs its averages{of} are known to ±{known} only, beside "
            f"an error of {error} of what was measured; both together are {wider} % wider than that alone. Four times as many "
            "runs, or averages four times as long inside the program (more steps, more samples), would halve the first."
        )

    def relative(self, k: int) -> float:
        """Of comparison k, the scatter of one run in units of the measurement's error."""
        return float(self.size[k] / self.error[k])

    @property
    def whole(self) -> float:
        """In units of the measurement's error, the largest of the comparisons."""
        return float((self.size / self.error).max())

    def largest(self, names: Sequence[str], least: float) -> str:
        """Those that scatter by ``least`` of the measurement's error or more, the largest first; ``names`` of all comparisons."""
        order = [int(k) for k in np.argsort(-self.size / self.error, kind="stable") if self.relative(int(k)) >= least]
        told = [f"“{names[k]}” by {rough(self.relative(k))}" for k in order[:MOST_NAMED]]
        more = f", {len(order) - MOST_NAMED} more by less" if len(order) > MOST_NAMED else ""
        which = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
        size, error = float(self.size[order[0]]), float(self.error[order[0]])
        sizes = f" ({rough(size)}; the error is {rough(error)})" if len(order) == 1 else ""
        return f"{which} of the measurement's error{more}{sizes}"

    def words(self, names: Sequence[str]) -> str:
        """A sentence or more; ``names`` of the comparisons, where there are several."""
        each = list(zip(self.size.tolist(), self.error.tolist(), strict=True))
        if len(names) != len(each):
            names = [f"comparison {k}" for k in range(1, len(each) + 1)]
        of = [""] if len(each) == 1 else [f" of “{name}”" for name in names]
        said = [
            f"a value{what} scatters by {rough(size)}, the measurement's error is {rough(error)}"
            for what, (size, error) in zip(of, each, strict=True)
        ]
        return f"By all runs {'; '.join(said)}."


def scatter_words(problem: Problem, stored: Mapping[str, Any]) -> str:
    """By all runs there are; "" where outputs do not scatter, or it is not known."""
    found = UsualScatter.of(stored)
    if found is None or not isinstance(problem.meaning, Predictions):
        return ""
    return found.words([m.column for m in problem.meaning.matches])
