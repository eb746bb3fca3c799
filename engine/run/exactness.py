"""Whether a program that is declared as exact gives the same twice: found out before any of its values is believed.

The first point that gives a value is run a second time, and every value waits until both runs agree; then all count, the first
one too. A program that differs has no evaluation recorded, so its declaration can still be changed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ..problem.check_random import ways_out
from ..problem.definition import Predictions, Problem

if TYPE_CHECKING:  # ``infer`` needs no simulators
    from ..session.records import AskRecord, EvaluationRecord
    from ..simulator.run_result import RunResult

AGAIN = -1  # index of the second run: it is no evaluation
MOST_SECOND_RUNS = 2  # one more where the first of them failed
HARMLESS = 3e-3  # nats: the methods take exact values for known to within about this (surrogate/evaluations.py)
ROUNDING = 1e-11  # of the log-likelihood: what sums in another order may differ by


@dataclass(frozen=True)
class Finished:
    """A run that gave a value which is not believed yet."""

    ask: AskRecord
    result: RunResult
    record: EvaluationRecord


@dataclass
class Exactness:
    """``outstanding``: the program has not been seen to be exact yet; ``refused``: it is random. ``waiting``: what finished
    meanwhile, in order."""

    outstanding: bool = False
    refused: bool = False
    waiting: list[Finished] = field(default_factory=list)
    second_runs: int = 0
    first: EvaluationRecord | None = None  # what the second run is compared with

    def holds(self, record: EvaluationRecord) -> bool:
        """Whether this outcome has to wait. Only values can be believed wrongly."""
        return self.outstanding and record.outcome == "ok"

    def release(self, checked: bool) -> list[Finished]:
        """All that has waited. ``checked`` False: it has to be found out another time."""
        found, self.waiting, self.first = self.waiting, [], None
        self.outstanding = self.outstanding and not checked
        return found


def disagreement(problem: Problem, first: EvaluationRecord, second: RunResult) -> str | None:
    """Why a second run shows that the program is random, and what to do, in sentences; "": they agree; None: it has no value."""
    a, b = (_value(problem, first.values, outputs) for outputs in (first.outputs, second.outputs))
    if a is None or b is None:
        return None
    if same_value(a, b):
        return ""
    digits = 6 if abs(a - b) > 1e-4 * abs(a) else 12
    what = "its predictions are" if isinstance(problem.meaning, Predictions) else "its value is"
    return (
        f"The program is random: two runs at the same values gave the log-likelihoods {a:.{digits}g} and {b:.{digits}g}. But "
        f"{what} declared as exact, and would be believed to the last digit. {ways_out(problem.meaning)}"
    )


def same_value(a: float, b: float) -> bool:
    """Whether two log densities of one point are the same but for rounding."""
    return a == b or abs(a - b) <= max(HARMLESS, ROUNDING * abs(a))


def _value(problem: Problem, values: Mapping[str, float], outputs: Mapping[str, ArrayLike]) -> float | None:
    """The log-likelihood (of a log-posterior: its own value), minus infinity where the values are impossible; None: none."""
    from ..likelihood.evaluate import LikelihoodError, log_likelihood

    try:
        return log_likelihood(problem, outputs, values)[0]
    except LikelihoodError as error:
        return -math.inf if error.impossible else None
