"""Whether the program comes near the data at all in its best run: else an answer, converged or not, is about a mistake."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import chdtrc

from ..problem.data.rows.comparison import ComparisonError
from ..problem.data.units.size_ratio import common_power
from ..problem.definition import Predictions, Problem, evaluation_noun, free_parameters, is_scattered
from ..problem.fixed_seed import fixed_seed
from ..problem.numbers.shown_digits import spoken
from ..session.records import EvaluationRecord, IterationRecord
from .best_fit import farthest_words
from .digits import rough
from .doubt import BEST_MISFIT, BEYOND_CHANCE, FAR_OFF, Doubt, doubt_of, doubt_told
from .nouns import counted_as
from .predictions.misfit import Misfit, fit_of, misfits
from .usual_scatter import UsualScatter
from .words import FIXED_SEED, MORE_RUNS, NARROWER

LATE = 25  # runs for each parameter from which the best of them should be near the best there is
LATE_AT_END = 10  # ... where there will be no others
EARLY = 20  # runs after which a mistake is named that shows by itself, and that no better place cures
ABSURD = 30.0  # standard errors (root mean square) from which on it is: chi^2 is a thousand for each value
OPPOSITE = 0.9  # of the sum of sizes of what was measured whose predictions have the other sign
_SEED = (
    "Its random seed is fixed ({}), which may be why. More runs cannot cure that. In a copy without runs, mark the seed as a "
    "placeholder (@seed@) and tick “They have a statistical error of their own” (Simulator page, tab Meaning)."
)
NO_SEED = (
    "No random seed is seen in the command, the input files or what is sent to the program: a step of its computation may be "
    "coarse (a tolerance, a grid, a cut-off). More runs cannot cure that: let it compute more finely; or, in a copy without "
    "runs, tick “They have a statistical error of their own” (Simulator page, tab Meaning), which takes the scatter for chance."
)
LEAST = 1.0  # powers of ten between nearly all values of the best run and what was measured, from which on a unit is named
FEWEST = 3  # values that may have a factor in common
MOST_SAID = 3  # outputs in a sentence
SEEN = 0.1  # of the measurement's error: what scatters by less hardly moves an answer, and may be a solver's tolerance


@dataclass(frozen=True)
class Reach:
    """``misfit``: of the best run, root mean square in standard errors; at most about 1 where model and errors are right.
    ``count``: of the values compared. ``scatters``: root mean square by which those of one run scatter, in standard errors."""

    misfit: float
    index: int
    count: int
    farthest: str = ""
    scatters: float = 0.0
    factor: str = ""  # a sentence, where outputs are off by a common factor, or have the opposite sign

    @property
    def expected(self) -> float:
        """Of a run where all is right."""
        return math.sqrt(1.0 + self.scatters**2)

    @property
    def relative(self) -> float:
        """The misfit in units of what is expected."""
        return self.misfit / self.expected

    @property
    def doubt(self) -> Doubt:
        return doubt_of(self.relative, float(chdtrc(self.count, self.count * self.relative**2)))

    def _missed(self, size: str) -> str:
        about = f"where about {spoken(self.expected, 2)} is expected"
        return f"The best run, {self.index}, misses the data by {size} standard errors, {about}"

    @property
    def elsewhere(self) -> str:
        return (
            f"{self._missed(f'{spoken(self.misfit, 2)}')}: a better place may lie elsewhere, so the plausible ranges are not "
            "to be narrowed to this one."
        )

    @property
    def _size(self) -> str:
        return f"{self.misfit:,.0f}" if self.misfit >= 100.0 else spoken(self.misfit, 3)

    @property
    def words(self) -> str:
        if self.doubt == "far":
            return (
                f"{self._missed(self._size)}. Either the errors are larger than stated, or the program cannot describe these "
                "data (tab Errors: the program may be off), or the best place is not found: more runs look for it, and so does "
                f"the same analysis with another seed.{self._factors}{self._farthest}"
            )
        return self._out_of_reach("The model never comes within reach of the data: its best run")

    @property
    def early(self) -> str:
        return self._out_of_reach("No run comes within reach of the data so far: the best one")

    def _out_of_reach(self, begin: str) -> str:
        return (
            f"{begin}, {self.index}, misses them by {self._size} standard errors.{self._factors} Check the units, the signs, the "
            "measured errors, the ranges of the priors, and that the program reads every digit it is given; only then are more "
            f"runs worth it.{self._farthest}"
        )

    @property
    def _factors(self) -> str:
        return f" {self.factor}" if self.factor else ""

    @property
    def _farthest(self) -> str:
        return f" Farthest off: {self.farthest}." if self.farthest else ""


def reach_of(problem: Problem, best: EvaluationRecord, scatter: UsualScatter | None = None) -> Reach | None:
    """None where there is no chi^2 that tells: no predictions, noise of a size that is fitted, a program that may be off, values
    that scatter by an unknown size. ``scatter``: of the values of one run, where it was learnt."""
    found: tuple[Misfit, ...] = ()
    try:
        if isinstance(problem.meaning, Predictions):
            found = misfits(problem, best.outputs, best.values)
        fit = fit_of(problem, found, best.outputs, scatter)
    except (ComparisonError, KeyError, ValueError):
        return None
    if fit is None or fit.scatters is None or not math.isfinite(fit.chi2):
        return None
    misfit = math.sqrt(fit.chi2 / fit.count)
    known = [m for m in found if m.size_known]
    worst = max(known, key=lambda m: float(abs(m.residuals[m.farthest])), default=None)
    far = "" if worst is None else f"{worst.column}, {farthest_words(worst)}"
    named = " ".join(words for words in (sign_words(known), factor_words(known)) if words)
    return Reach(misfit, best.index, fit.count, far, fit.scatters, named)


def sign_words(found: Sequence[Misfit]) -> str:
    """Which outputs have the opposite sign to what was measured, beyond the errors, a sentence; "": none has."""
    said = []
    for m in found:
        clear = np.abs(m.residuals) > FAR_OFF
        sizes = np.abs(m.measured[clear])
        turned = float(sizes[m.measured[clear] * m.predicted[clear] < 0.0].sum())
        if len(sizes) >= FEWEST and turned >= OPPOSITE * float(sizes.sum()) > 0.0:
            said.append(f"“{m.match.output}”")
    if not said:
        return ""
    more = f" and {len(said) - MOST_SAID} more" if len(said) > MOST_SAID else ""
    have = "have" if len(said) > 1 else "has"
    return f"{', '.join(said[:MOST_SAID])}{more} {have} the opposite sign to what was measured: a sign to be turned?"


def factor_words(found: Sequence[Misfit]) -> str:
    """Which outputs are off by a factor that nearly all of their values have in common, ten at least, a sentence; "": none is."""
    said = []
    for m in found:
        some = (m.measured != 0.0) & (m.predicted != 0.0)
        power = common_power(m.measured[some], m.predicted[some]) if len(m.measured) >= FEWEST else None
        if power is not None and abs(power) >= LEAST:
            size = f"{float(f'{10.0 ** abs(power):.1g}'):,.0f} times {'smaller' if power > 0.0 else 'larger'}"
            said.append(f"“{m.match.output}” is about {size} than measured (“{m.column}”)")
    more = f", and {len(said) - MOST_SAID} more are off alike" if len(said) > MOST_SAID else ""
    return f"{'; '.join(said[:MOST_SAID])}{more}: another unit?" if said else ""


def judged(record: IterationRecord, problem: Problem, best: EvaluationRecord | None, budget: int) -> IterationRecord:
    """``record`` with what is to be said first where the best of all runs is nowhere near the data, as it is by the end; and its
    reasons in the word that this problem has for an evaluation."""
    found = _widened(_scattering(_reached(record, problem, best, budget), problem), problem)
    said = counted_as(evaluation_noun(problem.meaning), found.reasons)
    return found if said == found.reasons else replace(found, reasons=said)


def _reached(record: IterationRecord, problem: Problem, best: EvaluationRecord | None, budget: int) -> IterationRecord:
    n, wanted = record.n_evaluations, LATE_AT_END if record.n_evaluations >= budget else LATE
    late = record.converged or n >= wanted * len(free_parameters(problem))
    spent = not record.converged and n >= budget
    early = not record.warm_up and n >= EARLY
    found = reach_of(problem, best, UsualScatter.of(record.slices)) if (late or spent or early) and best is not None else None
    if found is None or found.doubt == "none":
        return record
    if not late and early and found.relative >= ABSURD and (found.factor or n - found.index >= EARLY):
        return _said_first(record, found.early, found)
    if not late or found.doubt == "place":
        return _no_narrower(record, found) if spent else record
    return _said_first(record, found.words, found)


def _said_first(record: IterationRecord, words: str, found: Reach) -> IterationRecord:
    more = MORE_RUNS if found.doubt == "out of reach" else ""
    others = tuple(reason.replace(more, "") if more else reason for reason in record.reasons)
    return replace(record, reasons=(words, *others), diagnostics={**record.diagnostics, BEST_MISFIT: found.relative})


def _scattering(record: IterationRecord, problem: Problem) -> IterationRecord:
    """What is to be said first where outputs that count as exact scatter from place to place, and no answer is confirmed."""
    scatter = UsualScatter.of(record.slices)
    if scatter is None or record.converged or not isinstance(problem.meaning, Predictions) or is_scattered(problem.meaning):
        return record
    size = scatter.whole
    if size < SEEN:
        return record
    seed, names = fixed_seed(problem), [m.output for m in problem.meaning.matches]
    named = len(names) == len(scatter.size)
    which = scatter.largest(names, SEEN) if named else f"by {rough(size)} of the measurement's error"
    seen = f"Outputs scatter from place to place although they count as exact: {which}."
    words = f"{seen} {NO_SEED if seed is None else _SEED.format(seed.words)}"
    others = tuple(reason.replace(MORE_RUNS, "") for reason in record.reasons)
    return replace(record, reasons=(words, *others), diagnostics={**record.diagnostics, FIXED_SEED: size})


def _widened(record: IterationRecord, problem: Problem) -> IterationRecord:
    """What is to be said last where the scatter of a program that is declared random is much of the posterior's width."""
    scatter = UsualScatter.of(record.slices)
    if scatter is None or not isinstance(problem.meaning, Predictions) or not is_scattered(problem.meaning):
        return record
    words = scatter.widening([m.column for m in problem.meaning.matches], record.n_evaluations)
    return replace(record, reasons=(*record.reasons, words)) if words else record


def _no_narrower(record: IterationRecord, found: Reach) -> IterationRecord:
    """Ranges are not to be narrowed around a place that chance does not bring near the data."""
    kept = tuple(reason for reason in record.reasons if not reason.endswith(NARROWER))
    said = kept if len(kept) == len(record.reasons) else (*kept, found.elsewhere)
    return replace(record, reasons=said, diagnostics={**record.diagnostics, BEYOND_CHANCE: found.relative})


def in_doubt(record: IterationRecord) -> bool:
    """Whether a converged answer misses the data by more than chance, and not by so much that something else is wrong."""
    return record.converged and doubt_told(record.diagnostics) == "far"
