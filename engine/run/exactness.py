"""Whether two runs at the same values agree, as they must where the program is declared as exact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ..problem.checks.check_random import ways_out
from ..problem.definition import Predictions, Problem

if TYPE_CHECKING:  # ``infer`` needs no simulators
    from ..session.records import EvaluationRecord
    from ..simulator.run_result import RunResult

HARMLESS = 3e-3  # nats: the methods take exact values for known to within about this (surrogate/evaluations.py)
ROUNDING = 1e-11  # of the log-likelihood: what sums in another order may differ by


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
