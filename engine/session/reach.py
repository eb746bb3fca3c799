"""Whether the program comes near the data at all in its best run: else an answer, converged or not, is about a mistake."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..problem.comparison import ComparisonError
from ..problem.definition import Predictions, Problem, free_parameters
from .answer_words import BEST_MISFIT, MORE_RUNS, OUT_OF_REACH
from .best_fit import farthest_words
from .misfit import Misfit, fit_of, misfits
from .records import EvaluationRecord, IterationRecord

LATE = 25  # runs for each parameter from which the best of them should be near the best there is
LATE_AT_END = 10  # ... where there will be no others


@dataclass(frozen=True)
class Reach:
    """``misfit``: of the best run, root mean square in standard errors; at most about 1 where model and errors are right."""

    misfit: float
    index: int
    farthest: str = ""

    @property
    def words(self) -> str:
        size = f"{self.misfit:,.0f}" if self.misfit >= 100.0 else f"{self.misfit:.3g}"
        far = f" Farthest off: {self.farthest}." if self.farthest else ""
        return (
            f"The model never comes within reach of the data: its best run, {self.index}, misses them by {size} standard errors. "
            "Check the units, the measured errors, the ranges of the priors, and that the program reads every digit it is given; "
            f"only then are more runs worth it.{far}"
        )


def reach_of(problem: Problem, best: EvaluationRecord) -> Reach | None:
    """None where there is no chi^2: no predictions, noise of a size that is fitted, a program that may be off."""
    found: tuple[Misfit, ...] = ()
    try:
        if isinstance(problem.meaning, Predictions):
            found = misfits(problem, best.outputs, best.values)
        fit = fit_of(problem, found, best.outputs)
    except (ComparisonError, KeyError, ValueError):
        return None
    if fit is None or not math.isfinite(fit.chi2):
        return None
    misfit = math.sqrt(fit.chi2 / fit.count)
    known = [m for m in found if m.size_known]
    worst = max(known, key=lambda m: float(abs(m.residuals[m.farthest])), default=None)
    return Reach(misfit, best.index, "" if worst is None else f"{worst.column}, {farthest_words(worst)}")


def judged(record: IterationRecord, problem: Problem, best: EvaluationRecord | None, budget: int) -> IterationRecord:
    """``record`` with what is to be said first where the best of all runs is nowhere near the data, as it is by the end."""
    n, wanted = record.n_evaluations, LATE_AT_END if record.n_evaluations >= budget else LATE
    late = record.converged or n >= wanted * len(free_parameters(problem))
    found = reach_of(problem, best) if late and best is not None else None
    if found is None or found.misfit <= OUT_OF_REACH:
        return record
    others = tuple(reason.replace(MORE_RUNS, "") for reason in record.reasons)
    return replace(record, reasons=(found.words, *others), diagnostics={**record.diagnostics, BEST_MISFIT: found.misfit})
